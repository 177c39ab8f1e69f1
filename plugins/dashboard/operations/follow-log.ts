/** Sends new lines of the log to the pages of owners. */
import { Operator, type PluginContext, sleep } from 'kikimimi'
import type { LogLine } from 'kikimimi/host'
import type { LogLineView } from '../history/views.ts'
import type { Feed } from '../server/feed.ts'

/** Milliseconds between two events. */
const GATHER = 500

/** Lines of one event, the latest. */
const TOGETHER = 200

export function followLog(ctx: Pick<PluginContext, 'use' | 'clock' | 'scope'>, feed: Feed, signal: AbortSignal): void {
  let waiting: LogLine[] = []
  const unwatch = ctx.use(Operator).log.watch(line => {
    if (!feed.watched) return
    waiting.push(line)
    if (waiting.length > TOGETHER) waiting.shift()
    if (waiting.length > 1) return
    sleep(ctx.clock, GATHER, signal).then(
      () => {
        const lines = waiting
        waiting = []
        feed.tellOwners({ type: 'log', lines: lines.map(lineView) })
      },
      // The bot stops.
      () => {},
    )
  })
  ctx.scope.defer(unwatch)
}

export function lineView({ at, ...line }: LogLine): LogLineView {
  return { ...line, at: at.toISOString() }
}
