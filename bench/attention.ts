/**
 * Trains the weights of the plugin attention: `npm run bench:attention -- FILE…`. The chat logs are replayed in the places of the
 * busiest members, as they are and with the time stretched, and each message that does not address the member is an example: its signs
 * when it arrives, and whether the member answered it. Two thirds of the files predict the others, which gives the figures; the
 * weights come from all files. The same files give the same bytes.
 */
import { writeFile } from 'node:fs/promises'
import { definePlugin, type Turn } from 'kikimimi'
import { loadConfig } from '../core/api/config.ts'
import { type ChatLog, fileLog, type LogLine } from '../packages/replay/chat-log.ts'
import { replay } from '../packages/replay/replay.ts'
import { PAUSE } from '../packages/replay/scores.ts'
import { type Seat, seatsIn } from '../packages/replay/seats.ts'
import { SIGNS, signsOf } from '../plugins/attention/signs.ts'
import { type Example, fit, predict } from './base/logistic.ts'
import { progress, round } from './base/measure.ts'
import { benchLog } from './base/talk.ts'

const WEIGHTS = new URL('../plugins/attention/weights.ts', import.meta.url)

const MEMBERS = 6
/** Slow channels, as factors of time, and the weight of their examples. */
const STRETCHED = [
  { factor: 1, weight: 1 },
  { factor: 4, weight: 0.5 },
  { factor: 12, weight: 0.5 },
]

/** One in three files is held out for the figures. */
const FOLDS = 3

const files = process.argv.slice(2)
if (files.length === 0) {
  progress('Which chat logs? npm run bench:attention -- FILE…')
  process.exit(2)
}

const { config, project } = await loadConfig('bot.config.ts')
const examples: (Example & { readonly file: number })[] = []
for (const [number, file] of files.entries()) {
  for (const { factor, weight } of STRETCHED) {
    const log = await stretched(file, factor)
    for (const seat of await seatsIn(log, { busiest: MEMBERS })) {
      for (const example of await examplesOf(log, seat)) examples.push({ ...example, weight, file: number })
    }
  }
  progress(`${file}: ${examples.length} examples`)
}

const held = Array.from({ length: FOLDS }, (_, fold) => {
  const model = fit(examples.filter(({ file }) => file % FOLDS !== fold))
  return examples.filter(({ file }) => file % FOLDS === fold).map(example => ({ ...example, p: predict(model, example.values) }))
}).flat()

const { bias, means, weights } = fit(examples)
const signs = SIGNS.map(
  (sign, at) => `    ${sign}: { mean: ${round(means[at] ?? 0, 4)}, weight: ${round(weights[at] ?? 0, 4)} },\n`,
)
await writeFile(
  WEIGHTS,
  `/** Written by \`npm run bench:attention\`. */
export const WEIGHTS = {
  bias: ${round(bias, 4)},
  signs: {
${signs.join('')}  },
}
`,
)
const results = {
  files: files.length,
  examples: examples.length,
  answered: examples.filter(({ label }) => label).length,
  heldOut: { logLoss: round(logLoss(held), 4), areaUnderCurve: round(areaUnderCurve(held), 4), calibration: calibration(held) },
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)

async function stretched(file: string, factor: number): Promise<ChatLog> {
  const lines: LogLine[] = []
  let start: number | undefined
  for await (const line of fileLog(file).lines()) {
    start ??= line.at.getTime()
    lines.push({ ...line, at: new Date(start + factor * (line.at.getTime() - start)) })
  }
  return { name: file, lines: () => lines }
}

async function examplesOf(log: ChatLog, seat: Seat): Promise<Omit<Example, 'weight'>[]> {
  const answered = await answeredIn(log, seat)
  const found: Omit<Example, 'weight'>[] = []
  const watch = definePlugin({
    name: 'watch-signs',
    setup: () => ({
      score(turn: Turn) {
        if (turn.addressed) return
        for (const message of turn.messages) {
          const label = answered.get(message.id)
          if (label === undefined) continue
          const signs = signsOf(turn, message)
          found.push({ values: SIGNS.map(sign => signs[sign]), label })
        }
      },
    }),
  })
  await replay([log], {
    config: { ...config, plugins: [config.plugins, watch] },
    ...{ project, seed: 1, log: benchLog, seating: { author: seat.id } },
  })
  return found
}

/** Whether the member answered the utterance of each counted line of another person. */
async function answeredIn({ lines }: ChatLog, { id: member, answered }: Seat): Promise<ReadonlyMap<string, boolean>> {
  const utterances: { last: number; readonly lines: string[] }[] = []
  const open = new Map<string, (typeof utterances)[number]>()
  for await (const { id, at, author, context } of lines()) {
    if (author.id === member) open.clear()
    if (author.id === member || context) continue
    let utterance = open.get(author.id)
    if (!utterance || at.getTime() - utterance.last > PAUSE) {
      utterance = { last: 0, lines: [] }
      utterances.push(utterance)
      open.set(author.id, utterance)
    }
    utterance.last = at.getTime()
    utterance.lines.push(id)
  }
  return new Map(
    utterances.flatMap(({ lines }) => {
      const isAnswered = lines.some(id => answered.has(id))
      return lines.map(id => [id, isAnswered] as const)
    }),
  )
}

interface Predicted extends Example {
  readonly p: number
}

function logLoss(all: readonly Predicted[]): number {
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  return all.reduce((sum, { p, label, weight }) => sum - weight * Math.log(label ? p : 1 - p), 0) / total
}

/** The probability that an answered message has a higher prediction than another. */
function areaUnderCurve(all: readonly Predicted[]): number {
  const sorted = all.toSorted((a, b) => a.p - b.p)
  let [below, pairs, positives] = [0, 0, 0]
  for (const { label, weight } of sorted) {
    if (label) {
      pairs += weight * below
      positives += weight
    } else below += weight
  }
  return pairs / (positives * below)
}

/** The mean prediction and the share of answered messages, in bands of the prediction. */
function calibration(all: readonly Predicted[]) {
  const bounds = [0, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 1]
  return bounds.slice(1).map((high, at) => {
    const band = all.filter(({ p }) => p >= (bounds[at] ?? 0) && p < high)
    const weight = band.reduce((sum, one) => sum + one.weight, 0)
    const mean = (of: (one: Predicted) => number) => round(band.reduce((sum, one) => sum + one.weight * of(one), 0) / weight, 3)
    return { below: high, messages: band.length, predicted: mean(({ p }) => p), answered: mean(({ label }) => Number(label)) }
  })
}
