/** Services: typed values that one plugin provides and others use. */

declare const lent: unique symbol

/**
 * The token of a typed object that one plugin provides to others. The kernel compares tokens by name, so that two copies of
 * a package agree.
 */
export interface Service<T> {
  /** Unique in a bot. */
  readonly name: string
  /** The package that usually provides it, for the message of SERVICE_MISSING. */
  readonly from?: string
  readonly [lent]?: T
}

/** @example export const Facts = service<FactStore>('facts', '@kikimimi/facts') */
export function service<T>(name: string, from?: string): Service<T> {
  return from === undefined ? { name } : { name, from }
}
