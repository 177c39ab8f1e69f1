import { cleanReply } from '@kikimimi/reply/clean'
import {
  type Context,
  conversationValues,
  formatSections,
  KikimimiError,
  languageOf,
  type Message,
  type PluginContext,
  type Turn,
  transcript,
} from 'kikimimi'
import type { Past } from './interventions.ts'
import { transcriptOf } from './talks.ts'

/** Output tokens of one intervention. */
const ANSWER_TOKENS = 500

/** Returns the function that writes an intervention. It throws if the model writes no text that can be sent. */
export function createAnswer(ctx: PluginContext) {
  return async (turn: Turn, talk: readonly Message[], past: readonly Past[], { sections }: Context) => {
    const { me, persona, signal } = turn
    const locale = languageOf(talk, ctx.bot.locale)
    const shown = new Set(talk.map(({ id }) => id))
    const said = past
      .filter(({ sent }) => !sent.some(id => shown.has(id)))
      .map(one => asMessage(one, { ...me, name: persona.name }))
    const values = {
      ...conversationValues(turn, { locale, length: 1, now: new Date(ctx.clock.now()) }),
      sections: formatSections(sections, locale),
      said:
        said.length > 0
          ? ctx.prompt('said', { transcript: transcript(said, { locale, timeZone: persona.timeZone }) }, locale)
          : '',
      transcript: transcriptOf(talk, turn, locale),
    }
    const written = await ctx.models.text('chat', {
      system: ctx.prompt('answer.system', { persona: persona.prompt }, locale),
      messages: [{ role: 'user', text: ctx.prompt('answer.user', values, locale) }],
      maxTokens: ANSWER_TOKENS,
      signal,
    })
    const text = cleanReply(written, [...persona.names, me.name])
    if (text === '') throw new KikimimiError('MODEL_UNREADABLE', 'The model wrote no text that can be sent.')
    return text
  }
}

function asMessage({ turn, at, answer }: Past, me: Turn['me']): Message {
  return { id: turn, author: me, text: answer, at, mentions: [], attachments: [], own: true }
}
