import type { FastifyInstance } from 'fastify'
import { type PluginContext, withTimeout } from 'kikimimi'
import { z } from 'zod'
import { section } from '../history/views.ts'
import { refused, withTypes } from '../server/typed.ts'
import type { createPanels } from './panels.ts'

/** Milliseconds. A panel that takes longer shows an error. */
const PANEL_DEADLINE = 10_000

export interface PanelParts {
  /** Panels of other plugins. */
  readonly panels: ReturnType<typeof createPanels>
}

export function panelRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'bot' | 'clock'>, { panels }: PanelParts): void {
  const typed = withTypes(server)

  typed.get(
    '/api/bot',
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'Name of the bot, and the panels of plugins',
        response: {
          200: z.object({
            name: z.string(),
            locale: z.string(),
            panels: z.array(z.object({ id: z.string(), title: z.string() })),
          }),
        },
      },
    },
    () => ({
      name: ctx.bot.name,
      locale: ctx.bot.locale,
      panels: [...panels.all.values()].map(({ id, title }) => ({ id, title })),
    }),
  )

  typed.get(
    '/api/panels/:id',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Content of a panel of a plugin',
        params: z.object({ id: z.string().max(100) }),
        response: { 200: z.object({ sections: z.array(section) }), 404: refused },
      },
    },
    async ({ params: { id } }, reply) => {
      const panel = panels.all.get(id)
      if (!panel) return reply.code(404).send({ message: 'There is no such panel.' })
      const late = () => new Error(`the panel "${id}" took more than ${PANEL_DEADLINE / 1_000} s`)
      const read = async (signal: AbortSignal) => panel.read(signal)
      return { sections: [...(await withTimeout({ clock: ctx.clock, ms: PANEL_DEADLINE, late }, read))] }
    },
  )
}
