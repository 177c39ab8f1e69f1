import { cleanReply } from '@kikimimi/reply/clean'
import {
  type Context,
  formatSections,
  KikimimiError,
  languageOf,
  type Message,
  type PluginContext,
  safeName,
  type Turn,
  transcript,
} from 'kikimimi'
import type { Past } from './interventions.ts'

/** Output tokens of one intervention. */
const ANSWER_TOKENS = 500

/** Returns the function that writes an intervention. It throws if the model writes no text that can be sent. */
export function createAnswer(ctx: PluginContext) {
  const { persona } = ctx

  return async ({ conversation, me, signal }: Turn, talk: readonly Message[], past: readonly Past[], { sections }: Context) => {
    const locale = languageOf(talk, ctx.locale)
    const said = past.map(one => asMessage(one, me))
    const values = {
      persona: persona.prompt,
      sections: formatSections(sections, locale),
      said: said.length > 0 ? ctx.prompt('said', { transcript: transcript(said, { locale }) }, locale) : '',
      channel: `#${safeName(conversation.name)}`,
      transcript: transcript(talk, { locale }),
    }
    const written = await ctx.models.text('chat', {
      // Empty sections leave no blank lines.
      system: ctx
        .prompt('answer', values, locale)
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      messages: [{ role: 'user', text: transcript(talk.slice(-1), { locale }) }],
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
