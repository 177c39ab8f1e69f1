import { formatRecalled, sourcesOf } from '@kikimimi/facts/section'
import { cleanReply } from '@kikimimi/reply/clean'
import { type Context, conversationValues, formatSections, languageOf, type PluginContext, type Turn } from 'kikimimi'
import { z } from 'zod'
import type { Found } from './choose.ts'

const remark = z.object({
  remark: z.string().nullable().describe('What you say. null: nothing, because it would not fit.'),
})

/** Number of messages of the conversation in the prompt. */
const HISTORY = 20

/** Output tokens of one remark. */
const MAX_TOKENS = 300

/** Returns the function that phrases a fact for the conversation; it returns undefined if the model declines. */
export function createRemark(ctx: PluginContext) {
  const { clock } = ctx

  return async (turn: Turn, found: Found, { sections }: Context): Promise<string | undefined> => {
    const locale = languageOf(turn.history, ctx.bot.locale)
    const values = {
      // Other facts may be known here, but the bot may not bring them up.
      sections: formatSections(
        sections.filter(({ place }) => place !== 'facts'),
        locale,
      ),
      ...conversationValues(turn, { locale, length: HISTORY, now: new Date(clock.now()) }),
      memory: formatRecalled([found], turn, locale, new Date(clock.now())),
    }
    turn.sources.push(...sourcesOf([found]))
    const { remark: said } = await ctx.models.object('chat', remark, {
      system: ctx.prompt('remark.system', { persona: turn.persona.prompt }, locale),
      messages: [{ role: 'user', text: ctx.prompt('remark.user', values, locale) }],
      maxTokens: MAX_TOKENS,
      signal: turn.signal,
    })
    const text = cleanReply(said ?? '', [...turn.persona.names, turn.me.name])
    return text === '' ? undefined : text
  }
}
