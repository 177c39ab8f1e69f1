import type { FastifyInstance } from 'fastify'
import type { App } from 'kikimimi'
import { z } from 'zod'
import { channel, channels, command } from './channels.ts'
import { withTypes } from './typed.ts'
import { channelView, memoryView } from './views.ts'

const refused = z.object({ message: z.string() })
const nowhere = { message: 'There is no such channel.' }
const quietless = { message: 'quiet() is not in bot.config.ts: add it, and the bot can be told to be quiet.' }
const conversation = z.string().min(1).max(2_000).describe('The id of a channel.')
const locale = z.enum(['en', 'ja']).default('en').describe('The language of the answer.')

/** What somebody may do from the page. */
const ORDERS = ['quiet 1h', 'quiet 8h', 'talk', 'stop', 'start'] as const

export function channelsRoutes(server: FastifyInstance, app: Pick<App, 'db' | 'clock' | 'find' | 'command' | 'commands'>): void {
  const typed = withTypes(server)

  typed.get(
    '/api/channels',
    { schema: { summary: 'Channels, the liveliest first', response: { 200: z.object({ channels: z.array(channelView) }) } } },
    async () => ({ channels: await channels(app) }),
  )

  typed.get(
    '/api/channel',
    {
      schema: {
        summary: 'How the bot stands in a channel, and what it remembers of it',
        querystring: z.object({ conversation, locale }),
        response: { 200: z.object({ status: z.string(), memory: memoryView.optional() }), 404: refused },
      },
    },
    async ({ query }, reply) => (await channel(app, query.conversation, query.locale)) ?? reply.code(404).send(nowhere),
  )

  typed.post(
    '/api/channel/command',
    {
      bodyLimit: 4_096,
      schema: {
        summary: 'Be quiet in a channel, talk again; say nothing at all in its workspace, and go on',
        body: z.strictObject({ conversation, command: z.enum(ORDERS), locale }),
        response: { 200: z.object({ answer: z.string() }), 404: refused },
      },
    },
    async ({ body }, reply) => {
      const [verb] = body.command.split(' ')
      if (!app.commands.some(({ name }) => name === verb)) return reply.code(404).send(quietless)
      const answer = await command(app, body.conversation, body.command, body.locale)
      return answer === undefined ? reply.code(404).send(nowhere) : { answer }
    },
  )
}
