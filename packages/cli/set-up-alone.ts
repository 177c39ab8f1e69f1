/** Sets the plugins of a bot up in memory, beside the bot, to see what they do. It connects to nothing: the data can be in use. */
import { type Bot, type Logger, startBot } from 'kikimimi'
import { needsDatabase, type Plan } from 'kikimimi/host'
import { definePlatform } from 'kikimimi/platform'

export interface SetUpAloneDeps {
  readonly log: Logger
  readonly env: NodeJS.ProcessEnv
}

/** The plugins with their hooks. */
export type SetUp = ReturnType<Bot['running']>

/** @throws what a start throws before it connects, except PLATFORM_MISSING */
export async function setUpAlone({ config, project, order }: Plan, deps: SetUpAloneDeps): Promise<SetUp> {
  const database = order.some(needsDatabase) ? 'memory' : false
  const options = { ...deps, idle: true, ...(project && { project }) }
  await using bot = await startBot({ ...config, database, plugins: [...config.plugins, nowhere] }, options)
  return bot.running()
}

/** A bot needs a platform. */
const nowhere = definePlatform({
  name: 'nowhere',
  setup: () => ({
    platform: {
      ...{ name: 'nowhere', me: { id: 'nowhere', name: 'nowhere' }, limits: { textLength: 2_000 } },
      send: async () => ({ id: '' }),
      react: async () => {},
    },
  }),
})
