/** What is known already of what a batch talks about. */
import type { Fact, FactStore } from '@kikimimi/facts'
import { type Conversation, safeName, safeText } from 'kikimimi'
import type { Read } from './batch.ts'

/** More would not help the model, and cost tokens with every batch. */
const FACTS = 20
const LENGTH = 200

/** What is looked for, in characters: in a hundred messages of chat all is said that leads to a fact. */
const QUERY = 4_000

export interface Known {
  /** By the label that the prompt shows, from 1 on. */
  readonly facts: ReadonlyMap<string, Fact>
  /** What the people in them are called. */
  readonly names: ReadonlyMap<string, string>
}

/** The facts that the readers of the place may read, the ones that have most to do with the batch. */
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

/** Where a whole batch can be read: its messages may stand in several threads of one channel. */
export function placeOf(conversation: Conversation, place: string): Conversation {
  if (conversation.id === place) return conversation
  const { thread, ...channel } = conversation
  return { ...channel, id: place }
}

/** One line for each, quoted as data. */
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
