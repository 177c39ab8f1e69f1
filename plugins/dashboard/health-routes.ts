import type { FastifyInstance } from 'fastify'
import type { App } from 'kikimimi'
import { health } from './health.ts'
import { withTypes } from './typed.ts'
import { healthView } from './views.ts'

export function healthRoutes(server: FastifyInstance, app: Pick<App, 'db' | 'clock' | 'platforms'>): void {
  const typed = withTypes(server)

  typed.get(
    '/api/health',
    { schema: { summary: 'Whether all is well; models and problems of the last day', response: { 200: healthView } } },
    () => health(app),
  )
}
