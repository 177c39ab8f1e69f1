/** Checks the answer of the model: only facts with evidence, about people who take part, are stored. */
import { HEARSAY, hasInstruction, isInstruction, type NewFact, namesOneOf } from '@kikimimi/facts'
import type { ProfileNote } from '@kikimimi/profiles'
import { safeName } from 'kikimimi'
import type { Read } from './batch.ts'
import type { Extracted, FoundFact, FoundProfile } from './extractor.ts'
import type { Known } from './known.ts'
import type { People } from './people.ts'
import { findQuote } from './quote.ts'
import { givesOrders, isSensitive, isUnsure } from './sensitive.ts'

/** Maximum number of facts of one batch. */
const FACTS = 20

/** Maximum length of a fact. A longer text is a copy. */
const LONGEST = 400

const WORDS = 8
/** Maximum length of a subject and of a value. */
const NAME = 100
const DAY = 86_400_000
const NOTE = 300

/** Names by id. */
type Names = ReadonlyMap<string, string>

export interface Accepted {
  /** Its place in the answer of the model: `f1`. */
  readonly label: string
  readonly fact: NewFact
  /** Ids of known facts that the model replaces with it. */
  readonly replaces: readonly number[]
  /** Labels of facts of the same answer that the model replaces with it. */
  readonly corrects: readonly string[]
  /** Facts that the model replaces and that are kept all the same. */
  readonly hindered: readonly Hindered[]
}

export interface Hindered {
  /** In the prompt or in the answer of the model: `k1`, `f1`. */
  readonly label: string
  /** The message is in doubt, there is no such fact, or only another person may end it. */
  readonly why: 'unsure' | 'unknown' | 'author'
}

/**
 * In the order of the messages.
 *
 * @param around names of the people who have written there lately, by id
 * @param own names of the bot
 */
export function acceptFacts(
  { facts, people }: Extracted,
  read: readonly Read[],
  known: Known,
  around: Names,
  own: readonly string[],
): readonly Accepted[] {
  const names = new Map([...around, ...people.names])
  const accepted: Accepted[] = []
  const found = facts.map((found, at) => ({ at: Number(digits(found.message)) - 1, label: `f${at + 1}`, found }))
  for (const { at, label, found: one } of found.toSorted((one, other) => one.at - other.at)) {
    const source = read[at]
    const fact = source && acceptFact(one, source, people, names, own)
    if (!fact || accepted.length === FACTS) continue
    // Words of doubt can only hinder that a fact is retired. They never retire one, and the reason is in the log.
    const unsure = isUnsure(source.message.text)
    const verdicts = unique(one.replaces.map(plainLabel)).map(label => {
      const shown = label.startsWith('k') ? known.facts.get(digits(label)) : undefined
      const old = shown ?? accepted.find(earlier => earlier.label === label)?.fact
      const why = old === undefined ? 'unknown' : unsure ? 'unsure' : mayReplace(old, source) ? undefined : 'author'
      return { label, id: shown?.id, why } as const
    })
    const followed = verdicts.filter(({ why }) => why === undefined)
    accepted.push({
      ...{ label, fact },
      replaces: followed.flatMap(({ id }) => id ?? []),
      corrects: followed.flatMap(({ id, label }) => (id === undefined ? label : [])),
      hindered: verdicts.flatMap(({ label, why }) => (why === undefined ? [] : { label, why })),
    })
  }
  return accepted
}

function acceptFact(found: FoundFact, read: Read, people: People, names: Names, own: readonly string[]): NewFact | undefined {
  const { message, conversation } = read
  if (message.own || message.author.bot || givesOrders(message.text)) return undefined
  const quote = findQuote(found.quote, message.text, names)
  const content = oneLine(found.content)
  if (quote === undefined || !/[\p{L}\p{N}]/u.test(content) || content.length > LONGEST) return undefined
  if (isInstruction(content, own) || hasInstruction(quote, own)) return undefined

  const about = unique(found.people.flatMap(name => people.find(name) ?? []))
  const open = conversation.visibility === 'public' && !isSensitive(`${content}\n${message.text}`)
  const subject = people.find(found.subject)
  const [validFrom, validTo] = [dayOf(found.validFrom, 0), dayOf(found.validTo, 1)]
  const fields = Object.entries(found.fields ?? {}).map(([name, value]) => [name, oneLine(value)] as const)
  return {
    conversation,
    content,
    kind: found.kind,
    people: unique([...about, ...(subject === undefined ? [] : [subject])]),
    keywords: words(found.keywords),
    confidence: Math.min(Math.max(found.confidence, 0), isHearsay(found, read, people, names) ? HEARSAY : 1),
    shareable: found.shareable && open,
    sources: [{ message: message.id, author: message.author.id, quote }],
    at: message.at,
    subject: subject ?? oneLine(found.subject).slice(0, NAME),
    relation: oneLine(found.relation),
    value: oneLine(found.value).slice(0, NAME),
    single: found.single,
    ...(validFrom && { validFrom }),
    ...(validTo && { validTo }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  }
}

/**
 * A statement that is about another person than its author, also if the author names himself or herself besides: by its subject, by
 * its people, or by a name in its text.
 */
function isHearsay(
  { subject, people: named, content }: FoundFact,
  { message: { author } }: Read,
  people: People,
  names: Names,
): boolean {
  const isOther = (name: string) => people.find(name) !== author.id
  const others = [...names].flatMap(([id, name]) => (id === author.id ? [] : name))
  return named.some(isOther) || (people.find(subject) !== undefined && isOther(subject)) || namesOneOf(content, others)
}

/** A statement about oneself, a durable fact, and a request to remember can be replaced only by its own author. */
function mayReplace(
  { people = [], sources = [], kind, pinned = false }: Pick<NewFact, 'people' | 'sources' | 'kind' | 'pinned'>,
  { message: { author } }: Read,
): boolean {
  if (sources.some(source => source.author === author.id) || people.includes(author.id)) return true
  const lasts = kind === 'durable' || kind === 'preference'
  return !pinned && !(lasts && sources.some(source => people.includes(source.author)))
}

/** The beginning of a day, or of the day after: "until Friday" ends with Friday. Undefined for another text. */
function dayOf(text: string, after: 0 | 1): Date | undefined {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text.trim()) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00`)
  return Number.isNaN(at) ? undefined : new Date(at + after * DAY)
}

/**
 * By the id of the person.
 *
 * @param own names of the bot
 */
export function acceptProfiles({ profiles, people }: Extracted, own: readonly string[]): ReadonlyMap<string, ProfileNote> {
  return new Map(
    profiles.flatMap(found => {
      const person = people.speaker(found.name)
      const note = noteOf(found, own)
      return person === undefined || Object.keys(note).length === 0 ? [] : [[person, note] as const]
    }),
  )
}

function noteOf({ tags, personality, lastConversation }: FoundProfile, own: readonly string[]): ProfileNote {
  const told = (text: string) => {
    const line = oneLine(text)
    return line === '' || line.length > NOTE || isSensitive(line) || isInstruction(line, own) ? undefined : line
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

/** Models write `[k3]` and `3` for the label of a known fact, `[f3]` for one of their answer. */
function plainLabel(label: string): string {
  return `${/^\W*f/i.test(label) ? 'f' : 'k'}${digits(label)}`
}

/** Models write `[3]`, `m3` and `3` for the same label. */
function digits(label: string): string {
  return /\d+/.exec(label)?.[0] ?? ''
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
