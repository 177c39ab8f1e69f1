/** Handles the events of each channel one after the other, so that lookups of names do not change their order. */
export type InOrder = (channel: string, work: () => Promise<void>) => Promise<void>

export function createInOrder(): InOrder {
  const last = new Map<string, Promise<void>>()
  return (channel, work) => {
    const mine = (last.get(channel) ?? Promise.resolve()).catch(() => {}).then(work)
    last.set(channel, mine)
    const done = () => {
      if (last.get(channel) === mine) last.delete(channel)
    }
    mine.then(done, done)
    return mine
  }
}
