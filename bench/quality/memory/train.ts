/**
 * Trains the model of orders about the memory that people give in free words, and measures it on writers whose lines are left out of the
 * training. `npm run bench:memory-model -- [--write] [--show]`; the lines are in `bench/data/memory-orders`, one file for each writer.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { orderText } from '@kikimimi/orders'
import type { Model } from '@kikimimi/speech-acts/linear'
import { decided } from '../../../plugins/remember/free/decide.ts'
import { type Around, featuresOf, normalized } from '../../../plugins/remember/free/features.ts'
import { type FreeKind, KINDS, scoreWith } from '../../../plugins/remember/free/model.ts'
import { progress, round } from '../../base/measure.ts'
import { type Labelled, train, written } from '../../base/train.ts'
import { sentences } from './sentences.ts'

const TRAINING = { buckets: 2 ** 15, epochs: 6, fewest: 30, penalty: 2e-5, largest: 5, smallest: 1.2 }
const FOLDER = new URL('../../data/memory-orders/', import.meta.url)
const NAMES = ['kiki', 'キキ']
/** How much a line of a person counts. A sentence of the grammars counts less. */
const PERSON = 1

interface Line {
  readonly writer: string
  readonly lang: string
  readonly text: string
  readonly around: Around
  readonly expect: FreeKind
}

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, show: { type: 'boolean', default: false } },
})
const lines = await read()
const drawn = await sentences()
progress(`${lines.length} lines of people, ${drawn.length} sentences`)
const bySelf = (list: readonly Line[]) =>
  list.map(({ text, around, expect }): Labelled<FreeKind> => {
    return { features: featuresOf(normalized(orderText(text, NAMES), around)), is: expect, weight: PERSON }
  })
const fromGrammar = drawn.map(({ text, is, weight }): Labelled<FreeKind> => {
  return { features: featuresOf(normalized(orderText(text, NAMES))), is, weight }
})

const counts: Record<string, Record<string, number>> = {}
const total: Record<string, number> = {}
for (const writer of new Set(lines.map(one => one.writer))) {
  const model = trained(lines.filter(one => one.writer !== writer))
  for (const line of lines.filter(one => one.writer === writer)) judge(model, line)
  progress(writer)
}
process.stdout.write(`${JSON.stringify({ confusion: counts, total }, null, 1)}\n`)
if (values.write)
  await writeFile(new URL('../../../plugins/remember/free/memory-weights.txt', import.meta.url), `${written(trained(lines))}\n`)

function trained(own: readonly Line[]): Model<FreeKind> {
  return train(KINDS, [...bySelf(own), ...fromGrammar], TRAINING)
}

/** What the bot would do. */
function judge(model: Model<FreeKind>, { text, around, expect, writer }: Line): void {
  const score = scoreWith(model, orderText(text, NAMES), around)
  const { kind, isSure } = decided(score, expect === 'opt-in')
  const row = counts[expect] ?? {}
  counts[expect] = row
  const said = kind === 'none' ? 'none' : `${kind}${isSure ? '' : '?'}`
  row[said] = (row[said] ?? 0) + 1
  const group = (one: string) => (one === 'forget' ? 'leave-out' : one)
  const isRight = group(kind) === group(expect)
  const outcome =
    kind === 'none'
      ? isRight
        ? 'right'
        : 'missed'
      : !isSure
        ? expect === 'none'
          ? 'harmless asked'
          : isRight
            ? 'asked'
            : 'asked something else'
        : isRight
          ? 'right'
          : expect === 'none'
            ? 'harmless carried out'
            : 'something else carried out'
  total[outcome] = (total[outcome] ?? 0) + 1
  if (values.show && outcome !== 'right')
    process.stdout.write(
      `${outcome} | ${writer} ${expect} > ${said} | ${Object.values(score)
        .map(one => round(one, 2))
        .join(' ')} | ${text}\n`,
    )
}

async function read(): Promise<readonly Line[]> {
  const files = (await readdir(FOLDER)).filter(name => name.endsWith('.jsonl')).sort()
  return (
    await Promise.all(files.map(async file => linesOf(file.replace('.jsonl', ''), await readFile(new URL(file, FOLDER), 'utf8'))))
  ).flat()
}

function linesOf(writer: string, text: string): readonly Line[] {
  return text
    .trim()
    .split('\n')
    .map(
      line =>
        JSON.parse(line) as {
          lang: string
          by: string
          text: string
          to: string
          expect: string
          before: { by: string; text: string }[]
        },
    )
    .filter(({ to, expect }) => to !== 'none' && (KINDS as readonly string[]).includes(expect))
    .map(({ lang, by, text, expect, before }) => {
      const own = before.filter(one => one.by === by).map(one => one.text)
      const isKept = (one: string) =>
        /kiki|キキ/iu.test(one) && /remember|note|save|keep|覚|おぼ|メモ|記憶|記録|控え|忘れないで/u.test(one)
      return {
        ...{ writer, lang, text, expect: expect as FreeKind },
        around: { author: by, remembered: own.filter(isKept), said: own.filter(one => !isKept(one)) },
      }
    })
}
