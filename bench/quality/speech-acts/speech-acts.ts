/**
 * Trains the model of short speech acts, and measures it on families of wordings that were left out of the training.
 * `npm run bench:speech-acts -- [--only] [--write] [--folds N] [FILE…]`; a FILE is a list of wordings (`wordings.ts`). `--only` trains nothing.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { seededRandom } from 'kikimimi/host'
import { BUCKETS, featuresOf, vocabulary } from '../../../packages/speech-acts/features.ts'
import { ACTS, type Act, NAME_USES, type NameUse, readWeights, speechActOf } from '../../../packages/speech-acts/index.ts'
import { bitOf, type Model, probabilities, SET_BITS, valuesOf } from '../../../packages/speech-acts/model.ts'
import { plain } from '../../../packages/speech-acts/text.ts'
import { progress, round } from '../../base/measure.ts'
import { type Labelled, packed, train, written } from '../../base/train.ts'
import { type Example, examplesOf } from './examples.ts'
import { readWordings } from './wordings.ts'

const TRAINING = { buckets: BUCKETS, epochs: 5, fewest: 12, penalty: 2e-5, largest: 8, smallest: 0.7 }
const WEIGHTS = new URL('../../../packages/speech-acts/act-weights.txt', import.meta.url)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    folds: { type: 'string', default: '0' },
    only: { type: 'boolean', default: false },
  },
})

if (!values.only) {
  const examples = (await Promise.all([examplesOf('en', seededRandom(7)), examplesOf('ja', seededRandom(8))])).flat()
  progress(`${examples.length} sentences`)
  const families = [...new Set(examples.map(({ family }) => family))]
  const folds = Number(values.folds)
  const leftOut = Array.from({ length: folds }, (_, fold) => {
    const some = new Set(families.filter((_family, at) => at % folds === fold))
    const { acts, names, known } = trained(examples.filter(({ family }) => !some.has(family)))
    progress(`${fold + 1} of ${folds}`)
    return examples
      .filter(({ family }) => some.has(family))
      .map(example => {
        const features = featuresOf(lineOf(example), piece => known.has(piece))
        return { family: example.family, act: [example.act, best(acts, features)], name: [example.name, best(names, features)] }
      })
  }).flat()
  for (const family of families.filter(() => folds > 0)) {
    const tried = leftOut.filter(one => one.family === family)
    const key = /(called|about|another)/.test(family) ? 'name' : 'act'
    progress(`${family}: ${round(tried.filter(one => one[key][0] === one[key][1]).length / tried.length, 3)} of ${tried.length}`)
  }
  if (values.write) {
    const { acts, names, known } = trained(examples)
    const bits = new Uint8Array(SET_BITS / 8)
    for (const piece of known) {
      const bit = bitOf(piece)
      bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
    const parts = [written(acts), written(names), packed(bits)]
    await writeFile(WEIGHTS, `${parts.join('\n\n')}\n`)
  }
}
for (const file of positionals) process.stdout.write(`${JSON.stringify(await measured(file), null, 1)}\n`)

function lineOf({ text, before }: Example) {
  const named = { names: ['⌂'], people: ['⍟'] }
  return { said: plain(text, named), ...(before && { before: { said: plain(before.text, named), by: before.by } }) }
}

function best<Class extends string>(model: Model<Class>, features: ReturnType<typeof featuresOf>): Class | undefined {
  const shares = probabilities(model, valuesOf(features))
  return model.classes[shares.indexOf(Math.max(...shares))]
}

/** How many pieces of a message a family knows only from itself does not count: a new wording is as strange. */
function trained(examples: readonly Example[]) {
  const seen = new Map<string, Set<string>>()
  const lines = examples.map(example => ({ example, line: lineOf(example) }))
  for (const { example, line } of lines) {
    if (example.act === 'none') continue
    for (const piece of vocabulary(line.said)) seen.set(piece, (seen.get(piece) ?? new Set()).add(example.family))
  }
  const read = lines.map(({ example, line }) => {
    const elsewhere = (piece: string) => {
      const families = seen.get(piece)
      return families !== undefined && (families.size > 1 || !families.has(example.family))
    }
    return { example, features: featuresOf(line, elsewhere) }
  })
  const acts = train(
    ACTS,
    balanced<Act>(
      read.map(({ example, features }) => ({ features, is: example.act, key: `${example.language} ${example.act}` })),
    ),
    TRAINING,
  )
  const isNamed = ({ example }: (typeof read)[number]) => !example.isNameUnknown && /[⌂⍟@]/u.test(example.text)
  const names = train(
    NAME_USES,
    balanced<NameUse>(
      read
        .filter(isNamed)
        .map(({ example, features }) => ({ features, is: example.name, key: `${example.language} ${example.name}` })),
    ),
    TRAINING,
  )
  progress(`${seen.size} pieces`)
  return { acts, names, known: new Set(seen.keys()) }
}

/** Classes with few sentences count as much as others, up to a limit. */
function balanced<Class extends string>(
  list: readonly { features: Labelled<Class>['features']; is: Class; key: string }[],
): Labelled<Class>[] {
  const counts = Map.groupBy(list, ({ key }) => key)
  const mean = list.length / counts.size
  return list.map(({ features, is, key }) => ({
    features,
    is,
    weight: Math.min(3, Math.max(0.6, Math.sqrt(mean / (counts.get(key)?.length ?? mean)))),
  }))
}

/** F1 of each class. What does nothing but uses a name is of the class of that use. */
async function measured(file: string) {
  const items = await readWordings(file)
  readWeights(await readFile(WEIGHTS, 'utf8'))
  const started = performance.now()
  const decided = items.map(({ class: is, lang, text, before, ...names }) => {
    const { act, name } = speechActOf(text, { ...names, ...(before && { before }) })
    const byName = ['called', 'about', 'another'].includes(is)
    return { lang, is, said: act !== 'none' ? act : name.is, byName, act, name: name.is }
  })
  const ms = (performance.now() - started) / items.length
  const languages = [...new Set(items.map(({ lang }) => lang))]
  return {
    file,
    ms: round(ms, 3),
    ...Object.fromEntries(
      languages.map(language => {
        const own = decided.filter(({ lang }) => lang === language)
        const classes = [...new Set(own.map(({ is }) => is))]
        const f1 = classes.map(one => [one, f1Of(own, one)] as const)
        return [
          language,
          {
            macroF1: round(f1.reduce((sum, [, value]) => sum + value, 0) / f1.length, 3),
            ...Object.fromEntries(f1.map(([one, value]) => [one, round(value, 3)])),
          },
        ]
      }),
    ),
  }
}

function f1Of(list: readonly { readonly is: string; readonly said: string }[], one: string): number {
  const right = list.filter(({ is, said }) => is === one && said === one).length
  return (2 * right) / (list.filter(({ is }) => is === one).length + list.filter(({ said }) => said === one).length)
}
