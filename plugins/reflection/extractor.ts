/** Asks the model for facts and notes. */
import { formatDetails, type Locale, languageOf, type PluginContext, safeLine, safeName, transcript } from 'kikimimi'
import { z } from 'zod'
import type { Read } from './batch.ts'
import { formatKnown, type Known } from './known.ts'
import { type People, peopleOf } from './people.ts'
import { texts } from './texts.ts'

const found = z.object({
  content: z.string().describe('One sentence that can be understood alone, with the names of the people it is about.'),
  kind: z.enum(['durable', 'preference', 'current', 'event']).describe('How long it holds.'),
  people: z.array(z.string()).describe('The names of the people it is about, as the messages show them.'),
  keywords: z.array(z.string()).describe('Up to five words for a search.'),
  confidence: z.number().describe('How certain it is, from 0 to 1.'),
  shareable: z.boolean().describe('Whether it may be mentioned unasked.'),
  message: z.string().describe('The number of the message that states it.'),
  quote: z.string().describe('The words of that message that state it, copied exactly.'),
  replaces: z.array(z.string()).describe('The labels of the known facts that no longer hold because of it, such as k3.'),
})

const profile = z.object({
  name: z.string().describe('The name, as the messages show it.'),
  tags: z.array(z.string()).describe('Up to five, a word or two each: what the person likes, does, knows about.'),
  personality: z.string().describe('The personality, in a sentence; empty if unknown.'),
  lastConversation: z.string().describe('The topic of the person’s messages here, in a sentence.'),
})

const factsOnly = z.object({ facts: z.array(found) })
const factsAndProfiles = factsOnly.extend({ profiles: z.array(profile) })

export type FoundFact = z.output<typeof found>
export type FoundProfile = z.output<typeof profile>

export interface Extracted {
  readonly facts: readonly FoundFact[]
  readonly profiles: readonly FoundProfile[]
  readonly people: People
}

/** The returned function rejects if the model fails. The label of a message is its number in the batch, from 1 on. */
export function createExtractor({ models, persona, locale: fallback, prompt }: PluginContext) {
  return async (
    read: readonly Read[],
    known: Known,
    { profiles, signal }: { readonly profiles: boolean; readonly signal: AbortSignal },
  ): Promise<Extracted> => {
    const locale = languageOf(
      read.map(({ message }) => message),
      fallback,
    )
    const say = texts(locale)
    const people = peopleOf(read, persona.names, say('someone'))
    const values = {
      place: placeName(read, locale),
      // Tags are those of one thread.
      about: formatDetails({ ...read.find(({ conversation }) => conversation.details)?.conversation.details, tags: [] }, locale),
      known: formatKnown(known) || say('none'),
      messages: byConversation(read, people, locale),
    }
    const rules = { name: persona.name, profiles: profiles ? prompt('profiles', {}, locale) : '' }
    const request = {
      system: prompt('reflection.system', rules, locale),
      messages: [{ role: 'user' as const, text: prompt('reflection.user', values, locale) }],
      signal,
    }
    if (!profiles) return { ...(await models.object('reflection', factsOnly, request)), profiles: [], people }
    return { ...(await models.object('reflection', factsAndProfiles, request)), people }
  }
}

function placeName([first]: readonly Read[], locale: Locale): string {
  if (!first || first.conversation.visibility === 'direct') return texts(locale)('direct')
  return `#${safeName(first.conversation.name)}`
}

/** The messages by thread, and those at the top level. */
function byConversation(read: readonly Read[], { names }: People, locale: Locale): string {
  const labels = new Map(read.map(({ message }, at) => [message.id, String(at + 1)]))
  const labelled = read.map(({ message: { replyTo = '', ...message }, shown, parts, conversation }, at) => {
    const answered = labels.get(replyTo)
    return {
      conversation,
      message: {
        ...message,
        id: String(at + 1),
        // A message of an earlier batch is not shown as a target.
        ...(answered !== undefined && { replyTo: answered }),
        text: shown,
        parts,
        author: { ...message.author, name: names.get(message.author.id) ?? message.author.name },
      },
    }
  })
  const quoted = labelled.map(({ message }) => message)
  const say = texts(locale)
  return [...Map.groupBy(labelled, ({ conversation }) => conversation.thread)]
    .map(([thread, inThread]) => {
      const { threadName = thread, root = '' } = inThread.at(-1)?.conversation.details ?? {}
      const heading = thread === undefined ? say('topLevel') : say('thread', { name: safeLine(threadName ?? thread) })
      const messages = inThread.map(({ message }) => message)
      return `### ${heading}\n\n${transcript(messages, { locale, ids: true, quoted, root: labels.get(root) })}`
    })
    .join('\n\n')
}
