/** The state of the bot for operators, from all its parts. */
import { channelOf, definePlugin, Operator, type Plugin } from '../api/index.ts'
import type { SettingTable } from '../features/options/table.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'
import { BotInternals } from './bot-internals.ts'

export interface OperatorOptions extends Pick<Operator, 'http' | 'spending' | 'queue' | 'upcoming'> {
  readonly host: PluginHost
  readonly table: SettingTable
  /** The secrets of the environment. They are never shown. */
  readonly secrets: readonly string[]
  readonly platforms: ReadonlyMap<string, Operator['platforms'][number]>
  breakers(): Operator['breakers']
  plan: BotInternals['plan']
}

export function createOperator(options: OperatorOptions): Operator {
  const { host, table, secrets, platforms, http, spending, queue, upcoming, plan } = options
  return {
    get plugins() {
      return plan().order.map(({ definition }) => definition)
    },
    get breakers() {
      return options.breakers()
    },
    get platforms() {
      return [...platforms.values()]
    },
    http,
    spending,
    queue,
    upcoming,
    explain(conversation) {
      const place = channelOf(conversation)
      return host.running
        .filter(({ plugin }) => !plugin.name.startsWith('kikimimi-'))
        .flatMap(({ plugin }) => plugin.optionsFor.explain(conversation, table.in(place, plugin.name), secrets))
    },
  }
}

export function operatorFeature(operator: Operator, internals: BotInternals): Plugin {
  return definePlugin({
    name: 'kikimimi-operator',
    provides: [Operator, BotInternals],
    setup(ctx) {
      ctx.provide(Operator, operator)
      ctx.provide(BotInternals, internals)
    },
  })()
}
