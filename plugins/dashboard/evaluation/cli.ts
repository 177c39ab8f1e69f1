/** `kikimimi rated`: the rated turns as an evaluation set. `kikimimi eval rated` runs it and writes its reports. */
import { parseArgs } from 'node:util'
import { type Change, Evaluations, parseSetting } from '@kikimimi/replay'
import { toText } from '@kikimimi/replay/eval'
import { type CliCommand, KikimimiError } from 'kikimimi'
import { ratings } from './ratings.ts'

const USAGE = 'Write: kikimimi rated [--budget TOKENS] [--set PLUGIN.OPTION=VALUE or persona.prompt=TEXT]'

export const ratedCommand: CliCommand = {
  name: 'rated',
  usage: [
    {
      call: 'rated --budget TOKENS',
      does: 'take the rated turns again, with at most so many tokens; with --set, also a changed bot',
    },
  ],

  async run(ctx, args, out) {
    const { budget, set } = optionsIn(args)
    const evaluations = ctx.use(Evaluations, 'optional')
    if (!evaluations) throw new KikimimiError('USAGE', 'replay() is not in bot.config.ts: add it, and turns can be taken again.')
    const all = await ratings(ctx.db)
    if (all.length === 0) throw new KikimimiError('USAGE', 'No turn is rated. Rate turns on the dashboard first.')
    const evaluation = await evaluations.evaluate({
      turns: all.map(expected => ({ turn: expected.turn, expected })),
      changes: set.length === 0 ? [{}] : [{}, changeOf(set)],
      budget,
    })
    out.print(out.json ? JSON.stringify(evaluation) : toText(evaluation))
  },
}

function optionsIn(args: readonly string[]): { readonly budget: number; readonly set: readonly string[] } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { budget: { type: 'string' }, set: { type: 'string', multiple: true } },
    })
    const budget = values.budget === undefined ? Number.MAX_SAFE_INTEGER : Number(values.budget)
    if (!Number.isSafeInteger(budget) || budget < 1) throw new KikimimiError('USAGE', USAGE)
    return { budget, set: values.set ?? [] }
  } catch (error) {
    throw new KikimimiError('USAGE', USAGE, { cause: error })
  }
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
