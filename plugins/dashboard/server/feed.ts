/** What happens, told to every open page. */
import { Readable } from 'node:stream'
import type { Clock } from 'kikimimi'
import type { FeedEvent } from '../history/views.ts'
import type { Sessions } from './sessions.ts'

/** Pages that may be open at once. */
const READERS = 50

/** Who is so many bytes behind is cut off, and asks anew: nothing is kept for who does not read. */
const BEHIND = 1_000_000

/** A proxy closes what is silent for a minute. */
const HEARTBEAT = 20_000

export interface Feed extends Disposable {
  /** Whether anybody would hear it: what takes a query to tell need not be told to nobody. */
  readonly watched: boolean
  tell(...events: readonly FeedEvent[]): void
  /** The body of an answer in `text/event-stream`; nothing when too many read already. */
  open(session: string): Readable | undefined
  /** Cuts off who has logged out, or everybody. */
  cut(session?: string): void
}

/** @param sessions absent where nobody logs in */
export function createFeed(clock: Pick<Clock, 'setInterval' | 'clearInterval'>, sessions?: Pick<Sessions, 'holds'>): Feed {
  const readers = new Map<Readable, string>()
  const beat = clock.setInterval(() => {
    for (const [reader, owner] of readers) if (sessions && !sessions.holds(owner)) reader.destroy()
    write(':\n\n')
  }, HEARTBEAT)

  function write(text: string): void {
    for (const reader of readers.keys()) {
      if (reader.readableLength > BEHIND) reader.destroy()
      else reader.push(text)
    }
  }

  return {
    get watched() {
      return readers.size > 0
    },
    tell(...events) {
      if (readers.size > 0 && events.length > 0) write(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''))
    },
    open(session) {
      if (readers.size >= READERS) return undefined
      const reader = new Readable({ read() {} })
      readers.set(reader, session)
      reader.once('close', () => readers.delete(reader))
      // The page knows by it that it stands.
      reader.push('retry: 2000\n\n')
      return reader
    },
    cut(session) {
      for (const [reader, owner] of readers) if (session === undefined || owner === session) reader.destroy()
    },
    [Symbol.dispose]() {
      clock.clearInterval(beat)
      this.cut()
    },
  }
}
