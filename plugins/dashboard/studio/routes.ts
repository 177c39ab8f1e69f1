/** Reads and changes bot.settings.json. Moderators see it, owners change it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Database, KikimimiError, type PluginContext } from 'kikimimi'
import { BotSettings, type SettingsChange } from 'kikimimi/host'
import { z } from 'zod'
import { isNamed } from '../history/names.ts'
import type { Guard } from '../server/access.ts'
import { refused, withTypes } from '../server/typed.ts'
import { entries, entry, keepEntry } from './history.ts'
import { inviteRoutes } from './invite-routes.ts'
import { change, historyView, kind, placeName, settable, studioView } from './views.ts'

/** Entries of the history, and channels, at a time. */
const SHOWN = 50
const SUGGESTED = 20

const ITSELF =
  'This page is part of it: turned off here, it could not be turned on here again. Change the plugins in bot.config.ts.'
const UNKNOWN = { message: 'There is no such change.' }

export interface StudioParts extends Pick<Guard, 'whoIs'> {}

type StudioContext = Pick<PluginContext, 'db' | 'clock' | 'log' | 'use'>

export function studioRoutes(server: FastifyInstance, ctx: StudioContext, { whoIs }: StudioParts): void {
  inviteRoutes(server, ctx)
  const typed = withTypes(server)
  const settings = () => ctx.use(BotSettings)
  const nameOf = (request: FastifyRequest) => whoIs(request)?.account ?? ''
  const mayChange = (request: FastifyRequest) => (whoIs(request)?.role ?? 'owner') === 'owner'

  async function view(request: FastifyRequest) {
    const { plugins, ...state } = await settings().state()
    return {
      ...state,
      mayChange: mayChange(request),
      plugins: plugins.map(plugin => ({ ...plugin, ...(plugin.name === 'dashboard' && { fixed: ITSELF }) })),
    }
  }

  /** Makes the changes, and keeps them in the history. */
  async function make(request: FastifyRequest, version: string, changes: readonly SettingsChange[], undoes?: number) {
    if (changes.some(({ path, value }) => path.join('.') === 'plugins.dashboard.enabled' && value === false)) {
      throw new KikimimiError('CONFIG_INVALID', ITSELF)
    }
    const applied = await settings().change(version, changes)
    const kept = keepEntry(ctx, { account: nameOf(request), changes: applied, ...(undoes !== undefined && { undoes }) })
    // The change is made: it does not fail because the history is not kept.
    await kept.catch(error => ctx.log.warn('a change of bot.settings.json could not be kept in its history', { error }))
  }

  async function answered(request: FastifyRequest, reply: FastifyReply, run: () => Promise<unknown>) {
    try {
      await run()
      return await view(request)
    } catch (error) {
      if (!(error instanceof KikimimiError)) throw error
      return reply.code(error.code === 'SETTINGS_CHANGED' ? 409 : 422).send({ message: error.message })
    }
  }

  typed.get(
    '/api/studio',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'What bot.settings.json may hold: values, sources, and why a value cannot be set',
        response: { 200: studioView },
      },
    },
    async request => view(request),
  )

  typed.get(
    '/api/studio/places',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Places with options in bot.settings.json, and channels of that name',
        querystring: z.object({ text: z.string().max(1_000).default('') }),
        response: {
          200: z.object({
            set: z.array(z.object({ kind, name: z.string() })),
            all: z.number().describe('Number of all places in the file.'),
            channels: z.array(z.string()).describe('Names of channels, 20 at most.'),
          }),
        },
      },
    },
    async ({ query }) => {
      const { found, all } = await settings().places(query.text)
      return { set: [...found], all, channels: await channelsNamed(ctx.db, query.text) }
    },
  )

  typed.get(
    '/api/studio/place',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'The options that can differ, in one place',
        querystring: z.object({ kind, name: placeName }),
        response: { 200: z.object({ options: z.array(settable) }) },
      },
    },
    async ({ query }) => ({ options: [...(await settings().inPlace(query.kind, query.name))] }),
  )

  typed.post(
    '/api/studio',
    {
      config: { role: 'owner' },
      bodyLimit: 1_048_576,
      schema: {
        summary: 'Change bot.settings.json; the changes are checked and applied first',
        body: z.strictObject({
          version: z.string().max(100).describe('Of the content that the person saw.'),
          changes: z.array(change).min(1).max(1_000),
        }),
        response: { 200: studioView, 409: refused, 422: refused },
      },
    },
    (request, reply) => answered(request, reply, () => make(request, request.body.version, request.body.changes)),
  )

  typed.get(
    '/api/studio/history',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Changes of bot.settings.json, the latest first',
        querystring: z.object({ before: z.coerce.number().int().optional() }),
        response: { 200: z.object({ entries: z.array(historyView), more: z.boolean() }) },
      },
    },
    async ({ query }) => {
      const found = await entries(ctx.db, query.before, SHOWN + 1)
      return { entries: found.slice(0, SHOWN), more: found.length > SHOWN }
    },
  )

  typed.post(
    '/api/studio/undo',
    {
      config: { role: 'owner' },
      bodyLimit: 1_024,
      schema: {
        summary: 'Take a change of bot.settings.json back, unless its values have changed since',
        body: z.strictObject({ id: z.int().min(1) }),
        response: { 200: studioView, 404: refused, 409: refused, 422: refused },
      },
    },
    async (request, reply) => {
      const found = await entry(ctx.db, request.body.id)
      if (!found) return reply.code(404).send(UNKNOWN)
      return answered(request, reply, async () => {
        const { version = '' } = await settings().state()
        const back = found.changes.toReversed().map(({ path, before, after }) => ({
          path,
          ...(before !== undefined && { value: before }),
          was: after === undefined ? {} : { value: after },
        }))
        await make(request, version, back, found.id)
      })
    },
  )
}

async function channelsNamed(db: Database, text: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct name from kikimimi_v1.conversation
     where thread is null and visibility <> 'direct' and name <> '' and ${isNamed('name', '$1')}
     order by name limit $2`,
    [text, SUGGESTED],
  )
  return rows.map(({ name }) => name)
}
