import type { FastifyInstance } from 'fastify'
import { type Conversation, KikimimiError, Operator, type PluginContext, StoredSettings } from 'kikimimi'
import { z } from 'zod'
import { refused, withTypes } from '../server/typed.ts'
import { findChannel, optionsIn, WHO } from './channels.ts'
import { conversation, notFound, type OptionView, optionView } from './views.ts'

const settings = z.object({ settings: z.array(optionView) })
const option = { plugin: z.string().min(1).max(200), option: z.string().min(1).max(200) }

/** Reads, sets and resets the options of a channel. */
export function channelSettingsRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'db' | 'use'>): void {
  const typed = withTypes(server)

  typed.get(
    '/api/channel/settings',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Every option of every plugin in a channel, with the source of its value; secrets are hidden',
        querystring: z.object({ conversation }),
        response: { 200: settings, 404: refused },
      },
    },
    async ({ query }, reply) => {
      const found = await findChannel(ctx, query.conversation)
      return found ? { settings: settingsIn(ctx, found) } : reply.code(404).send(notFound)
    },
  )

  typed.put(
    '/api/channel/settings',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: {
        summary: 'Set an option for a channel and its threads',
        body: z.strictObject({
          conversation,
          ...option,
          value: z
            .unknown()
            .refine(value => value !== undefined, 'expected a value')
            .describe('The value as in bot.config.ts.'),
        }),
        response: { 200: settings, 404: refused, 422: refused },
      },
    },
    async ({ body }, reply) => {
      const found = await findChannel(ctx, body.conversation)
      if (!found) return reply.code(404).send(notFound)
      const { plugin, option: key, value } = body
      try {
        await ctx.use(StoredSettings).set({ place: found.id, plugin, key, value, by: WHO })
      } catch (error) {
        if (error instanceof KikimimiError && error.code === 'OPTIONS_INVALID')
          return reply.code(422).send({ message: error.message })
        throw error
      }
      return { settings: settingsIn(ctx, found) }
    },
  )

  typed.delete(
    '/api/channel/settings',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Remove the setting of a channel; the value of bot.config.ts applies again',
        querystring: z.object({ conversation, ...option }),
        response: { 200: settings, 404: refused },
      },
    },
    async ({ query }, reply) => {
      const found = await findChannel(ctx, query.conversation)
      if (!found) return reply.code(404).send(notFound)
      await ctx.use(StoredSettings).clear({ place: found.id, plugin: query.plugin, key: query.option })
      return { settings: settingsIn(ctx, found) }
    },
  )
}

function settingsIn({ use }: Pick<PluginContext, 'use'>, conversation: Conversation): OptionView[] {
  return optionsIn(use(Operator).explain(conversation))
}
