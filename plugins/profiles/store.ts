/** The profiles in the database of the bot. */
import type { Cached, Clock, LogIndex, OptOuts, PersonKey } from 'kikimimi'
import { accountsIn, type Links, linkAccounts, unlinkAccount } from './accounts.ts'
import { cardsOf, undoCards } from './cards/storage.ts'
import { endedBy, findTopics, type TopicDeps } from './counting/talks.ts'
import { keepNote } from './notes.ts'
import type { Options } from './options.ts'
import type { ProfileStore } from './profile-store.ts'
import { listPeople, readProfile } from './read.ts'

export interface StoreDeps extends TopicDeps {
  readonly counts: LogIndex
  readonly clock: Clock
  readonly links: Cached<Links>
  readonly optOuts: Pick<OptOuts, 'link'>
  readonly options: Options
  /** Counts new messages soon, in the background. */
  countLater(): Promise<void>
}

/**
 * Largest number of new messages that are counted before a profile is read for a conversation. A turn must not wait until the messages of
 * a flood are counted, nor for other turns that count them: all counting holds one lock.
 */
const FEW = 200

/** Default number of people in a list. */
const LISTED = 50

export interface OwnProfileStore extends ProfileStore {
  /** Counts the last new messages, when they are few, and ends a running count between two batches. The rest is counted after the next start. */
  close(): Promise<void>
}

export function createProfileStore(deps: StoreDeps): OwnProfileStore {
  const { db, counts, clock, links, optOuts, options, countLater } = deps
  const { familiarity } = options
  const closing = new AbortController()

  const newsOf = async (now: Date) => (await counts.waiting()) + (await endedBy(db, now))

  async function count(now: Date): Promise<void> {
    await counts.run(closing.signal)
    while ((await findTopics(deps, now)) && !closing.signal.aborted);
  }

  async function flush(): Promise<void> {
    const now = new Date(clock.now())
    if ((await newsOf(now)) > 0) await count(now)
  }

  /** Counts a few new messages. Many are left to the background. Turns that wait for a running count share the next one. */
  const update = sharing(async () => {
    const now = new Date(clock.now())
    const news = await newsOf(now)
    if (news > FEW) return closing.signal.aborted ? undefined : countLater()
    if (news > 0) await count(now)
  })

  const accounts = async (person: PersonKey) => accountsIn(await links.read(), person)

  return {
    flush,
    accounts,

    close() {
      closing.abort()
      return update()
    },

    async get(person, reader) {
      await update()
      return readProfile(db, await accounts(person), reader, familiarity)
    },

    async inspect(person) {
      await flush()
      return readProfile(db, await accounts(person), undefined, familiarity)
    },

    async list(limit = LISTED) {
      await flush()
      return listPeople(db, limit, familiarity)
    },

    async note(person, conversation, note, origin) {
      const at = new Date(clock.now())
      await keepNote({ db, counts }, { person, conversation, note, at, origin: origin ?? { sources: [], readAt: at } })
    },

    cards: person => cardsOf(db, person),
    undoCards: person => undoCards(db, person, new Date(clock.now())),
    link: (one, other) =>
      links.write(() =>
        db.transaction(async () => {
          await optOuts.link(await linkAccounts(db, one, other))
        }),
      ),
    unlink: person => links.write(() => unlinkAccount(db, person)),
  }
}

/** Runs one call at a time. Calls that come meanwhile get the same run, which begins when that one has ended. */
function sharing(run: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= last
      .catch(() => {})
      .then(() => {
        next = undefined
        return run()
      })
    last = next
    return next
  }
}
