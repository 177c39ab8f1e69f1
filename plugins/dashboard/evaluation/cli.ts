/** The rated turns as an evaluation set, for `kikimimi eval rated`, which checks the arguments and writes the reports. */
import { parseArgs } from 'node:util'
import { type Change, Evaluations, parseSetting } from '@kikimimi/replay'
import { type CliCommand, KikimimiError } from 'kikimimi'
import { ratings } from './ratings.ts'

export const ratedCommand: CliCommand = {
  name: 'rated',
  usage: [],

  /** Prints the evaluation as JSON. */
  async run(ctx, args, out) {
    const { values } = parseArgs({
      args: [...args],
      options: { budget: { type: 'string' }, set: { type: 'string', multiple: true, default: [] } },
    })
    const evaluations = ctx.use(Evaluations, 'optional')
    if (!evaluations) throw new KikimimiError('USAGE', 'replay() is not in bot.config.ts: add it, and turns can be taken again.')
    const all = await ratings(ctx.db)
    if (all.length === 0) throw new KikimimiError('USAGE', 'No turn is rated. Rate turns on the dashboard first.')
    const evaluation = await evaluations.evaluate({
      turns: all.map(expected => ({ turn: expected.turn, expected })),
      changes: values.set.length === 0 ? [{}] : [{}, changeOf(values.set)],
      budget: Number(values.budget ?? Number.MAX_SAFE_INTEGER),
    })
    out.print(JSON.stringify(evaluation))
  },
}

function changeOf(set: readonly string[]): Change {
  const settings: Record<string, Record<string, unknown>> = {}
  let persona: string | undefined
  for (const setting of set) {
    const { name, keys, value } = parseSetting(setting)
    const option = keys.join('.')
    if (name === 'persona' && option === 'prompt') persona = String(value)
    else settings[name] = { ...settings[name], [option]: value }
  }
  return { settings, ...(persona !== undefined && { persona }) }
}
