/** A value or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
