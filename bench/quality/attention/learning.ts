/**
 * Weights that the plugin attention learns in a channel, against the shared ones: `npm run bench:learning -- FILE…`. Chat logs in the
 * order of time count as one channel. The earlier half is learned from, without the links that people added afterwards; the later half
 * is replayed in the places of the three busiest members of each file, with both weights.
 */
import attention from '@kikimimi/attention'
import { learn } from '@kikimimi/attention/learn'
import { type Model, SHARED } from '@kikimimi/attention/model'
import { type Said, seatExamples } from '@kikimimi/attention/seats'
import { loadConfig } from '../../../core/bot/load-config.ts'
import { replay } from '../../../packages/replay/replay.ts'
import { per100 } from '../../../packages/replay/report.ts'
import { metricsOf } from '../../../packages/replay/scores.ts'
import { withSetting } from '../../../packages/replay/settings.ts'
import { progress, round } from '../../base/measure.ts'
import { benchLog, linkedLog, messageOf } from '../../base/talk.ts'

const MEMBERS = 3

const files = process.argv.slice(2)
if (files.length < 2) {
  progress('Which chat logs, in the order of time? npm run bench:learning -- FILE FILE…')
  process.exit(2)
}
const half = Math.floor(files.length / 2)
const [earlier, later] = [files.slice(0, half), files.slice(half)]

const said = (await Promise.all(earlier.map(saidIn))).flat()
const { user } = process.cpuUsage()
const seats = await seatExamples(said)
const learned = learn(
  seats.filter(({ isCall }) => !isCall),
  SHARED,
)
const seconds = round((process.cpuUsage().user - user) / 1e6, 1)
progress(`learned from ${said.length} messages in ${seconds} s of processor time`)

const { config, project } = await loadConfig('bot.config.ts')
const results = {
  earlier: { files: earlier.length, messages: said.length, examples: seats.length, processorSeconds: seconds },
  learned: learned ?? 'nothing',
  later: {
    files: later.length,
    shared: await measured(SHARED),
    ...(learned && { learned: await measured(learned.model) }),
  },
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)

async function saidIn(file: string): Promise<readonly Said[]> {
  const { lines } = await linkedLog(file)
  return (await Array.fromAsync(lines())).map(line => ({ message: messageOf(line), conversation: line.channel }))
}

/** The bot alone, and the calls of a perfect judge. */
async function measured(weights: Model) {
  const plugins = [attention({ weights, learn: 'off' }), config.plugins]
  const options = {
    config: withSetting({ ...config, plugins }, 'judge-rules.preset=attention'),
    ...{ project, seed: 1, log: benchLog, seating: { busiest: MEMBERS } },
  }
  const logs = await Promise.all(later.map(file => linkedLog(file)))
  const alone = await replay(logs, options)
  const judged = await replay(logs, { ...options, judge: { kind: 'oracle', low: 20, high: 80 } })
  if (!alone.sums || !judged.sums) throw new Error('A replay in seats has sums.')
  const { f1, batchF1, interruptionAccuracy, precision, recall } = metricsOf(alone.sums)
  const { coverage } = metricsOf(judged.sums)
  return {
    alone: { f1, batchF1, interruptionAccuracy, precision, recall },
    judge: { per100: Number(per100(judged.counts.judgements, judged.counts)), coverage },
  }
}
