/**
 * Trains the weights of the plugin attention: `npm run bench:attention -- FILE…`. Each of the busiest people of a chat log takes the place
 * of the bot, as where attention learns in a channel, with the time as it is and stretched. An example is a message that does not
 * address this person: its signs, and whether this person answered it. Lines before the first linked one are context. Two thirds of the
 * files predict the others, which gives the figures; the weights come from all files. The same files give the same bytes: everything is
 * computed twice and compared.
 */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { type SeatExample, seatExamples } from '@kikimimi/attention/seats'
import { SIGNS } from '../../../plugins/attention/signs.ts'
import { type Example, fit, predict } from '../../base/logistic.ts'
import { progress, round } from '../../base/measure.ts'
import { linkedLog, messageOf } from '../../base/talk.ts'

const WEIGHTS = new URL('../../../plugins/attention/weights.ts', import.meta.url)

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

const { user } = process.cpuUsage()
const examples = await examplesOf(files)
const text = weightsOf(examples)
const seconds = round((process.cpuUsage().user - user) / 1e6, 1)
const again = weightsOf(await examplesOf(files))
await writeFile(WEIGHTS, text)

const held = Array.from({ length: FOLDS }, (_, fold) => {
  const model = fit(examples.filter(({ file }) => file % FOLDS !== fold))
  return examples.filter(({ file }) => file % FOLDS === fold).map(example => ({ ...example, p: predict(model, example.values) }))
}).flat()
const results = {
  files: files.length,
  examples: examples.length,
  answered: examples.filter(({ label }) => label).length,
  processorSeconds: seconds,
  sha256: createHash('sha256').update(text).digest('hex').slice(0, 12),
  sameBytes: text === again,
  heldOut: {
    logLoss: round(logLoss(held), 4),
    areaUnderCurve: round(areaUnderCurve(held), 4),
    averagePrecision: round(averagePrecision(held), 4),
    calibration: calibration(held),
  },
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
if (text !== again) process.exitCode = 1

async function examplesOf(files: readonly string[]): Promise<readonly (Example & { readonly file: number })[]> {
  const found: (Example & { readonly file: number })[] = []
  for (const [file, path] of files.entries()) {
    for (const { factor, weight } of STRETCHED) {
      const seats = await seatsOf(path, factor)
      found.push(...seats.map(({ signs, label }) => ({ values: SIGNS.map(sign => signs[sign]), label, weight, file })))
    }
  }
  return found
}

/** Examples from the linked part of a file, without messages that address the person. */
async function seatsOf(path: string, factor: number): Promise<readonly SeatExample[]> {
  const { lines } = await linkedLog(path, factor)
  const all = await Array.fromAsync(lines())
  const start = all.find(({ context }) => !context)?.at ?? new Date(Number.POSITIVE_INFINITY)
  const said = all.map(line => ({ message: messageOf(line), conversation: line.channel, answers: line.replyTo }))
  return (await seatExamples(said)).filter(({ isCall, at }) => !isCall && at >= start)
}

/** The text of weights.ts. */
function weightsOf(examples: readonly Example[]): string {
  const { bias, means, weights } = fit(examples)
  const signs = SIGNS.map(
    (sign, at) => `    ${sign}: { mean: ${round(means[at] ?? 0, 4)}, weight: ${round(weights[at] ?? 0, 4)} },\n`,
  )
  return `/** Written by \`npm run bench:attention\`. */
export const WEIGHTS = {
  bias: ${round(bias, 4)},
  signs: {
${signs.join('')}  },
}
`
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

/** The mean precision at each answered message, in the order of the predictions. */
function averagePrecision(all: readonly Predicted[]): number {
  let [seen, positives, sum] = [0, 0, 0]
  for (const { label, weight } of all.toSorted((a, b) => b.p - a.p)) {
    seen += weight
    if (!label) continue
    positives += weight
    sum += (weight * positives) / seen
  }
  return sum / positives
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
