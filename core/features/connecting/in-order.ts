/** Runs work of one key, such as a channel, one after the other. Work of different keys does not wait for each other. */
export type InOrder = (key: string, work: () => Promise<void>) => Promise<void>

/**
 * Keeps the order of events of one channel while each of them waits for something, such as the look-up of a name or
 * {@link PlatformContext.receive}. The work of one key begins when the work before it has settled; an error does not stop the next.
 */
export function createInOrder(): InOrder {
  const last = new Map<string, Promise<void>>()
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).catch(() => {}).then(work)
    last.set(key, mine)
    const done = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(done, done)
    return mine
  }
}
