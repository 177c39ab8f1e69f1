/**
 * What a verdict is worth beside the points: `npm run bench:judge -- FILE…`. The chat logs are replayed without a judge in the places of
 * the three busiest members. The first table is the calibration of the points of judge-rules. The second one is F1 of unaddressed turns
 * with simulated judges, each with a confidence of 0.8: where the verdict replaces the points, and where it is combined with them, by the
 * weight of a verdict. The third one learns the coefficients from the first half of the files, in each place, and reads the others. The
 * same files give the same bytes.
 */
import { loadConfig } from '../../../core/bot/load-config.ts'
import { fileLog } from '../../../packages/replay/logs/chat-log.ts'
import { replay } from '../../../packages/replay/replay.ts'
import { seatsIn } from '../../../packages/replay/seats.ts'
import { combine, SPEAKS_FROM, START, signedVerdict, speaksFromWith } from '../../../plugins/judge-llm/combine.ts'
import { ALONE } from '../../../plugins/judge-llm/measure/standing.ts'
import { tellsLittle, worthOf } from '../../../plugins/judge-llm/measure/worth.ts'
import { probabilityOf } from '../../../plugins/judge-rules/probability.ts'
import { progress, round } from '../../base/measure.ts'
import { benchLog } from '../../base/talk.ts'

const MEMBERS = 3
/** The band of judge-llm, and the threshold of judge-rules without a judge. */
const [LOW, HIGH, THRESHOLD] = [20, 80, 60]
const CONFIDENCE = 0.8
/** True and false positive rates. */
const JUDGES = [
  [0.95, 0.02],
  [0.9, 0.05],
  [0.75, 0.1],
  [0.7, 0.2],
  [0.6, 0.3],
  [0.5, 0.5],
] as const
const WEIGHTS = [1, 1.5, 2, 2.5, 3]

const files = process.argv.slice(2)
if (files.length === 0) {
  progress('Which chat logs? npm run bench:judge -- FILE…')
  process.exit(2)
}

interface Judged {
  readonly file: number
  readonly turn: string
  readonly person: string
  readonly at: Date
  readonly points: number
  readonly gold: boolean
}

const { config, project } = await loadConfig('bot.config.ts')
const turns: Judged[] = []
for (const [file, name] of files.entries()) {
  const log = fileLog(name)
  for (const { id, answered } of await seatsIn(log, { busiest: MEMBERS })) {
    await replay([log], {
      ...{ config, project, seed: 1, log: benchLog, seating: { author: id } },
      onDecision({ messages }, { addressed, score, outcome, trigger }) {
        if (addressed || !score || outcome === 'delayed' || outcome === 'cancelled') return
        const line = messages.find(message => message.id === trigger)
        if (!line) return
        const { author, at } = line
        const gold = messages.some(message => message.author.id === author.id && answered.has(message.id))
        turns.push({ file, turn: `${id} ${trigger}`, person: author.id, at, points: score.points, gold })
      },
    })
  }
  progress(`${name}: ${turns.length} turns`)
}

/** Files that a channel learns from, before those that are read. */
const half = Math.floor(files.length / 2)
const later = turns.filter(({ file }) => file >= half)
const THRESHOLD_PROBABILITY = probabilityOf(THRESHOLD)
const golden = turns.filter(({ gold }) => gold).length
const calibration = [20, 30, 40, 50, 60, 70, 80].map(from => {
  const bin = turns.filter(({ points }) => points > from && points <= (from === 80 ? 100 : from + 10))
  const mean = (values: readonly number[]) => round(values.reduce((sum, one) => sum + one, 0) / values.length, 3)
  return {
    above: from,
    turns: bin.length,
    predicted: mean(bin.map(({ points }) => probabilityOf(points))),
    seen: mean(bin.map(({ gold }) => Number(gold))),
  }
})
const judges = JUDGES.map(([truePositives, falsePositives]) => {
  // The errors are spread evenly over the turns, so that nothing depends on chance.
  let [missed, alarmed] = [0, 0]
  const verdicts = turns.map(({ points, gold }) => {
    if (points <= LOW) return false
    if (gold) return Math.floor(++missed * truePositives) > Math.floor((missed - 1) * truePositives)
    return Math.floor(++alarmed * falsePositives) > Math.floor((alarmed - 1) * falsePositives)
  })
  const signed = turns.map((_turn, at) => signedVerdict({ respond: verdicts[at] === true, confidence: CONFIDENCE }))
  const combined = (c: number) =>
    f1(turns, ({ points }, at) => points > LOW && combine({ ...START, c }, probabilityOf(points), signed[at] ?? 0) >= SPEAKS_FROM)

  const votes = turns.flatMap(({ file, points, gold, turn, person, at }, index) =>
    file < half && points > LOW
      ? [{ turn, person, at, value: gold ? 1 : -1, prior: probabilityOf(points), verdict: signed[index] ?? 0 }]
      : [],
  )
  const { coefficients, gain } = worthOf(votes, votes)
  const isPaused = tellsLittle(gain, votes.length)
  const bound = isPaused ? THRESHOLD_PROBABILITY : speaksFromWith(coefficients, THRESHOLD_PROBABILITY, SPEAKS_FROM)
  const learned = f1(later, ({ points }, at) => {
    const verdict = isPaused ? 0 : (signed[at + turns.length - later.length] ?? 0)
    const p = combine(isPaused ? ALONE : coefficients, probabilityOf(points), verdict)
    return points > LOW && p >= bound
  })
  return {
    ...{ truePositives, falsePositives },
    replacing: f1(turns, ({ points }, at) => points >= HIGH || verdicts[at] === true),
    combined: WEIGHTS.map(weight => ({ weight, f1: combined(weight) })),
    learned: { coefficients, paused: isPaused, f1: learned },
  }
})
const byThreshold = ({ points }: Judged) => points >= THRESHOLD
const alone = { all: f1(turns, byThreshold), later: f1(later, byThreshold) }
process.stdout.write(`${JSON.stringify({ turns: turns.length, answered: golden, calibration, alone, judges }, null, 2)}\n`)

function f1(some: readonly Judged[], speaks: (turn: Judged, at: number) => boolean): number {
  const spoken = some.filter(speaks)
  const hits = spoken.filter(({ gold }) => gold).length
  return round((2 * hits) / (spoken.length + some.filter(({ gold }) => gold).length), 3)
}
