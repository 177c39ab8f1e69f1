/** Sends live events to every open page. */
import { Readable } from 'node:stream'
import type { Clock } from 'kikimimi'
import type { FeedEvent } from '../history/views.ts'
import { allows } from './roles.ts'
import type { Sessions } from './sessions.ts'

/** Maximum number of open pages. */
const READERS = 50

/** A client that is this many bytes behind is disconnected and connects again, so that no data pile up. */
const BEHIND = 1_000_000

/** Proxies close connections after a silent minute. */
const HEARTBEAT = 20_000

export interface Feed extends Disposable {
  /** Whether a page is open: without one, no query is needed. */
  readonly watched: boolean
  tell(...events: readonly FeedEvent[]): void
  /** The body of a response in `text/event-stream`; undefined if too many pages are open. */
  open(session: string): Readable | undefined
  /** Disconnects logged-out clients, or all. */
  cut(session?: string): void
}

/** @param sessions absent without a password */
export function createFeed(clock: Pick<Clock, 'setInterval' | 'clearInterval'>, sessions?: Pick<Sessions, 'who'>): Feed {
  const readers = new Map<Readable, string>()
  /** Only while a page is open: a bot at rest does nothing. */
  let beat: unknown

  function check(): void {
    // While the database is away, a page that is open stays open.
    for (const [reader, owner] of readers)
      void sessions?.who(owner).then(
        who => (who && allows(who.role, 'moderator')) || reader.destroy(),
        () => {},
      )
    write(':\n\n')
  }

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
      beat ??= clock.setInterval(check, HEARTBEAT)
      reader.once('close', () => {
        readers.delete(reader)
        if (readers.size > 0) return
        clock.clearInterval(beat)
        beat = undefined
      })
      // The page recognises an open stream by it.
      reader.push('retry: 2000\n\n')
      return reader
    },
    cut(session) {
      for (const [reader, owner] of readers) if (session === undefined || owner === session) reader.destroy()
    },
    [Symbol.dispose]() {
      this.cut()
    },
  }
}
