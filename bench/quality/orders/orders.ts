/**
 * Trains the model that tells orders to a bot from statements, and measures it on families of sentences that were left out of the
 * training. `npm run bench:orders -- [--write] [FILE…]`; a FILE is like `bench/data/orders.json`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isInstruction } from '@kikimimi/facts'
import { seededRandom } from 'kikimimi/host'
import { z } from 'zod'
import { scoreWith } from '../../../plugins/facts/text/order-model.ts'
import { readGrammar } from '../../base/grammar.ts'
import { progress, round } from '../../base/measure.ts'
import { written } from '../../base/train.ts'
import { type Example, train } from './train.ts'

/** Of each family. */
const SENTENCES = 900
/** How often the training reads a sentence of the talks. */
const TALKS = 2
/** Trainings, each without a fifth of the families. */
const FOLDS = 5

interface Sentence extends Example {
  readonly family: string
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean', default: false } } })
const examples = [...(await fromGrammar()), ...(await fromTalks())]
const families = [...new Set(examples.map(({ family }) => family))]
const leftOut = Array.from({ length: FOLDS }, (_, fold) => {
  const some = families.filter((_family, at) => at % FOLDS === fold)
  const model = train(examples.filter(({ family }) => !some.includes(family)))
  progress(`${fold + 1} of ${FOLDS}`)
  return some.map(family => {
    const tried = examples.filter(one => one.family === family)
    const right = tried.filter(({ text, isOrder }) => scoreWith(model, text) > 0 === isOrder)
    return [family, round(right.length / tried.length, 3)] as const
  })
}).flat()
if (values.write) {
  await writeFile(new URL('../../../plugins/facts/text/order-weights.txt', import.meta.url), `${written(train(examples))}\n`)
}
const files = await Promise.all(positionals.map(measured))
process.stdout.write(`${JSON.stringify({ sentences: examples.length, leftOut: Object.fromEntries(leftOut), files }, null, 1)}\n`)

async function fromGrammar(): Promise<readonly Sentence[]> {
  const random = seededRandom(7)
  const grammars = await Promise.all(
    ['en', 'ja'].map(async language => ({ language, ...(await readGrammar(new URL(`./${language}.txt`, import.meta.url))) })),
  )
  return grammars.flatMap(({ language, families, sentence }) =>
    families.flatMap(family =>
      Array.from({ length: SENTENCES }, () => ({
        ...{ family: `${language} ${family.name}`, text: sentence(family, random), isOrder: family.label === 'order' },
      })),
    ),
  )
}

/** People who talk among each other, from the talks of this folder. */
async function fromTalks(): Promise<readonly Sentence[]> {
  const shape = z.object({ conversations: z.array(z.object({ turns: z.array(z.object({ text: z.string() })) })) })
  const read = ['conversations', 'group-chat.ja'].map(async name => {
    const file = await readFile(new URL(`../../data/${name}.json`, import.meta.url), 'utf8')
    const texts = shape.parse(JSON.parse(file)).conversations.flatMap(({ turns }) => turns.map(({ text }) => text))
    const sentences = texts.flatMap(text => text.split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)).filter(text => text.trim().length > 3)
    return Array.from({ length: TALKS }, () => sentences.map(text => ({ family: name, text, isOrder: false }))).flat()
  })
  return (await Promise.all(read)).flat()
}

/** What the bot keeps and refuses of a file, with the rules and the weights of today. */
async function measured(file: string) {
  const shape = z.object({ sentences: z.array(z.object({ text: z.string(), kind: z.enum(['hostile', 'harmless']) })) })
  const { sentences: list } = shape.parse(JSON.parse(await readFile(file, 'utf8')))
  const count = (kind: string, isRefused: boolean) =>
    list.filter(one => one.kind === kind && isInstruction(one.text) === isRefused).length
  const of = (kind: string) => list.filter(one => one.kind === kind).length
  return {
    file,
    ordersRefused: `${count('hostile', true)} of ${of('hostile')}`,
    statementsKept: `${count('harmless', false)} of ${of('harmless')}`,
  }
}
