/**
 * The profiles of a bot without a database: in memory, with limits. Notes are shown only in the conversation that they come
 * from.
 */
import type { Clock, Conversation, ForgottenPerson, Message, PersonKey, Turn } from 'kikimimi'
import { checkTwo } from './accounts.ts'
import { SILENCE_MS } from './counting/talks.ts'
import { TOPICS, topicsOf } from './counting/topics.ts'
import { familiarityOf } from './familiarity.ts'
import { namesAny } from './naming.ts'
import { cleanNote, mergeNotes } from './notes.ts'
import type { Options } from './options.ts'
import type { KnownPerson, Profile, ProfileNote, ProfileStore } from './profile-store.ts'

/** Maximum number of people. The least recently active go first. */
const PEOPLE = 10_000
const CONVERSATIONS = 10_000
const PLACES = 50
const LINKS = 10_000

/** Kept of a running conversation: number of last messages, and characters of each. */
const TEXTS = 10
const TEXT = 200

interface Place {
  readonly conversation: Conversation
  readonly messages: number
  readonly seenAt: Date
  /** Texts of the running conversation. */
  readonly texts: readonly string[]
  readonly topics: readonly string[]
  readonly note?: ProfileNote
}

interface Known extends Pick<Profile, 'person' | 'name' | 'messages' | 'mentions' | 'lastSeenAt'> {
  readonly places: Map<string, Place>
}

export interface MemoryProfiles extends ProfileStore {
  /** Counts the messages of a turn, once: a cancelled turn runs again, with more messages. */
  observe(turn: Turn): void
  forget(person: ForgottenPerson): void
}

export function createMemoryProfiles(
  { familiarity }: Options,
  { clock, names }: { readonly clock: Clock; readonly names: readonly string[] },
): MemoryProfiles {
  const people = new Map<string, Known>()
  const observed = new Map<string, ReadonlySet<string>>()
  const forgotten = new Map<string, Date>()
  let links: readonly (readonly PersonKey[])[] = []

  const othersOf = (person: PersonKey) =>
    (links.find(some => some.some(one => keyOf(one) === keyOf(person))) ?? []).filter(one => keyOf(one) !== keyOf(person))

  function hear(conversation: Conversation, { author, text, at, addressed }: Message): void {
    const person = { platform: conversation.platform, id: author.id }
    const before = people.get(keyOf(person))
    const places = before?.places ?? new Map<string, Place>()
    const there = places.get(placeOf(conversation))
    const goesOn = there && at.getTime() - there.seenAt.getTime() < SILENCE_MS
    keep(places, PLACES, placeOf(conversation), {
      ...there,
      conversation,
      messages: (there?.messages ?? 0) + 1,
      seenAt: at,
      texts: [...(goesOn ? there.texts : []), text.slice(0, TEXT)].slice(-TEXTS),
      topics: there && !goesOn ? lastTopics(there, before?.name) : (there?.topics ?? []),
    })
    keep(people, PEOPLE, keyOf(person), {
      person,
      name: author.name,
      messages: (before?.messages ?? 0) + 1,
      mentions: (before?.mentions ?? 0) + Number(addressed !== undefined && addressed !== 'direct'),
      lastSeenAt: at,
      places,
    })
  }

  function lastTopics({ texts, topics }: Place, name = ''): readonly string[] {
    const found = topicsOf(texts, { limit: TOPICS, except: [...names, name] })
    return found.length > 0 ? found : topics
  }

  function topicsIn(place: Place, name: string): readonly string[] {
    return clock.now() - place.seenAt.getTime() < SILENCE_MS ? place.topics : lastTopics(place, name)
  }

  function profile(person: PersonKey, isReadable: (place: Place) => boolean): Profile | undefined {
    const accounts = [person, ...othersOf(person)].flatMap(one => people.get(keyOf(one)) ?? [])
    const places = accounts
      .flatMap(({ name, places }) => [...places.values()].map(place => ({ ...place, topics: topicsIn(place, name) })))
      .filter(place => place.messages > 0 && isReadable(place))
      .sort((a, b) => b.seenAt.getTime() - a.seenAt.getTime())
    const [latest] = places
    const [known] = accounts
    if (!latest || !known) return undefined
    const messages = accounts.reduce((sum, one) => sum + one.messages, 0)
    return {
      person: { platform: person.platform, id: person.id },
      name: known.name,
      messages,
      mentions: accounts.reduce((sum, one) => sum + one.mentions, 0),
      familiarity: familiarityOf(messages, familiarity),
      lastSeenAt: latest.seenAt,
      channels: places
        .map(({ conversation: { id, name }, messages }) => ({ id, name, messages }))
        .sort((a, b) => b.messages - a.messages),
      topics: places.find(({ topics }) => topics.length > 0)?.topics ?? [],
      ...mergeNotes(places.flatMap(({ note }) => note ?? [])),
    }
  }

  return {
    observe({ conversation, messages }) {
      const last = observed.get(conversation.id)
      keep(observed, CONVERSATIONS, conversation.id, new Set(messages.map(({ id }) => id)))
      for (const message of messages) if (!message.author.bot && !last?.has(message.id)) hear(conversation, message)
    },

    async get(person, reader) {
      return profile(person, ({ conversation }) => placeOf(conversation) === placeOf(reader))
    },

    inspect: async person => profile(person, () => true),

    async list(most = 50): Promise<KnownPerson[]> {
      return [...people.values()]
        .sort((a, b) => b.messages - a.messages)
        .slice(0, most)
        .map(({ places: _, ...one }) => ({
          ...one,
          familiarity: familiarityOf(one.messages, familiarity),
          linked: othersOf(one.person),
        }))
    },

    async note(person, conversation, note, readAt = new Date(clock.now())) {
      const known = people.get(keyOf(person))
      if (!known || readAt.getTime() <= (forgotten.get(keyOf(person))?.getTime() ?? 0)) return
      const there = known.places.get(placeOf(conversation)) ?? {
        conversation,
        messages: 0,
        seenAt: new Date(0),
        texts: [],
        topics: [],
      }
      keep(known.places, PLACES, placeOf(conversation), { ...there, note: { ...there.note, ...cleanNote(note) } })
    },

    async link(one, other) {
      checkTwo(one, other)
      const all = new Map([one, ...othersOf(one), other, ...othersOf(other)].map(account => [keyOf(account), account]))
      links = [...links.filter(some => !some.some(account => all.has(keyOf(account)))), [...all.values()]].slice(-LINKS)
    },

    async unlink(person) {
      links = links.map(some => some.filter(account => keyOf(account) !== keyOf(person))).filter(({ length }) => length > 1)
    },

    accounts: async person => [{ platform: person.platform, id: person.id }, ...othersOf(person)],

    flush: async () => {},

    forget({ names: called, before, ...person }) {
      keep(forgotten, PEOPLE, keyOf(person), before)
      const isNamed = namesAny([...called, people.get(keyOf(person))?.name ?? ''])
      people.delete(keyOf(person))
      links = links.map(some => some.filter(account => keyOf(account) !== keyOf(person))).filter(({ length }) => length > 1)
      for (const { person: other, places } of people.values()) {
        if (other.platform !== person.platform) continue
        for (const [key, { note, ...place }] of places) {
          const left = {
            texts: place.texts.filter(text => !isNamed(text)),
            topics: place.topics.filter(topic => !isNamed(topic)),
          }
          places.set(key, { ...place, ...left, ...(note && !isNamed(JSON.stringify(note)) && { note }) })
        }
      }
    },
  }
}

function keyOf({ platform, id }: PersonKey): string {
  return JSON.stringify([platform, id])
}

function placeOf({ id, visibility }: Conversation): string {
  return `${visibility} ${id}`
}

/** Stores a value. The oldest entry goes if there are too many. */
function keep<T>(map: Map<string, T>, most: number, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value ?? '')
}
