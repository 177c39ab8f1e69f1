/** The state of the bot for operators, from all its parts. */
import { type Conversation, definePlugin, type ExplainedOption, Operator, type Plugin } from '../api/index.ts'
import { BotInternals } from './bot-internals.ts'

type Passed = 'health' | 'warnings' | 'spending' | 'queue' | 'deadLetters' | 'replayDeadLetter' | 'log' | 'upcoming' | 'invite'

export interface OperatorOptions extends Pick<Operator, Passed> {
  /** The options of all plugins, those of the bot itself included. */
  explain(conversation: Conversation): readonly ExplainedOption[]
  readonly platforms: ReadonlyMap<string, Operator['platforms'][number]>
  http(): Operator['http']
  breakers(): Operator['breakers']
  overload(): Operator['overload']
  plan: BotInternals['plan']
}

export function createOperator(options: OperatorOptions): Operator {
  const { platforms, health, warnings, spending, queue, deadLetters, replayDeadLetter, log, upcoming, invite, plan } = options
  return {
    get plugins() {
      return plan().order.map(({ definition }) => definition)
    },
    get breakers() {
      return options.breakers()
    },
    get overload() {
      return options.overload()
    },
    get platforms() {
      return [...platforms.values()]
    },
    get http() {
      return options.http()
    },
    health,
    warnings,
    spending,
    queue,
    deadLetters,
    replayDeadLetter,
    log,
    upcoming,
    invite,
    explain: conversation => options.explain(conversation).filter(({ plugin }) => !plugin.startsWith('kikimimi-')),
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
