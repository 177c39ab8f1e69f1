import type { FastifyInstance } from 'fastify'
import { withTimeout } from 'kikimimi'
import { withTypes } from '../server/typed.ts'
import { type HealthApp, health } from './health.ts'
import type { Measuring } from './measure.ts'
import { healthView, measurement } from './views.ts'

/** Milliseconds. A query without a response must not block later ones. */
const DEADLINE = 10_000
const late = () => new Error(`the health of the bot could not be read within ${DEADLINE / 1_000} s`)

export interface HealthParts {
  readonly measuring: Measuring
}

export function healthRoutes(server: FastifyInstance, ctx: HealthApp, { measuring }: HealthParts): void {
  const typed = withTypes(server)
  let reading: ReturnType<typeof health> | undefined

  /** Pages that ask at the same time share the result. */
  async function read() {
    reading ??= withTimeout({ clock: ctx.clock, ms: DEADLINE, late }, () => health(ctx)).finally(() => {
      reading = undefined
    })
    return reading
  }

  typed.get(
    '/api/health',
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'Health of the bot; models, response times and problems of the last 24 hours',
        response: { 200: healthView },
      },
    },
    async () => ({ ...(await read()), ...(measuring.last && { measured: measuring.last }) }),
  )

  typed.post(
    '/api/health/measure',
    {
      config: { role: 'owner' },
      schema: {
        summary: 'Measure the speed of this machine; takes some seconds while the bot works',
        response: { 200: measurement },
      },
    },
    () => measuring.measure(),
  )
}
