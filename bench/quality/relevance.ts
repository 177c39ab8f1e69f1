/**
 * Makes the weights of plugins/facts/search/relevance.ts from files of bench:recall, and prints what such weights give on
 * conversations that they were not made from: npm run bench:relevance -- FILE…
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { type Model, probability, type Signals } from '../../plugins/facts/search/relevance.ts'
import { fit } from '../base/logistic.ts'
import { progress, round } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'
import { readSet } from './recall/data.ts'
import { prepare } from './recall/memory.ts'
import { type Asked, type Example, examplesOf } from './recall/relevance.ts'

/** Memories of a prompt, and results that count for the recall at ten. */
const LIMIT = 8
const DEPTH = 10

const { values, positionals: files } = parseArgs({ allowPositionals: true, options: { examples: { type: 'string' } } })
if (files.length === 0) {
  progress('Which conversations and facts? npm run bench:relevance -- FILE…')
  process.exit(2)
}

const asked: Asked[] = []
for (const file of files) {
  const db = await openDatabase('memory', { clock: systemClock, log: benchLog })
  try {
    await prepare(db)
    asked.push(...(await examplesOf(db, await readSet(file), file)))
  } finally {
    await db.close()
  }
  progress(`${file}: ${asked.length} questions so far`)
}
if (values.examples) await writeFile(values.examples, JSON.stringify(asked))

const folds = [...new Set(asked.map(({ fold }) => fold))]
const judged = folds.flatMap(fold => {
  const model = modelOf(asked.filter(one => one.fold !== fold))
  return asked.filter(one => one.fold === fold).map(one => judgedBy(model, one))
})
const sets = files.map(file => [file, judged.filter(({ set }) => set === file)] as const)
const results = {
  model: Object.fromEntries(Object.entries(modelOf(asked)).map(([name, weight]) => [name, round(weight, 2)])),
  outOfFold: Object.fromEntries(sets.map(([file, of]) => [file, { calibration: calibration(of), thresholds: thresholds(of) }])),
}
process.stdout.write(`${JSON.stringify(results, null, 1)}\n`)

type Judged = ReturnType<typeof judgedBy>

function modelOf(questions: readonly Asked[]): Model {
  const examples = questions.flatMap(({ results }) => results)
  const names = Object.keys(examples[0]?.signals ?? {}) as (keyof Signals)[]
  const { bias, means, weights } = fit(
    examples.map(({ signals, answers }) => ({ values: names.map(name => signals[name]), label: Boolean(answers), weight: 1 })),
  )
  const constant = weights.reduce((sum, weight, at) => sum - weight * (means[at] ?? 0), bias)
  return { ...(Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0])) as Omit<Model, 'constant'>), constant }
}

function judgedBy(model: Model, { results, ...question }: Asked) {
  return { ...question, results: results.map((one: Example) => ({ answers: one.answers, p: probability(one.signals, model) })) }
}

/** In five bands of probability: how many of the results answer, and what the model says. */
function calibration(questions: readonly Judged[]) {
  const edges = [0, 0.02, 0.05, 0.15, 0.4, 1]
  const results = questions.flatMap(({ results }) => results)
  return edges.slice(1).map((to, at) => {
    const band = results.filter(({ p }) => p >= (edges[at] ?? 0) && p < to)
    return {
      upTo: to,
      results: band.length,
      said: percent(band, ({ p }) => p),
      answer: percent(band, ({ answers }) => Number(answers)),
    }
  })
}

/**
 * For each threshold: the share of questions without an answer for which nothing is recalled; what the recall at ten loses by
 * that; and if only memories above it stand in a prompt, how many these are, their evidence, and the share that answers.
 */
function thresholds(questions: readonly Judged[]) {
  const known = questions.filter(({ expected }) => expected > 0)
  const unknown = questions.filter(({ expected }) => expected === 0)
  const share = ({ expected, results }: Judged, depth: number, least = 0) =>
    Math.min(1, results.slice(0, depth).filter(one => one.answers && one.p >= least).length / expected)
  const isSilent = ({ results }: Judged, least: number) => !results.slice(0, DEPTH).some(({ p }) => p >= least)
  return [0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3].map(least => {
    const prompts = known.map(({ results }) => results.slice(0, LIMIT).filter(({ p }) => p >= least))
    return {
      threshold: least,
      silent: percent(unknown, one => Number(isSilent(one, least))),
      lostAt10: percent(known, one => (isSilent(one, least) ? share(one, DEPTH) : 0)),
      memories: round(prompts.reduce((sum, one) => sum + one.length, 0) / Math.max(1, known.length), 1),
      evidence: percent(known, one => share(one, LIMIT, least)),
      answering: percent(prompts.flat(), ({ answers }) => Number(answers)),
    }
  })
}

function percent<T>(all: readonly T[], value: (one: T) => number): number {
  return round((100 * all.reduce((sum, one) => sum + value(one), 0)) / Math.max(1, all.length), 1)
}
