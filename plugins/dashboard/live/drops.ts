/**
 * Counts of dropped messages, without text and author. In memory, of this process, and limited.
 */
import { randomUUID } from 'node:crypto'
import { type PluginContext, RecentMap, sleep } from 'kikimimi'
import type { Drop } from 'kikimimi/host'
import { placeView } from '../history/turns.ts'
import type { DropView } from '../history/views.ts'
import type { Feed } from '../server/feed.ts'

/** Time in which messages of one place and reason share a line, in milliseconds. */
const TOGETHER = 60_000

/** Milliseconds between two events. */
const GATHER = 1_000

const KEPT = 100

export interface Drops {
  hear(drop: Drop): void
  /** Latest first. */
  readonly recent: readonly DropView[]
}

interface Group {
  readonly begun: number
  view: DropView
}

export function createDrops(ctx: Pick<PluginContext, 'clock' | 'log'>, feed: Feed, signal: AbortSignal): Drops {
  /** Latest last. */
  const groups = new RecentMap<Group>(KEPT)
  const changed = new Set<Group>()
  let telling = false

  async function tell(): Promise<void> {
    while (changed.size > 0) {
      const drops = [...changed].map(({ view }) => view)
      changed.clear()
      feed.tell({ type: 'dropped', drops })
      await sleep(ctx.clock, GATHER, signal)
    }
  }

  return {
    hear(drop) {
      const { platform, conversation, at, plugin, why } = drop
      const key = JSON.stringify([platform, conversation?.id, plugin, why])
      const known = groups.get(key)
      const goesOn = known !== undefined && at.getTime() - known.begun < TOGETHER
      const group: Group = goesOn ? known : { begun: at.getTime(), view: { id: randomUUID(), ...viewOf(drop), count: 0 } }
      group.view = { ...group.view, count: group.view.count + 1, at: at.toISOString() }
      groups.set(key, group)
      if (!feed.watched) return
      changed.add(group)
      if (telling) return
      telling = true
      tell()
        // The bot stops.
        .catch(() => {})
        .finally(() => {
          telling = false
        })
    },

    get recent() {
      return [...groups.values()].map(({ view }) => view).reverse()
    },
  }
}

function viewOf({ platform, conversation, at, plugin, why }: Drop): Omit<DropView, 'id' | 'count'> {
  return {
    platform,
    ...(conversation && { place: placeView(conversation) }),
    ...(plugin !== undefined && { plugin }),
    why,
    at: at.toISOString(),
  }
}
