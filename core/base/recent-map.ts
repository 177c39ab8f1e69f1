/**
 * A map of limited size, for what is remembered in memory. When it is full, a new entry removes the one that was set longest ago.
 */
export class RecentMap<V> extends Map<string, V> {
  readonly #most: number

  /** @param most the number of entries that it keeps */
  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#most) this.delete(this.keys().next().value ?? '')
    return this
  }
}
