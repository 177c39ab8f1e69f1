/**
 * The pages of the dashboard, in the order of its menu. A page is a folder here with its routes, and a folder of the same
 * name in `page/` with its `page.js`. Its title is the word of its name in `page/languages/`.
 */
import type { FastifyInstance } from 'fastify'
import type { PluginContext } from 'kikimimi'
import { type AccessParts, accessRoutes } from './access/routes.ts'
import { channelsRoutes } from './channels/routes.ts'
import { costsRoutes } from './costs/routes.ts'
import { evaluationRoutes } from './evaluation/routes.ts'
import { type HealthParts, healthRoutes } from './health/routes.ts'
import { type LiveParts, liveRoutes } from './live/routes.ts'
import { memoryRoutes } from './memory/routes.ts'
import { operationsRoutes } from './operations/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { type PlaygroundParts, playgroundRoutes } from './playground/routes.ts'
import type { Role } from './server/roles.ts'
import { type StudioParts, studioRoutes } from './studio/routes.ts'
import { tuningRoutes } from './tuning/routes.ts'
import { turnsRoutes } from './turns/routes.ts'

/** Objects for the routes, besides the context. They live as long as the plugin. */
export type PageParts = LiveParts & PlaygroundParts & HealthParts & AccessParts & StudioParts

export interface DashboardPage {
  /** Lower-case words with hyphens. */
  readonly name: string
  /** Who has it in the menu. Its routes name their roles themselves. */
  readonly role: Role
  routes?(server: FastifyInstance, ctx: PluginContext, parts: PageParts): void
}

export const pages: readonly DashboardPage[] = [
  { name: 'playground', role: 'moderator', routes: playgroundRoutes },
  { name: 'overview', role: 'viewer', routes: overviewRoutes },
  { name: 'live', role: 'moderator', routes: liveRoutes },
  { name: 'turns', role: 'moderator', routes: turnsRoutes },
  { name: 'memory', role: 'moderator', routes: memoryRoutes },
  { name: 'channels', role: 'moderator', routes: channelsRoutes },
  { name: 'tuning', role: 'moderator', routes: tuningRoutes },
  { name: 'evaluation', role: 'moderator', routes: evaluationRoutes },
  { name: 'studio', role: 'moderator', routes: studioRoutes },
  { name: 'costs', role: 'moderator', routes: costsRoutes },
  { name: 'health', role: 'viewer', routes: healthRoutes },
  { name: 'operations', role: 'owner', routes: operationsRoutes },
  { name: 'access', role: 'viewer', routes: accessRoutes },
  { name: 'reference', role: 'viewer' },
]
