import type { FastifyInstance } from 'fastify'
import { type Conversation, KikimimiError, Operator, type PluginContext, StoredSettings } from 'kikimimi'
import { z } from 'zod'
import { refused, withTypes } from '../server/typed.ts'
import { findChannel, optionsIn, WHO } from './channels.ts'
import { conversation, notFound, type OptionView, optionView } from './views.ts'

const settings = z.object({ settings: z.array(optionView) })
const option = { plugin: z.string().min(1).max(200), option: z.string().min(1).max(200) }
const seen = z
  .union([z.iso.datetime().transform(at => new Date(at)), z.null()])
  .optional()
  .describe('`setAt` of the setting of this channel that the person saw; null: there was none. Absent: changed in any case.')

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
          seen,
        }),
        response: { 200: settings, 404: refused, 409: refused, 422: refused },
      },
    },
    async ({ body }, reply) => {
      const found = await findChannel(ctx, body.conversation)
      if (!found) return reply.code(404).send(notFound)
      const { plugin, option: key, value, seen } = body
      const refusal = await refusalOf(ctx.use(StoredSettings).set({ place: found.id, plugin, key, value, by: WHO, seen }))
      return refusal ? reply.code(refusal.status).send({ message: refusal.message }) : { settings: settingsIn(ctx, found) }
    },
  )

  typed.delete(
    '/api/channel/settings',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Remove the setting of a channel; the value of bot.config.ts applies again',
        querystring: z.object({ conversation, ...option, seen }),
        response: { 200: settings, 404: refused, 409: refused },
      },
    },
    async ({ query: { conversation, plugin, option: key, seen } }, reply) => {
      const found = await findChannel(ctx, conversation)
      if (!found) return reply.code(404).send(notFound)
      const refusal = await refusalOf(ctx.use(StoredSettings).clear({ place: found.id, plugin, key, seen }))
      return refusal ? reply.code(409).send({ message: refusal.message }) : { settings: settingsIn(ctx, found) }
    },
  )
}

/** Why a change was refused. */
async function refusalOf(change: Promise<void>): Promise<{ status: 409 | 422; message: string } | undefined> {
  try {
    await change
    return undefined
  } catch (error) {
    const status = error instanceof KikimimiError && REFUSALS.get(error.code)
    if (!status) throw error
    return { status, message: error.message }
  }
}

const REFUSALS = new Map<string, 409 | 422>([
  ['OPTIONS_INVALID', 422],
  ['SETTINGS_CHANGED', 409],
])

function settingsIn({ use }: Pick<PluginContext, 'use'>, conversation: Conversation): OptionView[] {
  return optionsIn(use(Operator).explain(conversation))
}
