/** Finds known facts about the topics of a batch. */
import type { Fact, FactStore } from '@kikimimi/facts'
import { type Conversation, safeName, safeText } from 'kikimimi'
import type { Read } from './batch.ts'

/** Maximum number of known facts. More would not help the model and cost tokens. */
const FACTS = 20
const LENGTH = 200

/** Number of speakers whose own facts are shown too, and of facts that are examined for each. */
const SPEAKERS = 10
const EACH = 50

/** Characters of the query: enough for a hundred chat messages. */
const QUERY = 4_000

export interface Known {
  /** By the label in the prompt, from 1 on. */
  readonly facts: ReadonlyMap<string, Fact>
  /** Names of the people in the facts. */
  readonly names: ReadonlyMap<string, string>
}

/** The most relevant facts that the audience of the place may read. */
export async function findKnown(
  store: FactStore,
  conversation: Conversation,
  read: readonly Read[],
  signal: AbortSignal,
): Promise<Known> {
  const text = read
    .filter(({ message }) => !message.own && !message.author.bot)
    .map(({ shown }) => shown)
    .join('\n')
    .slice(0, QUERY)
  const found = await store.search({
    conversation,
    text,
    messages: false,
    history: false,
    limit: FACTS,
    signal,
  })
  const related = found.flatMap(one => (one.kind === 'fact' ? one.fact : []))
  const own = await ofSpeakers(store, conversation, read)
  const facts = [...new Map([...related, ...own].map(fact => [fact.id, fact])).values()]
  return { facts: new Map(facts.map((fact, at) => [String(at + 1), fact])), names: await store.names(facts) }
}

/** What can change of the speakers: "I have moved" shares no word with "lives in Osaka". */
async function ofSpeakers(store: FactStore, conversation: Conversation, read: readonly Read[]): Promise<readonly Fact[]> {
  const speakers = [...new Set(read.flatMap(({ message }) => (message.own || message.author.bot ? [] : message.author.id)))]
  const facts = await Promise.all(speakers.slice(0, SPEAKERS).map(person => store.list({ conversation, person, limit: EACH })))
  return facts.flat().filter(({ single, subject }) => single && subject !== undefined && speakers.includes(subject))
}

/** One line per fact, quoted as data. */
export function formatKnown({ facts, names }: Known): string {
  return [...facts]
    .map(([label, { content, people, sources, subject, relation }]) => {
      const about = people.length > 0 ? people : [...new Set(sources.map(({ author }) => author))]
      const who = about.map(id => safeName(names.get(id) ?? '')).filter(name => name !== '')
      const key = subject === undefined ? '' : ` (${line(names.get(subject) ?? subject)} · ${relation})`
      return `- [k${label}] ${who.length > 0 ? `${who.join(', ')}: ` : ''}“${line(content)}”${key}`
    })
    .join('\n')
}

function line(text: string): string {
  const letters = [
    ...safeText(text)
      .replace(/(?<!\s)\s*\n\s*/g, ' / ')
      .replace(/[“”]/g, '"'),
  ]
  return letters.length > LENGTH ? `${letters.slice(0, LENGTH - 1).join('')}…` : letters.join('')
}
