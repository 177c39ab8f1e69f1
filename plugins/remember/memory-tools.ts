/** The tools with which a model carries out a request not to remember, to forget or not to listen that the rules do not recognise. */
import { Access, KikimimiError, languageOf, type PluginContext, type Tool, type Turn } from 'kikimimi'
import { z } from 'zod'
import type { Obeyed, Told } from './obey.ts'
import { texts } from './texts.ts'

const MEANS = { last: 'before', this: 'this', next: 'after' } as const

const which = z.object({
  which: z
    .enum(['last', 'this', 'next'])
    .describe(
      '`last`: the message that the person replies to, or their last ones before the request. `this`: the request itself, which contains it. `next`: what they say in the next ten minutes.',
    ),
})

const what = z.object({
  what: z
    .enum(['last_message', 'topic', 'everything'])
    .describe(
      '`last_message`: the message that the person replies to, or their last one before the request. `topic`: what they said about something. `everything` about them.',
    ),
  topic: z.string().trim().min(2).max(200).optional().describe('With `topic`: what it is about, in the words of the person.'),
})

export interface MemoryToolsDeps {
  readonly ctx: Pick<PluginContext, 'bot' | 'use'>
  /** Carries out the order of the turn, and ensures the work that follows the answer. */
  carry(turn: Turn, told: Told): Promise<Obeyed>
  /** Whether the turn carries out an order already: the work that follows its answer is stored once a turn. */
  isCarried(turn: Turn): boolean
}

/** The result of each tool is what was done, so that the model promises nothing else. */
const TRUTH = ' Nothing is done without it, so never say that it was. Its result is what to tell the person.'

/**
 * The tools act for the person who addresses the bot, and only on what that person said. What cannot be undone they do not do: they tell
 * the words that do it.
 */
export function memoryTools({ ctx, carry, isCarried }: MemoryToolsDeps): readonly Tool[] {
  const asked = ({ addressed, message }: Turn) => addressed !== undefined && !message.author.bot
  const say = ({ message, history }: Turn) => texts(languageOf([message], languageOf(history, ctx.bot.locale)))

  /** Carries the order out, once a turn. */
  async function carryOnce(turn: Turn, told: Told): Promise<string> {
    if (isCarried(turn)) return 'Not done: only one thing in an answer. Tell the person to ask for this one again.'
    return (await carry(turn, told)).text
  }

  const tool = <S extends z.ZodType>(
    name: string,
    description: string,
    schema: S,
    run: (turn: Turn, input: z.output<S>) => Promise<string> | string,
  ): Tool => ({
    name,
    description: description + TRUTH,
    schema,
    offered: asked,
    async invoke(input: unknown, { turn }: { turn?: Turn } = {}) {
      if (!turn?.addressed)
        throw new KikimimiError('ARGUMENT_INVALID', `${name} works only in a conversation: pass the turn to the model request.`)
      return run(turn, schema.parse(input))
    },
  })

  return [
    tool(
      'leave_out',
      'Leaves messages out of the memory. Call it when the person who speaks to you asks, in any words, not to keep, note, record or repeat what they say or have just said, or says that it is between you.',
      which,
      (turn, { which: one }) => carryOnce(turn, { kind: 'leave-out', means: MEANS[one] }),
    ),
    tool(
      'forget',
      'Forgets. Call it when the person who speaks to you asks, in any words, to forget or delete something that you know or that they said.',
      what,
      async (turn, { what: one, topic }) => {
        if (one === 'everything') return say(turn)('sayForgetMe')
        const refused = await ctx.use(Access).refusesOrders(turn.conversation, turn.message.author)
        if (refused !== undefined) return `Nothing was forgotten: ${refused}.`
        if (one === 'topic' && topic === undefined) return 'Nothing was forgotten: the argument `topic` is missing.'
        return carryOnce(turn, one === 'last_message' || topic === undefined ? { kind: 'forget' } : { kind: 'forget', topic })
      },
    ),
    tool(
      'stop_listening',
      'The person who speaks to you asks, in any words, not to be listened to, read or recorded any more.',
      z.object({}),
      turn => say(turn)('sayOptOut'),
    ),
  ]
}
