/** Writes the reply: persona, context and tools. */
import { type Context, definePlugin, KikimimiError, type ModelRequest, type Turn } from 'kikimimi'
import { z } from 'zod'
import { cleanReply } from './clean.ts'
import { asked, conversationValues, formatSections } from './prompt.ts'
import { quotes } from './quote.ts'
import { chooseReaction } from './reactions.ts'

/** Enough to say "I see" to. */
const ACK_HISTORY = 10

const options = z
  .strictObject({
    instruction: z.string().default('').describe('A wish of yours, at the end of the prompt.'),
    history: z.int().positive().default(50).describe('How many messages of the conversation the prompt shows.'),
    maxTokens: z.int().positive().default(1_000).describe('Output tokens of an answer at most.'),
    ackTokens: z.int().positive().default(50).describe('Output tokens of a short phrase at most.'),
    reactions: z
      .array(z.string().min(1))
      .nonempty()
      .default(['👀', '😊', '👍', '🤔', '✨', '💡'])
      .describe('The emoji that the bot reacts with.'),
  })
  .prefault({})

export default definePlugin({
  name: 'reply',
  options,
  prompts: new URL('./prompts/', import.meta.url),
  setup: (app, options) => {
    const { locale, persona } = app

    const request = (turn: Turn, prompt: string, values: Readonly<Record<string, string>>): ModelRequest => ({
      // What is empty leaves no gap.
      system: app
        .prompt(prompt, { persona: persona.prompt, ...values })
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      messages: [{ role: 'user', text: asked(turn, locale) }],
      signal: turn.signal,
    })

    const requests = {
      ack: (turn: Turn): ModelRequest => ({
        ...request(turn, 'ack', conversationValues(turn, locale, ACK_HISTORY)),
        maxTokens: options.ackTokens,
      }),
      full: (turn: Turn, { sections }: Context): ModelRequest => ({
        ...request(turn, 'reply', {
          ...conversationValues(turn, locale, options.history),
          sections: formatSections(sections, locale),
          instruction: options.instruction,
        }),
        maxTokens: options.maxTokens,
        tools: app.tools,
      }),
    }

    return {
      respond: async (turn, { kind }, context) => {
        if (kind === 'react') return { kind: 'reaction', emoji: chooseReaction(turn.message.text, options.reactions) }
        const written = await app.models.text('chat', requests[kind](turn, context))
        const text = cleanReply(written, [...persona.names, turn.me.name])
        if (text === '') throw new KikimimiError('MODEL_UNREADABLE', 'The model wrote nothing that can be said.')
        const quoted = quotes(turn.message, await app.history(turn.conversation, options.history))
        return { kind: 'text', text, ...(quoted && { replyTo: turn.message.id }) }
      },
    }
  },
})
