/** Tells people what they missed, and posts what happened in a channel at times of its choice. */
import { Access, cron, definePlugin, languageOf, MessageLog, Operator, type Turn } from 'kikimimi'
import { z } from 'zod'
import { type Asked, readAsked } from './asked.ts'
import { missedCommand } from './command.ts'
import { createDigests } from './digest.ts'
import { createPosts } from './posts/posts.ts'
import { whatHappened } from './tool.ts'

const options = z
  .strictObject({
    at: cron
      .optional()
      .describe(
        'When the bot posts what happened in a channel since its last digest, as a cron expression: `0 9 * * MON-FRI`. Default: never.',
      ),
  })
  .prefault({})

export type Options = z.output<typeof options>

export default definePlugin({
  name: 'digest',
  options,
  scoped: ['at'],
  needs: [Access, MessageLog, Operator],
  before: ['proactive', 'eavesdrop', 'judge-rules', 'judge-llm', 'reply'],
  migrations: new URL('./migrations/', import.meta.url),
  prompts: new URL('./prompts/', import.meta.url),
  setup: async ctx => {
    const digests = createDigests(ctx)
    const posts = createPosts(ctx, digests)

    function askedIn({ addressed, message, me, persona }: Turn): Asked | undefined {
      if (addressed === undefined || message.refused !== undefined) return undefined
      return readAsked(message.text, [...persona.names, me.name])
    }

    return {
      decide: turn => {
        const asked = askedIn(turn)
        if (!asked) return undefined
        return { kind: 'full', why: `is asked what happened ${asked.span ? 'in a time' : 'since the person last spoke'}` }
      },

      separate: (turn, added) =>
        readAsked(added.text, [...turn.persona.names, turn.me.name]) ? 'asks what happened' : undefined,

      async respond(turn) {
        const asked = askedIn(turn)
        if (!asked) return undefined
        const { conversation, message, signal } = turn
        const { text, said } = await digests.forPerson({
          ...{ ...asked, conversation, signal, turn },
          ...{ person: message.author, question: message.id },
          locale: languageOf([message], languageOf(turn.history, ctx.bot.locale)),
        })
        turn.sources.push(...said.map(({ channel, id }) => ({ channel, messages: [id] })))
        return { kind: 'text', text }
      },

      onRecorded: (message, conversation) => posts.heard(message, conversation),

      commands: [missedCommand(digests)],
      tools: [whatHappened(digests)],
    }
  },
})
