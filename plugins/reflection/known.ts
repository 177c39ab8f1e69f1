/** Finds known facts about the topics of a batch. */
import type { Fact, FactStore } from '@kikimimi/facts'
import { type Conversation, safeName, safeText } from 'kikimimi'
import type { Read } from './batch.ts'

/** Maximum number of known facts. More would not help the model and cost tokens. */
const FACTS = 20
const LENGTH = 200

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
  const facts = found.flatMap(one => (one.kind === 'fact' ? one.fact : []))
  return {
    facts: new Map(facts.map((fact, at) => [String(at + 1), fact])),
    names: new Map(found.flatMap(({ names }) => [...names])),
  }
}

/** A conversation in which the whole batch may be read: its messages may be from several threads. */
export function placeOf(conversation: Conversation, place: string): Conversation {
  if (conversation.id === place) return conversation
  const { thread, ...channel } = conversation
  return { ...channel, id: place }
}

/** One line per fact, quoted as data. */
export function formatKnown({ facts, names }: Known): string {
  return [...facts]
    .map(([label, { content, people, sources }]) => {
      const about = people.length > 0 ? people : [...new Set(sources.map(({ author }) => author))]
      const who = about.map(id => safeName(names.get(id) ?? '')).filter(name => name !== '')
      return `- [k${label}] ${who.length > 0 ? `${who.join(', ')}: ` : ''}“${line(content)}”`
    })
    .join('\n')
}

function line(text: string): string {
  const letters = [
    ...safeText(text)
      .replace(/\s*\n\s*/g, ' / ')
      .replace(/[“”]/g, '"'),
  ]
  return letters.length > LENGTH ? `${letters.slice(0, LENGTH - 1).join('')}…` : letters.join('')
}
