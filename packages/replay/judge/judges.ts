/** A scripted replacement of the judge model that knows the answer, or ignores it. */
import { type BotConfig, definePlugin, estimateTokens, type Plugin, service } from 'kikimimi'
import { mapPlugins } from '../map-plugins.ts'

/**
 * `oracle`: yes to a batch with a message that the member really answered, for that message. `noisy`: the oracle with errors: it misses
 * {@link MISSES} of those batches and accepts {@link FALSE_ALARMS} of the others.
 */
export const JUDGES = ['oracle', 'always', 'never', 'noisy'] as const

export type JudgeKind = (typeof JUDGES)[number]

export const MISSES = 0.25
export const FALSE_ALARMS = 0.1

/** The range of scores for which it is asked. */
export interface Band {
  readonly low: number
  readonly high: number
}

/** The service that tells judge-rules that another plugin decides within a band. */
const Judge = service<Band>('judge')

/** The size of a judge's prompt: this many of the last messages, and instructions. And the tokens of a verdict. */
const READS = 15
const INSTRUCTIONS = 400
export const VERDICT = 40

export interface ScriptedJudge extends Band {
  readonly kind: JudgeKind
  /** True: asked for every batch, addressed or not. No plugin decides before it. */
  readonly alone: boolean
  isGold(message: string): boolean
  /** Receives the estimated tokens that a model would have used. */
  asked(inputTokens: number, outputTokens: number): void
}

/** The bot with a scripted judge instead of its own. */
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
      const knows = kind === 'oracle' || kind === 'noisy'
      ctx.provide(Judge, { low, high })
      return {
        decide({ addressed, history, messages }) {
          if (addressed && !alone) return undefined
          const read = history.slice(-READS).map(({ author, text }) => `${author.name}: ${text}`)
          asked(INSTRUCTIONS + estimateTokens(read.join('\n')), VERDICT)
          const gold = messages.findLast(({ id }) => isGold(id))
          const misled = kind === 'noisy' && ctx.random() < (gold ? MISSES : FALSE_ALARMS)
          const yes = kind === 'always' || (kind !== 'never' && (gold !== undefined) !== misled)
          const why = `the ${kind} judge says ${yes ? 'yes' : 'no'}`
          return { kind: yes ? 'full' : 'silent', why, ...(knows && gold && { message: gold.id }) }
        },
      }
    },
  })()
