/** Sets the plugins of a bot up in memory, beside the bot, to see what they do. It connects to nothing: the data can be in use. */
import { definePlatform, type Logger, startBot } from 'kikimimi'
import { BotInternals, needsDatabase, type Plan } from 'kikimimi/host'

export interface SetUpAloneDeps {
  readonly log: Logger
  readonly env: NodeJS.ProcessEnv
}

export type SetUp = BotInternals['host']['running']

/** The plugins with their hooks. @throws what a start throws before it connects, except PLATFORM_MISSING */
export async function setUpAlone({ config, project, order }: Plan, deps: SetUpAloneDeps): Promise<SetUp> {
  let internals: BotInternals | undefined
  const looking = definePlatform({
    name: 'looking',
    needs: [BotInternals],
    setup(ctx) {
      internals = ctx.use(BotInternals)
      const platform = { name: 'looking', me: ME, limits: { textLength: 2_000 }, send: async () => ({ id: '' }) }
      return { platform: { ...platform, react: async () => {} } }
    },
  })
  const database = order.some(needsDatabase) ? 'memory' : false
  const options = { ...deps, idle: true, ...(project && { project }) }
  const bot = await startBot({ ...config, database, plugins: [...config.plugins, looking] }, options)
  try {
    return internals?.host.running ?? []
  } finally {
    await bot.stop()
  }
}

const ME = { id: 'looking', name: 'looking' }
