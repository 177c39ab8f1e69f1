import { addAbortListener } from 'node:events'

/**
 * Aborts `controller` with the first of these signals, until it is disposed of. The signal of a controller answers at once whether it is
 * aborted; one of `AbortSignal.any` asks all of its signals again each time.
 */
export function abortWith(controller: AbortController, signals: readonly AbortSignal[]): Disposable {
  const listeners = new DisposableStack()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    listeners.use(addAbortListener(signal, abort))
  }
  return listeners
}
