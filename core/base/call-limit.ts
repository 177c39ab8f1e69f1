import type { Clock } from './clock.ts'
import { KikimimiError } from './errors.ts'
import { limited } from './timeout.ts'

/** The deadline and the signal of one call, or of several that answer at once. The signal is created at its first use. */
export class CallLimit {
  readonly #parent: AbortSignal
  #controller: AbortController | undefined
  #over: unknown
  #own: { readonly of: object; readonly copy: object } | undefined

  constructor(parent: AbortSignal) {
    this.#parent = parent
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    this.#controller = new AbortController()
    if (this.#over !== undefined) this.#controller.abort(this.#over)
    else if (this.#parent.aborted) this.#controller.abort(this.#parent.reason)
    return this.#controller.signal
  }

  /** A copy with the signal of this limit. It is made once. */
  own<T extends object>(given: T): T {
    if (this.#own?.of !== given) this.#own = { of: given, copy: { ...given, signal: this.signal } }
    return this.#own.copy as T
  }

  /** The result, or a rejection when the call is late or cancelled. */
  race<T>(result: PromiseLike<T>, clock: Clock, ms: number): Promise<T> {
    const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${ms} ms`)
    return limited(
      { clock, ms, late, signal: this.#parent },
      () => result,
      error => {
        this.#over = error
        this.#controller?.abort(error)
      },
    )
  }
}
