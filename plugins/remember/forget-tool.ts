/** The tool with which a model carries out a request to forget that the rules do not recognise. */
import {
  Access,
  type Conversation,
  KikimimiError,
  languageOf,
  type Message,
  type PluginContext,
  type Tool,
  type Turn,
} from 'kikimimi'
import { z } from 'zod'
import type { Obeyed, Told } from './obey.ts'
import { texts } from './texts.ts'

const schema = z.object({
  what: z
    .enum(['last_message', 'next_messages', 'topic', 'everything', 'listening'])
    .describe(
      '`last_message`: the message that the person replies to, or their last one before the request. `next_messages`: what they say next. ' +
        '`topic`: what they said about something. `everything` about them. `listening`: they do not want to be listened to or recorded.',
    ),
  topic: z.string().trim().min(2).max(200).optional().describe('With `topic`: what it is about, in the words of the person.'),
})

export interface ForgetDeps {
  readonly ctx: Pick<PluginContext, 'bot' | 'use'>
  /** Carries out the order of the turn, and ensures the work that follows the answer. */
  carry(turn: Turn, told: Told): Promise<Obeyed>
  /** Whether the turn carries out an order already: the work that follows its answer is stored once a turn. */
  isCarried(turn: Turn): boolean
  /** Leaves out what the author of the message says next. */
  leaveOutNext(conversation: Conversation, message: Message): Promise<void>
}

/**
 * The tool acts for the person who addresses the bot, and only on what that person said. What cannot be undone it does not do: it tells
 * the words that do it. Its result is what was done, so that the model promises nothing else.
 */
export function forgetTool({ ctx, carry, isCarried, leaveOutNext }: ForgetDeps): Tool {
  return {
    name: 'forget',
    description:
      'Forgets. Call it when the person who speaks to you asks, in any words, to forget, delete, not keep or not record something, or not to be listened to. Nothing is forgotten without it, so never say that it was. Its result is what to tell the person.',
    schema,
    offered: ({ addressed, message }) => addressed !== undefined && !message.author.bot,
    async invoke(input: unknown, { turn }: { turn?: Turn } = {}) {
      if (!turn?.addressed)
        throw new KikimimiError('ARGUMENT_INVALID', 'forget works only in a conversation: pass the turn to the model request.')
      const { what, topic } = schema.parse(input)
      const { conversation, message, history } = turn
      const say = texts(languageOf([message], languageOf(history, ctx.bot.locale)))
      if (what === 'everything') return say('sayForgetMe')
      if (what === 'listening') return say('sayOptOut')
      if (what === 'next_messages') {
        await leaveOutNext(conversation, message)
        return say('leftOutAhead')
      }
      const refused = await ctx.use(Access).refusesOrders(conversation, message.author)
      if (refused !== undefined) return `Nothing was forgotten: ${refused}.`
      if (isCarried(turn)) return 'Not forgotten: only one thing in an answer. Tell the person to ask for this one again.'
      if (what === 'last_message') return (await carry(turn, { kind: 'forget' })).text
      if (topic === undefined) return 'Nothing was forgotten: the argument `topic` is missing.'
      return (await carry(turn, { kind: 'forget', topic })).text
    },
  }
}
