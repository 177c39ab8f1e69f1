import type { Clock } from './clock.ts'
import { KikimimiError } from './errors.ts'
import { withTimeout } from './timeout.ts'

/** The deadline and the signal of one call. The signal is created at its first use. */
export class CallLimit {
  readonly #parent: AbortSignal
  #controller: AbortController | undefined
  #over: unknown

  constructor(parent: AbortSignal) {
    this.#parent = parent
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#over !== undefined) this.#controller.abort(this.#over)
    else if (this.#parent.aborted) this.#controller.abort(this.#parent.reason)
    return this.#controller.signal
  }

  /** The result, or a rejection when the call is late or cancelled. */
  race<T>(result: PromiseLike<T>, clock: Clock, ms: number): Promise<T> {
    const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${ms} ms`)
    return withTimeout({ clock, ms, late, signal: this.#parent }, async ended => {
      const over = () => {
        this.#over = ended.reason
        this.#controller?.abort(ended.reason)
      }
      ended.addEventListener('abort', over, { once: true })
      return result
    })
  }
}
