import { formatRecalled } from '@kikimimi/facts/section'
import { cleanReply } from '@kikimimi/reply/clean'
import { type Context, conversationValues, formatSections, languageOf, type PluginContext, type Turn } from 'kikimimi'
import { z } from 'zod'
import type { Found } from './choose.ts'

const remark = z.object({
  remark: z.string().nullable().describe('What you say. null: nothing, for it would not fit.'),
})

/** How much of the conversation the prompt shows. */
const HISTORY = 20

/** Output tokens of one remark. */
const MAX_TOKENS = 300

/** Makes the function that puts a fact into words that fit the talk; nothing when the model would rather not bring it up. */
export function createRemark(ctx: PluginContext) {
  const { persona, clock } = ctx

  return async (turn: Turn, found: Found, { sections }: Context): Promise<string | undefined> => {
    const locale = languageOf(turn.history, ctx.locale)
    const values = {
      persona: persona.prompt,
      // Other facts may be known here, but it is not said that they may be brought up.
      sections: formatSections(
        sections.filter(({ place }) => place !== 'facts'),
        locale,
      ),
      ...conversationValues(turn, locale, HISTORY),
      memory: formatRecalled([found], turn, locale, new Date(clock.now())),
    }
    const { remark: said } = await ctx.models.object('chat', remark, {
      // What is empty leaves no gap.
      system: ctx
        .prompt('remark', values, locale)
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      messages: [],
      maxTokens: MAX_TOKENS,
      signal: turn.signal,
    })
    const text = cleanReply(said ?? '', [...persona.names, turn.me.name])
    return text === '' ? undefined : text
  }
}
