/** Asks the model for summaries. */
import {
  type Conversation,
  conversationParts,
  formatDetails,
  type Locale,
  type LoggedMessage,
  languageOf,
  type PluginContext,
  safeLine,
  safeName,
  safeText,
  transcript,
} from 'kikimimi'
import { z } from 'zod'
import type { PlacedMemory } from '../storage/memories.ts'
import { texts } from '../texts.ts'
import { shortened } from './batch.ts'
import { limit } from './limit.ts'
import type { UpdateSettings } from './settings.ts'

/** Maximum number of topics and their length: a model may exceed the requested size. */
const TOPICS = 5

const notes = z.object({
  summary: z.string().trim().min(1).describe('What people talked about, in chronological order.'),
  mood: z.string().describe('The tone of the conversation, in a few words.'),
  topics: z.array(z.string()).describe('Up to five words for the topics.'),
})

const told = z.object({
  memory: z.string().trim().min(1).describe('What is worth remembering, in chronological order.'),
})

export interface Writer {
  /** Recent events of a channel or thread: the previous ones, and the new messages. */
  recent(
    memory: PlacedMemory,
    read: readonly LoggedMessage[],
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly mood: string; readonly topics: readonly string[] }>
  /** Recent events of a workspace: the previous ones, and the new events in its channels. */
  workspace(memory: PlacedMemory, channels: readonly { name: string; text: string }[], signal: AbortSignal): Promise<string>
  /** The history, merged with recent events. */
  history(memory: PlacedMemory, signal: AbortSignal): Promise<string>
}

export function createWriter(
  ctx: PluginContext,
  { recentTokens, historyTokens }: Pick<UpdateSettings, 'recentTokens' | 'historyTokens'>,
): Writer {
  /** The language of the conversation. */
  const localeOf = (texts: readonly string[]) =>
    languageOf(
      texts.map(text => ({ text, own: false })),
      ctx.bot.locale,
    )

  const request = (
    name: string,
    locale: Locale,
    { tokens, ...values }: Readonly<Record<string, string>> & { readonly tokens: string },
    signal: AbortSignal,
    memory: PlacedMemory,
  ) => ({
    ...(memory.kind !== 'workspace' && { conversation: conversationOf(memory) }),
    system: ctx.prompt(`${name}.system`, { name: ctx.bot.personaIn(conversationOf(memory)).name, tokens }, locale),
    messages: [{ role: 'user' as const, text: ctx.prompt(`${name}.user`, values, locale) }],
    signal,
  })

  const orNone = (text: string, locale: Locale) => safeText(text) || texts(locale)('none')

  return {
    async recent(memory, read, signal) {
      const locale = languageOf(read, ctx.bot.locale)
      const values = {
        ...placeOf(memory, locale),
        notes: orNone(memory.recent, locale),
        messages: byConversation(read, locale, ctx.bot.personaIn(conversationOf(memory)).timeZone),
        tokens: String(recentTokens),
      }
      const { summary, mood, topics } = await ctx.models.object(
        'summary',
        notes,
        request('summary', locale, values, signal, memory),
      )
      return {
        text: kept(summary, recentTokens),
        mood: storable(mood).trim(),
        topics: topics
          .map(topic => safeName(storable(topic)))
          .filter(topic => topic !== '')
          .slice(0, TOPICS),
      }
    },

    async workspace(memory, channels, signal) {
      const locale = localeOf(channels.map(({ text }) => text))
      const values = {
        notes: orNone(memory.recent, locale),
        channels: channels.map(({ name, text }) => `### #${safeName(name)}\n\n${safeText(text)}`).join('\n\n'),
        tokens: String(recentTokens),
      }
      const { memory: text } = await ctx.models.object('summary', told, request('workspace', locale, values, signal, memory))
      return kept(text, recentTokens)
    },

    async history(memory, signal) {
      const locale = localeOf([memory.history, memory.recent])
      const values = {
        ...placeOf(memory, locale),
        history: orNone(memory.history, locale),
        recent: orNone(memory.recent, locale),
        tokens: String(historyTokens),
      }
      const { memory: text } = await ctx.models.object('summary', told, request('history', locale, values, signal, memory))
      return kept(text, historyTokens)
    },
  }
}

/** Where a memory is from. A workspace is a place without a channel. */
function conversationOf({ id, name, visibility }: PlacedMemory): Conversation {
  return { id, ...conversationParts(id), name, visibility }
}

function kept(text: string, tokens: number): string {
  return limit(storable(text), tokens)
}

/** The text without characters that a database cannot store. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** The name of the place of a memory, and what is known of it. */
function placeOf({ kind, name, visibility, details }: PlacedMemory, locale: Locale) {
  const about = formatDetails(details ?? {}, locale)
  const say = texts(locale)
  if (kind === 'workspace') return { place: say('place.workspace'), about }
  if (visibility === 'direct') return { place: say('place.direct'), about }
  const channel = `#${safeName(name)}`
  if (kind === 'channel') return { place: channel, about }
  const thread = details?.threadName ? ` (${safeLine(details.threadName)})` : ''
  return { place: say('place.thread', { channel }) + thread, about }
}

/** The messages by thread, and those at the top level. */
function byConversation(read: readonly LoggedMessage[], locale: Locale, timeZone: string): string {
  // A message of an earlier batch is not shown as a target.
  const ids = new Set(read.map(({ id }) => id))
  const quoted = read.map(message => {
    const { replyTo, ...shown } = shortened(message)
    return { ...shown, ...(replyTo !== undefined && ids.has(replyTo) && { replyTo }), in: message.conversation }
  })
  const say = texts(locale)
  return [...Map.groupBy(quoted, one => one.in.thread)]
    .map(([thread, messages]) => {
      const { threadName = thread, root } = messages.at(-1)?.in.details ?? {}
      const heading = thread === undefined ? say('topLevel') : say('thread', { name: safeLine(threadName ?? thread) })
      return `### ${heading}\n\n${transcript(messages, { locale, timeZone, quoted, root })}`
    })
    .join('\n\n')
}
