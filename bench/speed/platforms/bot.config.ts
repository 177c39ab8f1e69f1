/** The measured bot, in its own process: `kikimimi start --config bench/speed/platforms/bot.config.ts`. */
import discord from '@kikimimi/discord'
import slack from '@kikimimi/slack'
import { defineBot, type Plugin } from 'kikimimi'
import type { PlatformContext, PlatformHooks } from 'kikimimi/platform'
import config from '../../../bot.config.ts'
import { heapStep } from '../../base/measure.ts'
import { type FromBot, monotonic, type Settings } from './messages.ts'

const { database, discord: toDiscord, slack: toSlack }: Settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')

const tell = (message: FromBot) => void process.send?.(message)

process.on('message', () => {
  const rssMb = Math.round(process.memoryUsage.rss() / 2 ** 20)
  // In KB. Before the collection, which is not part of the bot's work.
  const peakMb = Math.round(process.resourceUsage().maxRSS / 2 ** 10)
  const { user, system } = process.cpuUsage()
  tell({ kind: 'state', rssMb, peakMb, heapMb: heapStep(0).heapMb, cpuMs: (user + system) / 1_000 })
})
// The measuring process is gone, so this one ends.
process.on('disconnect', () => process.exit())

/** Reported together every few milliseconds: a report for each message would be measured too. */
const TOGETHER_MS = 5
let recorded: [id: string, at: number][] = []

function note(id: string): void {
  if (recorded.length === 0) {
    setTimeout(() => {
      tell({ kind: 'recorded', messages: recorded })
      recorded = []
    }, TOGETHER_MS)
  }
  recorded.push([id, monotonic()])
}

/** The unchanged plugin. It records when a message is stored, and when it has connected. */
function observed({ definition, ...plugin }: Plugin): Plugin {
  return {
    ...plugin,
    definition: {
      ...definition,
      async setup(lent, given) {
        const ctx = lent as PlatformContext
        const receive: PlatformContext['receive'] = async (message, how) => {
          await ctx.receive(message, how)
          note(message.id)
        }
        const parts = (await definition.setup(Object.assign(Object.create(ctx), { receive }), given)) as PlatformHooks
        const start = parts.platform?.start?.bind(parts.platform)
        const platform = Object.assign(parts.platform ?? {}, {
          async start(signal: AbortSignal) {
            await start?.(signal)
            tell({ kind: 'ready' })
          },
        })
        return Object.assign(parts, { platform })
      },
    },
  }
}

const PLATFORMS = ['terminal', 'discord', 'slack']

export default defineBot({
  persona: config.persona,
  database,
  models: {},
  plugins: [
    toDiscord && observed(discord(toDiscord)),
    toSlack && observed(slack(toSlack)),
    ...config.plugins.filter(one => one && 'definition' in one && !PLATFORMS.includes(one.definition.name)),
  ],
})
