/**
 * The figures of presets side by side: `npm run bench:boards -- FILE…`. The bot takes the places of the three busiest members of each file,
 * alone and with a perfect judge, at the speed of the files and with the time stretched, as in slower channels. Lines before the first
 * linked one are context. `STRETCHED=1,4` and `PRESETS=attentive,attention` limit it.
 */
import attention from '@kikimimi/attention'
import { loadConfig } from '../../../core/bot/load-config.ts'
import { replay } from '../../../packages/replay/replay.ts'
import { per100 } from '../../../packages/replay/report.ts'
import { metricsOf, type Sums, waitAt } from '../../../packages/replay/scores.ts'
import { withSetting } from '../../../packages/replay/settings.ts'
import { progress } from '../../base/measure.ts'
import { benchLog, linkedLog } from '../../base/talk.ts'

const MEMBERS = 3

const files = process.argv.slice(2)
if (files.length === 0) {
  progress('Which chat logs? npm run bench:boards -- FILE…')
  process.exit(2)
}
const factors = (process.env.STRETCHED ?? '1,4,12').split(',').map(Number)
const presets = (process.env.PRESETS ?? 'classic,attentive,attention').split(',')

const { config, project } = await loadConfig('bot.config.ts')
const results: Record<string, Record<string, object>> = {}
for (const factor of factors) {
  const logs = await Promise.all(files.map(file => linkedLog(file, factor)))
  for (const preset of presets) {
    progress(`time stretched by ${factor}: ${preset}`)
    const plugins = preset === 'attention' ? [attention({ learn: 'off' }), config.plugins] : config.plugins
    const options = {
      config: withSetting({ ...config, plugins }, `judge-rules.preset=${preset}`),
      ...{ project, seed: 1, log: benchLog, seating: { busiest: MEMBERS } },
    }
    const alone = await replay(logs, options)
    const judged = await replay(logs, { ...options, judge: { kind: 'oracle', low: 20, high: 80 } })
    if (!alone.sums || !judged.sums) throw new Error('A replay in seats has sums.')
    const { f1, batchF1, precision, recall, interruptionAccuracy } = metricsOf(alone.sums)
    const { f1: judgedF1, coverage } = metricsOf(judged.sums)
    results[`× ${factor}`] = {
      ...results[`× ${factor}`],
      [preset]: {
        alone: { f1, batchF1, precision, recall, interruptionAccuracy, ...waits(alone.sums) },
        judge: { per100: Number(per100(judged.counts.judgements, judged.counts)), coverage, f1: judgedF1 },
      },
    }
  }
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)

/** The waits of partners and of other people in seconds: the median, and what 95 % did not exceed. */
function waits(sums: Sums) {
  const of = (whose: 'partner' | 'stranger') => [waitAt(sums, 0.5, [whose]), waitAt(sums, 0.95, [whose])]
  return { partner: of('partner'), stranger: of('stranger') }
}
