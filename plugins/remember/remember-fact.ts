/** The tool with which a model stores a request that the rules do not recognise. */
import { type FactStore, isInstruction } from '@kikimimi/facts'
import { KikimimiError, type Message, type Tool, type Turn } from 'kikimimi'
import { z } from 'zod'
import { creditOf } from './hearsay.ts'

const schema = z.object({
  quote: z
    .string()
    .trim()
    .min(2)
    .max(2_000)
    .describe('What to keep: words of the person who asks, or of the message that they reply to, exactly as written.'),
})

/**
 * The tool stores only words of people: an exact quote of the person who asks, or of the message that they reply to.
 * A text of another person can make the model call the tool, but the tool refuses it.
 */
export function rememberFact(facts: FactStore): Tool {
  return {
    name: 'remember_fact',
    description:
      'Keeps something in the long-term memory. Only when the person who speaks to you asks you to remember it; what is merely told is remembered anyway.',
    schema,
    isOrder: true,
    async invoke(input: unknown, { turn }: { turn?: Turn } = {}) {
      if (!turn)
        throw new KikimimiError(
          'ARGUMENT_INVALID',
          'remember_fact works only in a conversation: pass the turn to the model request.',
        )
      const { quote } = schema.parse(input)
      const source = quotable(turn).find(({ text }) => text.includes(quote))
      if (!source) return 'Not kept: nobody who may ask for it has said exactly this. Quote the words of the person who asks.'
      if (isInstruction(quote, [turn.me.name])) return 'Not kept: this is an instruction for your answers, not a fact.'
      await facts.add({
        conversation: turn.conversation,
        content: quote,
        ...creditOf(quote, source, turn.history, turn.me.id),
        sources: [{ message: source.id, author: source.author.id, quote }],
      })
      return 'Kept.'
    },
  }
}

/**
 * Messages that a person who addresses the bot may quote: their own recent ones, latest first, and the one they reply to.
 */
function quotable({ addressed, message, history }: Turn): readonly Message[] {
  if (!addressed) return []
  return history
    .filter(
      ({ own, author, id, leftOut }) =>
        !own && !leftOut && !author.bot && (author.id === message.author.id || id === message.replyTo),
    )
    .toReversed()
}
