/**
 * The pages of the dashboard, in the order of its menu. A page is a folder here with its routes, and a folder of the same
 * name
 * in `page/` with its `page.js`. A page of texts and tables has `read` and no folder in `page/`. Its title is the word of
 * its
 * name in `page/languages/`.
 */
import type { FastifyInstance } from 'fastify'
import type { PluginContext } from 'kikimimi'
import { readAccess } from './access/access.ts'
import { channelsRoutes } from './channels/routes.ts'
import { type HealthParts, healthRoutes } from './health/routes.ts'
import type { PanelSection } from './history/views.ts'
import { type LiveParts, liveRoutes } from './live/routes.ts'
import { memoryRoutes } from './memory/routes.ts'
import { type PlaygroundParts, playgroundRoutes } from './playground/routes.ts'
import { tuningRoutes } from './tuning/routes.ts'

/** Objects for the routes, besides the context. They live as long as the plugin. */
export type PageParts = LiveParts & PlaygroundParts & HealthParts

export interface DashboardPage {
  /** Lower-case words with hyphens. */
  readonly name: string
  routes?(server: FastifyInstance, ctx: PluginContext, parts: PageParts): void
  /** Titles, texts and columns that are words of `page/languages/` are shown in the language of the page. */
  read?(ctx: PluginContext): Promise<readonly PanelSection[]>
}

export const pages: readonly DashboardPage[] = [
  { name: 'playground', routes: playgroundRoutes },
  { name: 'live', routes: liveRoutes },
  { name: 'memory', routes: memoryRoutes },
  { name: 'channels', routes: channelsRoutes },
  { name: 'tuning', routes: tuningRoutes },
  { name: 'health', routes: healthRoutes },
  { name: 'access', read: readAccess },
  { name: 'reference' },
]
