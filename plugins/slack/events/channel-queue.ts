/** One thing after the other in each channel, so that looking up a name changes no order. */
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
