/** The tool with which a model makes a poll. */
import { createHash } from 'node:crypto'
import { type APIMessage, type REST, type RESTPostAPIChannelMessageJSONBody, Routes } from 'discord.js'
import { KikimimiError, type Tool, type Turn } from 'kikimimi'
import { z } from 'zod'
import type { Calls } from '../rest/calls.ts'
import { channelIn } from './conversations.ts'

/** Limits of Discord. https://discord.com/developers/docs/resources/poll#poll-create-request-object */
const text = (most: number) => z.string().trim().min(1).max(most)
const schema = z.strictObject({
  question: text(300).describe('The question, at most 300 characters.'),
  answers: z
    .array(text(55))
    .min(2)
    .max(10)
    .refine(all => new Set(all).size === all.length, { error: 'expected different answers' })
    .describe('2 to 10 different answers, each at most 55 characters.'),
  hours: z
    .int()
    .min(1)
    .max(32 * 24)
    .default(24)
    .describe('How long people can vote, in hours: 1 to 768 (32 days). Default 24.'),
  several: z.boolean().default(false).describe('Whether a person can choose several answers. Default false.'),
})

/** Characters of a nonce that Discord accepts. */
const NONCE = 25

export interface PollOptions {
  readonly call: Calls
  readonly rest: REST
}

export function pollTool({ call, rest }: PollOptions): Tool {
  return {
    name: 'make_poll',
    description:
      'Posts a poll in this conversation, in which people vote. Call it only when people ask for a poll or a vote. The poll is a message of its own: do not repeat its answers. Its votes are visible with it, and Discord posts the result when it ends.',
    schema,
    offered: ({ conversation }) => conversation.platform === 'discord',

    async invoke(input, { signal, turn }) {
      const wanted = schema.parse(input)
      if (turn?.conversation.platform !== 'discord') {
        throw new KikimimiError('PLATFORM_REFUSED', 'a poll can be made only in a conversation on Discord')
      }
      const channel = channelIn(turn.conversation)
      const body = bodyOf(wanted, turn)
      const posted = call(
        inTime => rest.post(Routes.channelMessages(channel), { body, signal: inTime }) as Promise<APIMessage>,
        signal,
      )
      const { id } = await posted
      return `The poll is posted (message ${id}). It ends in ${wanted.hours} h.`
    },
  }
}

function bodyOf({ question, answers, hours, several }: z.output<typeof schema>, turn: Turn): RESTPostAPIChannelMessageJSONBody {
  // A turn that is repeated after a crash posts no second poll.
  const nonce = createHash('sha256').update(`${turn.message.id}\n${question}`).digest('hex').slice(0, NONCE)
  return {
    nonce,
    enforce_nonce: true,
    poll: {
      question: { text: question },
      answers: answers.map(answer => ({ poll_media: { text: answer } })),
      duration: hours,
      allow_multiselect: several,
    },
  }
}
