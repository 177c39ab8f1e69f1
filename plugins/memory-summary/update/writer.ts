/** Asks the model for summaries. */
import { type Locale, languageOf, type PluginContext, safeName, safeText, transcript } from 'kikimimi'
import { z } from 'zod'
import type { MemoryRow } from '../storage/memories.ts'
import { texts } from '../texts.ts'
import type { Read } from './batch.ts'
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
    memory: MemoryRow,
    read: readonly Read[],
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly mood: string; readonly topics: readonly string[] }>
  /** Recent events of a workspace: the previous ones, and the new events in its channels. */
  workspace(memory: MemoryRow, channels: readonly { name: string; text: string }[], signal: AbortSignal): Promise<string>
  /** The history, merged with recent events. */
  history(memory: MemoryRow, signal: AbortSignal): Promise<string>
}

export function createWriter(
  ctx: PluginContext,
  { recentTokens, historyTokens }: Pick<UpdateSettings, 'recentTokens' | 'historyTokens'>,
): Writer {
  /** The language of the conversation. */
  const localeOf = (texts: readonly string[]) =>
    languageOf(
      texts.map(text => ({ text, own: false })),
      ctx.locale,
    )

  const request = (name: string, locale: Locale, values: Readonly<Record<string, string>>, signal: AbortSignal) => ({
    system: ctx.prompt(name, { name: ctx.persona.name, ...values }, locale),
    messages: [],
    signal,
  })

  const orNone = (text: string, locale: Locale) => safeText(text) || texts(locale)('none')

  return {
    async recent(memory, read, signal) {
      const locale = languageOf(
        read.map(({ message }) => message),
        ctx.locale,
      )
      const values = {
        place: placeName(memory, locale),
        notes: orNone(memory.recent, locale),
        messages: byConversation(read, locale),
        tokens: String(recentTokens),
      }
      const { summary, mood, topics } = await ctx.models.object('summary', notes, request('summary', locale, values, signal))
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
      const { memory: text } = await ctx.models.object('summary', told, request('workspace', locale, values, signal))
      return kept(text, recentTokens)
    },

    async history(memory, signal) {
      const locale = localeOf([memory.history, memory.recent])
      const values = {
        place: placeName(memory, locale),
        history: orNone(memory.history, locale),
        recent: orNone(memory.recent, locale),
        tokens: String(historyTokens),
      }
      const { memory: text } = await ctx.models.object('summary', told, request('history', locale, values, signal))
      return kept(text, historyTokens)
    },
  }
}

function kept(text: string, tokens: number): string {
  return limit(storable(text), tokens)
}

/** The text without characters that a database cannot store. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function placeName({ kind, name, visibility }: MemoryRow, locale: Locale): string {
  const say = texts(locale)
  if (kind === 'workspace') return say('place.workspace')
  if (visibility === 'direct') return say('place.direct')
  const channel = `#${safeName(name)}`
  return kind === 'channel' ? channel : say('place.thread', { channel })
}

/** The messages by thread, and those at the top level. */
function byConversation(read: readonly Read[], locale: Locale): string {
  const threads = Map.groupBy(read, ({ thread }) => thread)
  const say = texts(locale)
  return [...threads]
    .map(([thread, inThread]) => {
      const heading = thread === undefined ? say('topLevel') : safeName(say('thread', { name: thread }))
      return `### ${heading}\n\n${transcript(
        inThread.map(({ message }) => message),
        { locale },
      )}`
    })
    .join('\n\n')
}
