/** Options that have no effect because of the preset, of the points of a rule, or of a judge. */
import type { Configured } from 'kikimimi'
import { type Options, RULES } from './options.ts'

/** The options that one rule alone reads. */
const READ_BY = { keywords: 'keyword', knownTopics: 'topic', cooldown: 'cooldown', unasked: 'enough' } as const

export function unused(options: Options, bot: Configured): Readonly<Record<string, string>> {
  const { preset, diversity, points } = options
  const rules = new Set<string>(RULES[preset].map(({ name }) => name))
  const why = `preset "${preset}" does not read it`
  const others = Object.keys(points).filter(name => !rules.has(name))
  const form = diversity ? formByJudge(options, bot) : undefined
  const reaction = noReaction(options, bot)
  return {
    ...Object.fromEntries(
      Object.entries(READ_BY).flatMap(([option, rule]): [string, string][] => {
        if (!rules.has(rule)) return [[option, why]]
        return points[rule] === 0 ? [[option, `points.${rule} is 0`]] : []
      }),
    ),
    ...(preset !== 'classic' && !diversity && { engagement: `${why} without diversity` }),
    ...Object.fromEntries(others.map(name => [`points.${name}`, `preset "${preset}" has no rule "${name}"`])),
    ...(form !== undefined && { diversity: form }),
    ...(reaction !== undefined && { reactFrom: reaction }),
  }
}

/** Only the points of the preset `attention` can be sure enough to speak without the judge. */
function formByJudge({ preset }: Options, bot: Configured): string | undefined {
  const judge = bot.optionsOf('judge-llm')
  const choosesForm = Array.isArray(judge?.styles) && judge.styles.join() !== 'full'
  return choosesForm && preset !== 'attention' ? 'judge-llm chooses the form, by its option styles' : undefined
}

function noReaction({ reactFrom, threshold }: Options, bot: Configured): string | undefined {
  if (reactFrom === undefined) return undefined
  const low = bot.optionsOf('judge-llm')?.low
  if (typeof low === 'number') return reactFrom > low ? `judge-llm decides above ${low} points` : undefined
  return reactFrom >= threshold ? `the bot answers from the threshold of ${threshold} points on` : undefined
}
