/** How deep a cause can be. */
const CAUSES = 5

/**
 * How long the other side asks to wait, in milliseconds: the `retryAfterMs` of an error or of one of its causes. Never throws: a value
 * that cannot be read asks for nothing.
 */
export function retryAfterMs(error: unknown): number | undefined {
  try {
    for (let one = error, depth = 0; typeof one === 'object' && one !== null && depth < CAUSES; depth++) {
      const told: unknown = Reflect.get(one, 'retryAfterMs')
      if (typeof told === 'number' && told > 0) return told
      one = Reflect.get(one, 'cause')
    }
  } catch {
    return undefined
  }
  return undefined
}
