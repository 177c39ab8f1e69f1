/** What only a bot that runs can tell: the commands of its plugins in the chat, and its metrics. */
import { systemClock } from '../../core/clock.ts'
import {
  type App,
  type ChatCommand,
  definePlugin,
  type Platform,
  type Plugin,
  type PluginDefinition,
  startBot,
} from '../../core/index.ts'
import { createMemoryJobs } from '../../core/jobs/memory.ts'
import { createLogger } from '../../core/log.ts'
import { createMetrics } from '../../core/metrics.ts'

const log = createLogger({ level: 'error', format: 'lines', write: line => process.stderr.write(line), clock: systemClock })

const platform: Platform = {
  name: 'console',
  me: { id: '', name: 'kiki' },
  limits: { textLength: 2_000 },
  send: async () => ({ id: '' }),
}

/** Without those of platforms, which want tokens. */
export async function chatCommands(definitions: readonly PluginDefinition[]): Promise<readonly ChatCommand[]> {
  const { promise: given, resolve } = Promise.withResolvers<App>()
  const reader = definePlugin({ name: 'reader', setup: app => resolve(app) })
  const plugins = definitions
    .filter(({ name }) => !['discord', 'slack', 'console', 'chroma'].includes(name))
    .map((definition): Plugin => ({ definition, options: undefined }))
  await using _bot = await startBot(
    { persona: { name: 'kiki' }, database: 'memory', plugins: [...plugins, reader] },
    { log, env: {}, platforms: [platform], idle: true },
  )
  // The list of a bot that is gone is empty.
  return [...(await given).commands]
}

export interface Metric {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

/** Its own, after one of each thing that is counted. */
export async function metrics(): Promise<Metric[]> {
  const counted = createMetrics()
  const jobs = createMemoryJobs({ clock: systemClock, log, concurrency: { turn: 1, work: 1 } })
  counted.watch({ jobs, platforms: new Map([['console', platform]]) })
  counted.message('console', true)
  counted.dropped({ platform: 'console', at: new Date(0), why: '' })
  counted.turn('console', {
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
