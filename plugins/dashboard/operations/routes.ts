import { Backups } from '@kikimimi/backup/service'
import type { FastifyInstance } from 'fastify'
import { Operator, type PluginContext } from 'kikimimi'
import { Alerts } from 'kikimimi/host'
import { z } from 'zod'
import { queue } from '../health/work.ts'
import { logLine } from '../history/views.ts'
import { refused, withTypes } from '../server/typed.ts'
import { lineView } from './follow-log.ts'
import { type BackupsView, backupsView, jobsView } from './views.ts'

const noBackups = { message: 'No plugin makes backups. Add backup() to bot.config.ts.' }

/** The log, backups and jobs. */
export function operationsRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'use' | 'log'>): void {
  const typed = withTypes(server)
  const operator = ctx.use(Operator)
  /** Of the backup that was asked for last. */
  let isMaking = false
  let failure: string | undefined

  async function backups(): Promise<BackupsView> {
    const plugin = ctx.use(Backups, 'optional')
    if (!plugin) return { backups: [], making: false }
    const { where } = plugin
    try {
      const all = await plugin.list()
      return {
        ...{ where, making: isMaking },
        backups: all.map(({ name, at, bytes }) => ({ name, bytes, at: at.toISOString() })),
        ...(failure !== undefined && { why: failure }),
      }
    } catch (error) {
      return { where, backups: [], making: isMaking, why: messageOf(error) }
    }
  }

  typed.get(
    '/api/operations/log',
    {
      config: { role: 'owner' },
      schema: {
        summary: 'The latest lines of the log of this process, oldest first: 500 of each level',
        response: { 200: z.object({ lines: z.array(logLine) }) },
      },
    },
    () => ({ lines: operator.log.recent().map(lineView) }),
  )

  typed.get(
    '/api/operations/backups',
    { config: { role: 'owner' }, schema: { summary: 'The backups that can be restored', response: { 200: backupsView } } },
    backups,
  )

  typed.post(
    '/api/operations/backups',
    {
      config: { role: 'owner' },
      schema: {
        summary: 'Make a backup now. It goes on after the answer; the list says when it ends',
        response: { 202: z.object({}), 404: refused },
      },
    },
    async (_request, reply) => {
      const plugin = ctx.use(Backups, 'optional')
      if (!plugin) return reply.code(404).send(noBackups)
      isMaking = true
      failure = undefined
      plugin
        .make()
        .catch(error => {
          failure = messageOf(error)
          ctx.log.error('a backup that was asked for on the page failed', { error })
        })
        .finally(() => {
          isMaking = false
        })
      return reply.code(202).send({})
    },
  )

  typed.post(
    '/api/operations/alerts/test',
    {
      config: { role: 'owner' },
      schema: {
        summary: 'Send a test to the webhook and to each channel of alerts',
        response: {
          200: z.object({ told: z.array(z.object({ target: z.string(), problem: z.string().optional() })).readonly() }),
        },
      },
    },
    async () => ({ told: await ctx.use(Alerts).test() }),
  )

  typed.get(
    '/api/operations/jobs',
    {
      config: { role: 'owner' },
      schema: { summary: 'The job queue, and jobs and turns that failed in every attempt', response: { 200: jobsView } },
    },
    async () => ({
      queue: await queue(operator),
      letters: (await operator.deadLetters()).map(({ failedAt, ...letter }) => ({ ...letter, failedAt: failedAt.toISOString() })),
    }),
  )

  typed.post(
    '/api/operations/jobs/replay',
    {
      config: { role: 'owner' },
      bodyLimit: 8_192,
      schema: {
        summary: 'Put a job or a turn that failed in every attempt back into its queue, with all attempts',
        body: z.strictObject({ kind: z.string().min(1).max(200), id: z.string().min(1).max(2_000) }),
        response: { 200: z.object({}), 409: refused },
      },
    },
    async ({ body }, reply) => {
      if (await operator.replayDeadLetter(body)) return {}
      return reply.code(409).send({ message: 'It is in the queue already, or a newer job of its key waits.' })
    },
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
