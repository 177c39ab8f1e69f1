/** Who is logged in, and what was changed on the page. */
import type { PluginContext } from 'kikimimi'
import type { PanelSection } from '../history/views.ts'
import { changesIn } from '../server/changes.ts'
import { sessionsIn } from '../server/sessions.ts'

/** Changes on the page. */
const SHOWN = 100

export async function readAccess(ctx: Pick<PluginContext, 'db' | 'clock'>): Promise<readonly PanelSection[]> {
  const [sessions, changes] = await Promise.all([sessionsIn(ctx), changesIn(ctx.db, SHOWN)])
  return [
    {
      title: 'loggedIn',
      rows: sessions.map(({ id, begunAt, usedAt, address, browser }) => ({
        ...{ session: id, since: told(begunAt), lastUsed: told(usedAt), address, browser },
      })),
    },
    {
      title: 'changes',
      rows: changes.map(({ at, what, about, session, address }) => ({
        ...{ when: told(at), what, subject: aboutOf(about), session, address },
      })),
    },
  ]
}

/** `2026-01-05 10:00 UTC`. */
function told(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function aboutOf(about: Readonly<Record<string, unknown>>): string {
  return Object.entries(about)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
