/** Typed values that one plugin lends to others. */

declare const lent: unique symbol

/** A typed thing that one plugin lends to others. Compared by name, so two copies of a package agree. */
export interface Service<T> {
  readonly name: string
  /** The package that usually provides it, for the message when nobody does. */
  readonly from?: string
  readonly [lent]?: T
}

/** @example export const Facts = service<FactStore>('facts', '@kikimimi/facts') */
export function service<T>(name: string, from?: string): Service<T> {
  return from === undefined ? { name } : { name, from }
}
