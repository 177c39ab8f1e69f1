import { Readable } from 'node:stream'
import { Evaluations } from '@kikimimi/replay'
import type { FastifyInstance } from 'fastify'
import { KikimimiError, type PluginContext } from 'kikimimi'
import { z } from 'zod'
import { turns as turnsOf } from '../history/turns.ts'
import type { PageParts } from '../pages.ts'
import { sendLines } from '../server/lines.ts'
import { refused, withTypes } from '../server/typed.ts'
import { MOST, type Rating, rate, ratings, unrate } from './ratings.ts'
import { evaluationEvent, evaluationRequest, listed, type RatingView, rated, rating } from './views.ts'

const params = z.object({ turn: z.string().min(1).max(100) })

const gone = { message: 'There is no such turn.' }
const noEvaluations = { message: 'replay() is not in bot.config.ts: add it, and turns can be taken again.' }

/** Characters of a message in a list. */
const SHORT = 200

const STATUS: Readonly<Record<string, 404 | 409 | 422>> = { OPTIONS_INVALID: 422, REPLAY_NOTHING: 404, REPLAY_BUSY: 409 }

export function evaluationRoutes(
  server: FastifyInstance,
  ctx: Pick<PluginContext, 'db' | 'log' | 'use' | 'clock'>,
  { whoIs }: Pick<PageParts, 'whoIs'>,
): void {
  const typed = withTypes(server)
  const { db } = ctx
  const ending = new AbortController()
  // A running evaluation would delay the stop.
  server.addHook('preClose', async () => ending.abort())

  typed.get(
    '/api/ratings',
    {
      config: { role: 'moderator' },
      schema: { summary: 'Rated turns, latest first', response: { 200: z.object({ ratings: z.array(listed) }) } },
    },
    async () => {
      const all = await ratings(db)
      const found = await turnsOf(ctx, { turns: all.map(({ turn }) => turn), limit: MOST })
      const views = new Map(found.map(view => [view.trace.turn, view]))
      return {
        ratings: all.flatMap(one => {
          const view = views.get(one.turn)
          const text = view?.messages.find(({ id, deleted }) => id === view.trace.trigger && !deleted)?.text.slice(0, SHORT)
          return view ? [{ ...viewOf(one), place: view.place, ...(text !== undefined && { text }) }] : []
        }),
      }
    },
  )

  typed.get(
    '/api/ratings/:turn',
    {
      config: { role: 'moderator' },
      schema: { summary: 'The rating of a turn', params, response: { 200: z.object({ rating: rating.optional() }) } },
    },
    async ({ params: { turn } }) => {
      const [one] = await ratings(db, turn)
      return one ? { rating: viewOf(one) } : {}
    },
  )

  typed.put(
    '/api/ratings/:turn',
    {
      config: { role: 'moderator' },
      bodyLimit: 16_384,
      schema: {
        summary: 'Rate a turn, and say what the bot should have done',
        params,
        body: rated,
        response: { 200: z.object({ rating }), 404: refused },
      },
    },
    async (request, reply) => {
      const by = whoIs(request)?.account ?? ''
      const one = { turn: request.params.turn, ...request.body, by, at: new Date(ctx.clock.now()) }
      return (await rate(db, one)) ? { rating: viewOf(one) } : reply.code(404).send(gone)
    },
  )

  typed.delete(
    '/api/ratings/:turn',
    { config: { role: 'moderator' }, schema: { summary: 'Delete the rating of a turn', params } },
    async ({ params: { turn } }) => {
      await unrate(db, turn)
      return {}
    },
  )

  typed.get(
    '/api/evaluation',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'The models that can write answers in an evaluation',
        response: { 200: z.object({ models: z.array(z.string()).readonly() }), 404: refused },
      },
    },
    async (_request, reply) => {
      const evaluations = ctx.use(Evaluations, 'optional')
      return evaluations ? { models: evaluations.models } : reply.code(404).send(noEvaluations)
    },
  )

  typed.post(
    '/api/evaluation',
    {
      // It calls models, which cost money.
      config: { role: 'owner' },
      bodyLimit: 65_536,
      schema: {
        summary: 'Take turns again, with the bot of today and with a changed one; nothing is posted; the result is JSON lines',
        body: evaluationRequest,
        response: { 200: z.union([evaluationEvent, z.instanceof(Readable)]), 404: refused, 409: refused, 422: refused },
      },
    },
    async ({ body: { turns, change, budget } }, reply) => {
      const evaluations = ctx.use(Evaluations, 'optional')
      if (!evaluations) return reply.code(404).send(noEvaluations)
      const set = new Map((await ratings(db)).map(one => [one.turn, one]))
      const wanted = (turns ?? [...set.keys()]).map(turn => ({ turn, expected: set.get(turn) }))
      return sendLines({
        ...{ reply, log: ctx.log, ending: ending.signal },
        status: error => (error instanceof KikimimiError ? STATUS[error.code] : undefined),
        run: (signal, progress) =>
          evaluations.evaluate({
            ...{ turns: wanted, changes: [{}, change], budget, signal },
            progress: (done, of) => progress(done / of),
          }),
        event: evaluation => ({ evaluation }),
      })
    },
  )
}

function viewOf({ contains, forbids, at, ...rest }: Rating): RatingView {
  return { ...rest, contains: [...contains], forbids: [...forbids], at: at.toISOString() }
}
