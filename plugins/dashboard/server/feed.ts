/** Sends live events to every open page. */
import { Readable } from 'node:stream'
import type { Clock } from 'kikimimi'
import type { FeedEvent } from '../history/views.ts'
import { allows, type Role } from './roles.ts'
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
  /** Sends events that only owners may see. */
  tellOwners(...events: readonly FeedEvent[]): void
  /** The body of a response in `text/event-stream`; undefined if too many pages are open. */
  open(session: string, role?: Role): Readable | undefined
  /** Disconnects logged-out clients, or all. */
  cut(session?: string): void
}

/** @param sessions absent without a password */
export function createFeed(clock: Pick<Clock, 'setInterval' | 'clearInterval'>, sessions?: Pick<Sessions, 'who'>): Feed {
  const readers = new Map<Readable, { readonly session: string; readonly role: Role }>()
  /** Only while a page is open: a bot at rest does nothing. */
  let beat: unknown

  function check(): void {
    // While the database is away, a page that is open stays open.
    for (const [reader, { session }] of readers)
      void sessions?.who(session).then(
        who => (who && allows(who.role, 'moderator')) || reader.destroy(),
        () => {},
      )
    write(':\n\n')
  }

  function write(text: string, wanted: Role = 'moderator'): void {
    for (const [reader, { role }] of readers) {
      if (!allows(role, wanted)) continue
      if (reader.readableLength > BEHIND) reader.destroy()
      else reader.push(text)
    }
  }

  return {
    get watched() {
      return readers.size > 0
    },
    tell(...events) {
      if (readers.size > 0 && events.length > 0) write(events.map(blockOf).join(''))
    },
    tellOwners(...events) {
      write(events.map(blockOf).join(''), 'owner')
    },
    open(session, role = 'moderator') {
      if (readers.size >= READERS) return undefined
      const reader = new Readable({ read() {} })
      readers.set(reader, { session, role })
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
      for (const [reader, one] of readers) if (session === undefined || one.session === session) reader.destroy()
    },
    [Symbol.dispose]() {
      this.cut()
    },
  }
}

function blockOf(event: FeedEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
