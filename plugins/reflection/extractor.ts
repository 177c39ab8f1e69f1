/** Asks the model for facts and notes. */
import {
  type Conversation,
  formatDetails,
  type Locale,
  languageOf,
  type Persona,
  type PluginContext,
  safeLine,
  safeName,
  transcript,
} from 'kikimimi'
import { z } from 'zod'
import type { Read } from './batch.ts'
import { formatKnown, type Known } from './known.ts'
import type { Options } from './options.ts'
import { type People, peopleOf } from './people.ts'
import { texts } from './texts.ts'

const found = z.object({
  content: z.string().describe('One sentence that can be understood alone, with the names of the people it is about.'),
  subject: z.string().default('').describe('Whom or what it is about: a name as the messages show it, or the name of a thing.'),
  relation: z.string().default('').describe('A short English key, such as lives_in, works_at, likes, speaks, date, owner.'),
  value: z.string().default('').describe('What the relation leads to, such as Kyoto.'),
  single: z.boolean().default(false).describe('Whether only one value can be true at a time.'),
  validFrom: z.string().default('').describe('Since when it is true, as YYYY-MM-DD; empty if the message does not say.'),
  validTo: z.string().default('').describe('Until when it is true, as YYYY-MM-DD; empty if the message does not say.'),
  kind: z.enum(['durable', 'preference', 'current', 'event']).describe('How long it holds.'),
  people: z.array(z.string()).describe('The names of the people it is about, as the messages show them.'),
  keywords: z.array(z.string()).describe('Up to five words for a search.'),
  confidence: z.number().describe('How certain it is, from 0 to 1.'),
  shareable: z.boolean().describe('Whether it may be mentioned unasked.'),
  message: z.string().describe('The number of the message that states it.'),
  quote: z.string().describe('The words of that message that state it, copied exactly.'),
  replaces: z
    .array(z.string())
    .describe('The facts that no longer hold because of it: known ones such as k3, earlier ones of this answer such as f1.'),
})

const profile = z.object({
  name: z.string().describe('The name, as the messages show it.'),
  tags: z.array(z.string()).describe('Up to five, a word or two each: what the person likes, does, knows about.'),
  personality: z.string().describe('The personality, in a sentence; empty if unknown.'),
  lastConversation: z.string().describe('The topic of the person’s messages here, in a sentence.'),
})

export type FoundFact = z.output<typeof found> & {
  /** Values by the option `schema`. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}
export type FoundProfile = z.output<typeof profile>

export interface Extracted {
  readonly facts: readonly FoundFact[]
  readonly profiles: readonly FoundProfile[]
  readonly people: People
}

export interface ExtractOptions extends Pick<Options, 'instructions' | 'schema'> {
  /** Where the first message was written. */
  readonly conversation: Conversation
  /** The bot there. */
  readonly persona: Persona
  /** Whether to write notes on people too. */
  readonly profiles: boolean
  readonly signal: AbortSignal
}

/** The returned function rejects if the model fails. The label of a message is its number in the batch, from 1 on. */
export function createExtractor({ models, bot, prompt }: PluginContext) {
  return async (
    read: readonly Read[],
    known: Known,
    { conversation, persona, profiles, instructions, schema, signal }: ExtractOptions,
  ): Promise<Extracted> => {
    const locale = languageOf(
      read.map(({ message }) => message),
      bot.locale,
    )
    const say = texts(locale)
    const people = peopleOf(read, persona.names, say('someone'))
    const values = {
      place: placeName(read, locale),
      // Tags are those of one thread.
      about: formatDetails({ ...read.find(({ conversation }) => conversation.details)?.conversation.details, tags: [] }, locale),
      known: formatKnown(known) || say('none'),
      messages: byConversation(read, people, { locale, timeZone: persona.timeZone }),
    }
    const rules = {
      name: persona.name,
      profiles: profiles ? prompt('profiles', {}, locale) : '',
      instructions: instructions === '' ? '' : prompt('instructions', { instructions }, locale),
    }
    const request = {
      system: prompt('reflection.system', rules, locale),
      messages: [{ role: 'user' as const, text: prompt('reflection.user', values, locale) }],
      conversation,
      signal,
    }
    const facts = factsWith(schema)
    if (!profiles) return { ...(await models.object('reflection', z.object({ facts }), request)), profiles: [], people }
    return { ...(await models.object('reflection', z.object({ facts, profiles: z.array(profile) }), request)), people }
  }
}

/** The schema of the facts, with the fields of the option `schema`. */
function factsWith(schema: Options['schema']): z.ZodType<readonly FoundFact[]> {
  const fields = Object.entries(schema).map(([name, does]) => [name, z.string().default('').describe(does)] as const)
  return z.array(fields.length === 0 ? found : found.extend({ fields: z.object(Object.fromEntries(fields)).optional() }))
}

function placeName([first]: readonly Read[], locale: Locale): string {
  if (!first || first.conversation.visibility === 'direct') return texts(locale)('direct')
  return `#${safeName(first.conversation.name)}`
}

/** The messages by thread, and those at the top level. */
function byConversation(
  read: readonly Read[],
  { names }: People,
  { locale, timeZone }: { readonly locale: Locale; readonly timeZone: string },
): string {
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
      return `### ${heading}\n\n${transcript(messages, { locale, timeZone, ids: true, quoted, root: labels.get(root) })}`
    })
    .join('\n\n')
}
