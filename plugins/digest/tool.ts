/** The tool with which a model answers a question about what happened that the rules do not recognise. */
import { KikimimiError, type Tool, type Turn } from 'kikimimi'
import { z } from 'zod'
import { readSpan } from './asked.ts'
import type { Digests } from './digest.ts'

const schema = z.object({
  time: z
    .string()
    .max(60)
    .optional()
    .describe(
      'Which time, such as “yesterday”, “last week”, “since monday”, “yesterday from 3pm to 5pm”, “the last 3 hours”. Leave it out for: since the person last spoke.',
    ),
})

/** It finds what the audience of the model's conversation may read. */
export function whatHappened(digests: Digests): Tool {
  return {
    name: 'what_happened',
    description:
      'Lists what happened in this channel since the person who speaks to you last spoke, or in a time: decisions, open questions, what is meant for the person, and topics, each with its link. Use it when the person asks what they missed. Keep the links in your answer.',
    schema,
    async invoke(input: unknown, { turn, signal = turn?.signal }: { turn?: Turn; signal?: AbortSignal } = {}) {
      if (!turn || !signal)
        throw new KikimimiError(
          'ARGUMENT_INVALID',
          'what_happened works only in a conversation: pass the turn to the model request.',
        )
      const { time } = schema.parse(input)
      const span = time === undefined ? undefined : readSpan(time)
      if (time !== undefined && !span) return `The time “${time}” is not understood. Say it as in the description of the tool.`
      const { text, said } = await digests.forPerson({
        ...{ conversation: turn.conversation, person: turn.message.author, question: turn.message.id },
        ...{ signal, plain: true, ...(span && { span }) },
      })
      turn.sources.push(...said.map(({ channel, id }) => ({ channel, messages: [id] })))
      return text
    },
  }
}
