/** Messages that were missed while the bot was offline, as a service for platforms. */
import { definePlugin, MissedMessages, type Plugin } from '../../api/index.ts'

export function catchUpFeature(missed: MissedMessages): Plugin {
  return definePlugin({
    name: 'kikimimi-catch-up',
    provides: [MissedMessages],
    setup: ctx => ctx.provide(MissedMessages, missed),
  })()
}
