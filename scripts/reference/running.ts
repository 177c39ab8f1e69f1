/** Reads what only a running bot has: the chat commands of its plugins, and its metrics. */
import { DiscordVoice } from '@kikimimi/discord'
import {
  type ChatCommand,
  definePlugin,
  type Plugin,
  type PluginContext,
  type PluginDefinition,
  startBot,
  systemClock,
} from 'kikimimi'
import { ChatCommands, type Platform } from 'kikimimi/platform'
import { createLogger } from '../../core/base/log.ts'
import { createMetrics } from '../../core/features/http/metrics.ts'
import { createMemoryJobs } from '../../core/storage/jobs/memory.ts'

const log = createLogger({ level: 'error', format: 'lines', write: line => process.stderr.write(line), clock: systemClock })

const platform: Platform = {
  name: 'terminal',
  me: { id: '', name: 'kiki' },
  limits: { textLength: 2_000 },
  send: async () => ({ id: '' }),
}

/** Voice channels without people, for the plugin that needs them. */
const voice: DiscordVoice = {
  listen: () => ({ [Symbol.dispose]() {} }),
  adapter: () => undefined,
  rooms: () => [],
  roomOf: () => undefined,
  hear: async () => undefined,
}

/** Without platforms, which need tokens. */
export async function chatCommands(definitions: readonly PluginDefinition[]): Promise<readonly ChatCommand[]> {
  const { promise: given, resolve } = Promise.withResolvers<PluginContext>()
  const reader = definePlugin({
    name: 'reader',
    provides: [DiscordVoice],
    setup(ctx) {
      ctx.provide(DiscordVoice, voice)
      resolve(ctx)
    },
  })
  const plugins = definitions
    .filter(({ name }) => !['discord', 'slack', 'terminal', 'chroma'].includes(name))
    .map((definition): Plugin => ({ definition, options: undefined }))
  await using _bot = await startBot(
    { persona: { name: 'kiki' }, database: 'memory', plugins: [...plugins, reader] },
    { log, env: {}, platforms: [platform], idle: true },
  )
  // The list of a stopped bot is empty.
  return [...((await given).use(ChatCommands, 'optional')?.all ?? [])]
}

export interface Metric {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

/** The bot's own metrics, after one event of each counted kind. */
export async function metrics(): Promise<Metric[]> {
  const counted = createMetrics()
  const jobs = createMemoryJobs({ clock: systemClock, log, concurrency: 1 })
  const platforms = new Map([['terminal', platform]])
  const turns = { state: jobs.state, waiting: async () => [] }
  const followers = async () => [{ name: 'reflection', waiting: 0, again: 0, failing: 0 }]
  counted.watch({ jobs, turns, platforms, clock: systemClock, waitingSince: () => undefined, followers, health: () => [] })
  counted.message('terminal', true)
  counted.shed('terminal', 'talk', true)
  counted.readLater('terminal')
  counted.dropped({ platform: 'terminal', at: new Date(0), why: '' })
  counted.turn('terminal', {
    turn: '',
    conversation: '',
    at: new Date(0),
    messages: [],
    trigger: '',
    decision: { kind: 'full', why: '' },
    sections: [],
    models: [],
    sent: [],
    outcome: 'replied',
    problems: [{ plugin: 'reply', stage: 'respond', message: '' }],
    ms: { score: 1 },
  })
  counted.modelCall({ role: 'chat', model: 'offline', inputTokens: 1, outputTokens: 1, ms: 1, attempts: 1 })
  const text = await counted.text()
  return Array.from(text.matchAll(/^# HELP (kikimimi_\w+) (.*)\n# TYPE \w+ (\w+)\n(?:\w+\{(.*)\})?/gm), found => {
    const [, name = '', help = '', type = '', labels = ''] = found
    return {
      name,
      type,
      help,
      labels: Array.from(labels.matchAll(/(\w+)="/g), ([, label = '']) => label).filter(one => one !== 'le'),
    }
  })
}
