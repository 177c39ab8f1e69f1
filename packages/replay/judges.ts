/** Stands where a model that judges would stand, and knows the answer, or does not. */
import { type BotConfig, definePlugin, estimateTokens, type Plugin, service } from 'kikimimi'
import { mapPlugins } from './map-plugins.ts'

/**
 * `oracle`: yes to a batch that holds a message which the member really answered. `noisy`: the oracle, misled in
 * {@link MISSES} of those batches and in {@link FALSE_ALARMS} of the others.
 */
export const JUDGES = ['oracle', 'always', 'never', 'noisy'] as const

export type JudgeKind = (typeof JUDGES)[number]

export const MISSES = 0.25
export const FALSE_ALARMS = 0.1

/** The score between which it is asked. */
export interface Band {
  readonly low: number
  readonly high: number
}

/** The service by which judge-rules knows that somebody else decides within a band. */
const Judge = service<Band>('judge')

/** What a model that judges reads: so many of the last messages, and instructions. */
const READS = 15
const INSTRUCTIONS = 400
const VERDICT = 40

export interface ScriptedJudge extends Band {
  readonly kind: JudgeKind
  /** Asked for every batch, addressed to the bot or not: nobody decides before it. */
  readonly alone: boolean
  isGold(message: string): boolean
  /** Told what a model would have cost, estimated. */
  asked(inputTokens: number, outputTokens: number): void
}

/** The bot with a scripted judge in the place of its own, if it has one. */
export function withJudge(config: BotConfig, judge: ScriptedJudge): BotConfig {
  const scripted = scriptedJudge(judge)
  let placed = false
  const plugins = mapPlugins(config.plugins, plugin => {
    if (!plugin.definition.provides?.some(({ name }) => name === Judge.name)) return plugin
    placed = true
    return scripted
  })
  return { ...config, plugins: placed ? plugins : [...plugins, scripted] }
}

const scriptedJudge = ({ kind, alone, low, high, isGold, asked }: ScriptedJudge): Plugin =>
  definePlugin({
    name: 'scripted-judge',
    provides: [Judge],
    setup(ctx) {
      ctx.provide(Judge, { low, high })
      return {
        decide({ addressed, history, messages }) {
          if (addressed && !alone) return undefined
          const read = history.slice(-READS).map(({ author, text }) => `${author.name}: ${text}`)
          asked(INSTRUCTIONS + estimateTokens(read.join('\n')), VERDICT)
          const gold = messages.some(({ id }) => isGold(id))
          const misled = kind === 'noisy' && ctx.random() < (gold ? MISSES : FALSE_ALARMS)
          const yes = kind === 'always' || (kind !== 'never' && gold !== misled)
          return { kind: yes ? 'full' : 'silent', why: `the ${kind} judge says ${yes ? 'yes' : 'no'}` }
        },
      }
    },
  })()
