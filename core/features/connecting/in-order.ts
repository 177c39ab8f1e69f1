/** Runs work of one key, such as a channel, one after the other. Work of different keys does not wait for each other. */
export type InOrder = (key: string, work: () => Promise<void>) => Promise<void>

/** A look-up for one event, such as that of a name, then does not change the order of the events of its channel. */
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
