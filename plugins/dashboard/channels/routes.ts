import type { FastifyInstance } from 'fastify'
import type { PluginContext } from 'kikimimi'
import { Operator } from 'kikimimi'
import { LOCALES } from 'kikimimi/host'
import { ChatCommands } from 'kikimimi/platform'
import { z } from 'zod'
import { refused, withTypes } from '../server/typed.ts'
import { channelDetail, upcomingIn } from './channel.ts'
import { channels, findChannel, given, ORDERS, verbOf } from './channels.ts'
import { channelSettingsRoutes } from './settings-routes.ts'
import { channelView, conversation, channelDetail as detailView, notFound, upcomingView } from './views.ts'

const quietless = { message: 'quiet() is not in bot.config.ts: add it, and the bot can be told to be quiet.' }
const over = { message: 'No answer waits there any more.' }
const locale = z.enum(LOCALES).catch('en').describe('Language of the answer. English if the bot does not know it.')

export function channelsRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'db' | 'clock' | 'use'>): void {
  const typed = withTypes(server)
  channelSettingsRoutes(server, ctx)

  typed.get(
    '/api/channels',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Channels, the most active first: those with the newest messages, or those that a text finds',
        querystring: z.object({ text: z.string().trim().max(200).default('') }),
        response: { 200: z.object({ channels: z.array(channelView) }) },
      },
    },
    async ({ query }) => ({ channels: await channels(ctx, query.text) }),
  )

  typed.get(
    '/api/channel',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'State of the bot in a channel, and its memory of the channel',
        querystring: z.object({ conversation, locale }),
        response: { 200: detailView, 404: refused },
      },
    },
    async ({ query }, reply) => {
      const found = await findChannel(ctx, query.conversation)
      return found ? channelDetail(ctx, found, query.locale) : reply.code(404).send(notFound)
    },
  )

  typed.post(
    '/api/channel/command',
    {
      config: { role: 'moderator' },
      bodyLimit: 4_096,
      schema: {
        summary: 'Mute or unmute a channel; stop or start the bot in its workspace',
        body: z.strictObject({ conversation, command: z.enum(ORDERS), locale }),
        response: { 200: z.object({ answer: z.string() }), 404: refused },
      },
    },
    async ({ body }, reply) => {
      if (!ctx.use(ChatCommands).all.some(({ name }) => name === verbOf(body.command))) return reply.code(404).send(quietless)
      const found = await findChannel(ctx, body.conversation)
      const answer = found && (await ctx.use(ChatCommands).run(given(found, body.command, body.locale)))
      return answer === undefined ? reply.code(404).send(notFound) : { answer }
    },
  )

  typed.get(
    '/api/channel/upcoming',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Waiting turns and delayed answers of a channel and its threads',
        querystring: z.object({ conversation }),
        response: {
          200: z.object({ now: z.iso.datetime().describe('Time on the clock of the bot.'), upcoming: z.array(upcomingView) }),
        },
      },
    },
    async ({ query }) => ({
      now: new Date(ctx.clock.now()).toISOString(),
      upcoming: await upcomingIn(ctx, query.conversation),
    }),
  )

  typed.post(
    '/api/channel/upcoming',
    {
      config: { role: 'moderator' },
      bodyLimit: 4_096,
      schema: {
        summary: 'Cancel a delayed answer, or send it now',
        body: z.strictObject({
          conversation: conversation.describe('Id of a channel or a thread.'),
          order: z.enum(['cancel', 'run now']),
        }),
        response: { 200: z.object({}), 404: refused },
      },
    },
    async ({ body }, reply) => {
      const order = body.order === 'cancel' ? ctx.use(Operator).upcoming.cancel : ctx.use(Operator).upcoming.runNow
      return (await order(body.conversation)) ? {} : reply.code(404).send(over)
    },
  )
}
