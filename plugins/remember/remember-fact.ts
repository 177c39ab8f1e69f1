/** The tool by which a model keeps what somebody asks for in words that the rules do not know. */
import type { FactStore } from '@kikimimi/facts'
import { KikimimiError, type Message, type Tool, type Turn } from 'kikimimi'
import { z } from 'zod'

const schema = z.object({
  quote: z
    .string()
    .trim()
    .min(2)
    .max(2_000)
    .describe('What to keep: words of the person who asks, or of the message that they answer, exactly as they wrote them.'),
})

/**
 * It keeps people's words and nothing else: a quotation of who is asking, or of the message they answer, letter by letter.
 * What others say may tell the model to keep something; it cannot.
 */
export function rememberFact(facts: FactStore): Tool {
  return {
    name: 'remember_fact',
    description:
      'Keeps something in the long-term memory. Only when the person who speaks to you asks you to remember it; what is merely told is remembered anyway.',
    schema,
    async invoke(input: unknown, { turn }: { turn?: Turn } = {}) {
      if (!turn)
        throw new KikimimiError(
          'ARGUMENT_INVALID',
          'remember_fact works only in a conversation: pass the turn to the model request.',
        )
      const { quote } = schema.parse(input)
      const source = quotable(turn).find(({ text }) => text.includes(quote))
      if (!source) return 'Not kept: nobody who may ask for it has said exactly this. Quote the words of the person who asks.'
      await facts.add({
        conversation: turn.conversation,
        content: quote,
        people: [source.author.id],
        confidence: 1,
        pinned: true,
        sources: [{ message: source.id, author: source.author.id, quote }],
      })
      return 'Kept.'
    },
  }
}

/** Of a person who calls the bot: what they said lately, the latest first, and what they answer. */
function quotable({ addressed, message, history }: Turn): readonly Message[] {
  if (!addressed) return []
  return history
    .filter(({ own, author, id }) => !own && !author.bot && (author.id === message.author.id || id === message.replyTo))
    .toReversed()
}
