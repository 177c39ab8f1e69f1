/** Shows the decisions of the bot in the browser, and has a chat room to test it. */
import { Erasure, MessageLog, Operator, StoredSettings } from 'kikimimi'
import { Alerts, BotSettings } from 'kikimimi/host'
import { ChatCommands, definePlatform } from 'kikimimi/platform'
import { z } from 'zod'
import { accountsCommand } from './cli.ts'
import { ratedCommand } from './evaluation/cli.ts'
import { forgetRatings, sweepRatings } from './evaluation/ratings.ts'
import { createMeasuring } from './health/measure.ts'
import { createDrops } from './live/drops.ts'
import { createHeard } from './live/heard.ts'
import { createTurnFeed } from './live/turn-feed.ts'
import { followLog } from './operations/follow-log.ts'
import { createPanels, Panels } from './panels/panels.ts'
import { createPlayground } from './playground/playground.ts'
import { guardOthers } from './server/access.ts'
import { createFeed } from './server/feed.ts'
import { createLogins } from './server/logins.ts'

export type { PanelSection } from './history/views.ts'
export { type Panel, type PanelList, Panels } from './panels/panels.ts'

const options = z
  .strictObject({
    password: z
      .string()
      .default(() => process.env.DASHBOARD_PASSWORD ?? '')
      .refine(password => password === '' || password.length >= 12, { error: 'expected 12 characters or more' })
      .describe(
        'Password of the page, which shows everything. Required if other machines can reach the page. Default: `DASHBOARD_PASSWORD`.',
      )
      .meta({ environment: 'DASHBOARD_PASSWORD' }),
  })
  .prefault({})

export default definePlatform({
  name: 'dashboard',
  options,
  needs: [Alerts, BotSettings, ChatCommands, Erasure, MessageLog, Operator, StoredSettings],
  provides: [Panels],
  migrations: new URL('./migrations/', import.meta.url),
  cli: [accountsCommand, ratedCommand],
  servesHttp: () => true,
  setup: (ctx, { password }) => {
    // Created here, because a reload of other plugins creates the routes again. Sessions must survive that.
    const logins = password === '' ? undefined : createLogins(password, ctx)
    const sessions = logins?.sessions
    const feed = ctx.scope.use(createFeed(ctx.clock, sessions))
    const panels = createPanels()
    ctx.provide(Panels, panels)
    const playground = createPlayground(ctx, {
      feed,
      // Without a password the page ends with the other platforms, because it has no `/quit`. With one, it keeps the bot
      // running.
      companion: password === '',
    })
    /** Once, when all platforms are connected: the page answers from then on. */
    let hasOpened = false
    function opened(): void {
      if (hasOpened) return
      hasOpened = true
      const { host, port } = ctx.use(Operator).http
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
      if (process.stderr.isTTY) process.stderr.write(`Playground: ${url}\n`)
      else ctx.log.info('the page is open', { url })
    }

    const leaving = new AbortController()
    ctx.scope.defer(() => leaving.abort())
    const heard = createHeard(ctx, feed, leaving.signal)
    const turnFeed = createTurnFeed(ctx, feed, leaving.signal)
    const drops = createDrops(ctx, feed, leaving.signal)
    const measuring = createMeasuring(ctx, leaving.signal)
    followLog(ctx, feed, leaving.signal)
    ctx.every('ratings', '1d', () => sweepRatings(ctx.db))

    return {
      platform: playground.platform,
      // Loaded on use, because it takes 7 MB.
      async routes(server) {
        const { serve } = await import('./serve.ts')
        await serve(server, ctx, { logins, playground, feed, turnFeed, drops, panels, measuring })
        server.addHook('onReady', async () => opened())
      },

      guard: guardOthers(sessions),

      filter: message => {
        if (message.conversation.platform !== playground.platform.name) heard(message)
      },

      onDropped: drops.hear,
      after: (_turn, trace) => turnFeed.done(trace.turn),

      forget: person => forgetRatings(ctx.db, person),
    }
  },
})
