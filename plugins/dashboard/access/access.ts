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
        ...{ session: id, since: begunAt.toISOString(), lastUsed: usedAt.toISOString(), address, browser },
      })),
    },
    {
      title: 'changes',
      rows: changes.map(({ at, what, about, session, address }) => ({
        ...{ when: at.toISOString(), what, subject: aboutOf(about), session, address },
      })),
    },
  ]
}

function aboutOf(about: Readonly<Record<string, unknown>>): string {
  return Object.entries(about)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
