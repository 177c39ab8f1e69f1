/** What the bot writes without a call: about its own promise, and about an event. */
import {
  type Conversation,
  channelOf,
  formatTime,
  KikimimiError,
  languageOf,
  type MessageSource,
  type PluginContext,
  safeLine,
  safeName,
  transcript,
} from 'kikimimi'

export interface Composed {
  readonly text: string
  /** What the model has read. */
  readonly sources: readonly MessageSource[]
}

export interface Occasion {
  readonly prompt: 'follow-up' | 'event'
  /** Who was promised something, or the name of the event. */
  readonly name: string
  readonly content: string
}

/** Messages of the conversation that the model reads. */
const READ = 30
const MAX_TOKENS = 400

/** Returns the function that writes. It resolves with nothing when no model can. */
export function createCompose(ctx: Pick<PluginContext, 'bot' | 'clock' | 'history' | 'log' | 'models' | 'prompt'>) {
  return async (
    conversation: Conversation,
    { prompt, name, content }: Occasion,
    signal?: AbortSignal,
  ): Promise<Composed | undefined> => {
    const history = (await ctx.history(conversation, READ)).filter(({ leftOut }) => !leftOut)
    const locale = languageOf(history, ctx.bot.locale)
    const { timeZone, prompt: persona } = ctx.bot.personaIn(conversation)
    const now = formatTime(new Date(ctx.clock.now()), locale, timeZone)
    const said = transcript(history, { locale, timeZone })
    const values = { name: safeName(name), content: safeLine(content), transcript: said, now }
    try {
      const text = await ctx.models.text('chat', {
        system: ctx.prompt(`${prompt}.system`, { persona }, locale),
        messages: [{ role: 'user', text: ctx.prompt(`${prompt}.user`, values, locale) }],
        maxTokens: MAX_TOKENS,
        conversation,
        ...(signal && { signal }),
      })
      return { text, sources: [{ channel: channelOf(conversation), messages: history.map(({ id }) => id) }] }
    } catch (error) {
      signal?.throwIfAborted()
      const why = error instanceof KikimimiError ? error.code : 'an unexpected error'
      ctx.log.warn(`could not write about ${prompt === 'event' ? 'an event' : 'a promise'}: ${why}`)
      return undefined
    }
  }
}
