/** Checks the answer of the model: only facts with evidence, about people who take part, are stored. */
import type { Fact, NewFact } from '@kikimimi/facts'
import type { ProfileNote } from '@kikimimi/profiles'
import { safeName } from 'kikimimi'
import type { Read } from './batch.ts'
import type { Extracted, FoundFact, FoundProfile } from './extractor.ts'
import type { Known } from './known.ts'
import type { People } from './people.ts'
import { findQuote } from './quote.ts'
import { givesOrders, isSensitive } from './sensitive.ts'

/** Maximum number of facts of one batch. */
const FACTS = 20

/** Maximum length of a fact. A longer text is a copy. */
const LONGEST = 400

const WORDS = 8
const NOTE = 300

/** Maximum confidence of statements about other people. */
const HEARSAY = 0.6

export interface Accepted {
  readonly fact: NewFact
  /** Ids of known facts that no longer hold. */
  readonly replaces: readonly number[]
  /** A statement about another person: words of change in it replace nothing. */
  readonly hearsay: boolean
}

/** In the order of the messages. */
export function acceptFacts({ facts, people }: Extracted, read: readonly Read[], known: Known): readonly Accepted[] {
  return facts
    .map(found => ({ at: Number(digits(found.message)) - 1, found }))
    .sort((one, other) => one.at - other.at)
    .flatMap(({ at, found }) => acceptFact(found, read[at], people, known) ?? [])
    .slice(0, FACTS)
}

function acceptFact(found: FoundFact, read: Read | undefined, people: People, known: Known): Accepted | undefined {
  if (!read || read.message.own || read.message.author.bot || givesOrders(read.message.text)) return undefined
  const quote = findQuote(found.quote, read.message.text)
  const content = oneLine(found.content)
  if (quote === undefined || !/[\p{L}\p{N}]/u.test(content) || content.length > LONGEST) return undefined

  const { message, conversation } = read
  const about = unique(found.people.flatMap(name => people.find(name) ?? []))
  const hearsay = about.length > 0 && !about.includes(message.author.id)
  const open = conversation.visibility === 'public' && !isSensitive(`${content}\n${message.text}`)
  return {
    fact: {
      conversation,
      content,
      kind: found.kind,
      people: about,
      keywords: words(found.keywords),
      confidence: Math.min(Math.max(found.confidence, 0), hearsay ? HEARSAY : 1),
      shareable: found.shareable && open,
      sources: [{ message: message.id, author: message.author.id, quote }],
      at: message.at,
    },
    replaces: unique(found.replaces.map(digits)).flatMap(label => {
      const old = known.facts.get(label)
      return old && mayReplace(old, read) ? old.id : []
    }),
    hearsay,
  }
}

/** A statement about oneself, a durable fact, and a request to remember can be replaced only by its own author. */
function mayReplace({ people, sources, kind, pinned, at }: Fact, { message }: Read): boolean {
  const { author } = message
  if (at > message.at) return false
  if (sources.some(source => source.author === author.id) || people.includes(author.id)) return true
  const lasts = kind === 'durable' || kind === 'preference'
  return !pinned && !(lasts && sources.some(source => people.includes(source.author)))
}

/** By the id of the person. */
export function acceptProfiles({ profiles, people }: Extracted): ReadonlyMap<string, ProfileNote> {
  return new Map(
    profiles.flatMap(found => {
      const person = people.speaker(found.name)
      const note = noteOf(found)
      return person === undefined || Object.keys(note).length === 0 ? [] : [[person, note] as const]
    }),
  )
}

function noteOf({ tags, personality, lastConversation }: FoundProfile): ProfileNote {
  const told = (text: string) => {
    const line = oneLine(text)
    return line === '' || line.length > NOTE || isSensitive(line) ? undefined : line
  }
  const kept = words(tags).filter(tag => !isSensitive(tag))
  const [how, what] = [told(personality), told(lastConversation)]
  return {
    ...(kept.length > 0 && { tags: kept }),
    ...(how !== undefined && { personality: how }),
    ...(what !== undefined && { lastConversation: what }),
  }
}

function words(given: readonly string[]): string[] {
  return unique(given.map(word => safeName(storable(word))).filter(word => word !== '')).slice(0, WORDS)
}

function oneLine(text: string): string {
  return storable(text).replace(/\s+/g, ' ').trim()
}

/** The text without characters that a database cannot store. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Models write `[3]`, `m3` and `3` for the same label. */
function digits(label: string): string {
  return /\d+/.exec(label)?.[0] ?? ''
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
