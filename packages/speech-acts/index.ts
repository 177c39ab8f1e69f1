/** Classifies short messages: the speech act, such as thanks or a retraction, and the use of the bot's name. */
import { readFileSync } from 'node:fs'
import { type Features, featuresOf, type LineBefore } from './features.ts'
import { type Model, numberOf, probabilities, readModel, readSet, unpacked, valuesOf } from './model.ts'
import { BOT, type Names, PERSON } from './names.ts'
import { plain } from './text.ts'

export { markNames } from './names.ts'

export const ACTS = ['none', 'nod', 'thanks', 'goodbye', 'retraction', 'quiet', 'talk', 'answered', 'heat'] as const
/**
 * The speech act of a message. `nod`: takes note or agrees. `retraction`: takes a question or a request back, or declines an offer.
 * `quiet`, `talk`: orders the bot to be silent, or to talk again. `answered`: answers a question of another person. `heat`: anger.
 */
export type Act = (typeof ACTS)[number]

export const NAME_USES = ['none', 'called', 'about', 'another'] as const
/** `called`: the message addresses the bot. `about`: it talks about the bot. `another`: it addresses another person. */
export type NameUse = (typeof NAME_USES)[number]

export interface Before {
  readonly text: string
  /** The author of the line: the bot, the author of the message (`same`), or another person (`other`). */
  readonly by: 'bot' | 'same' | 'other'
}

export interface SpeechActOptions extends Names {
  /** The line before the message. */
  readonly before?: Before
}

export interface Decided<Class> {
  readonly is: Class
  /** From 0 to 1. */
  readonly probability: number
  /** The parts of the text with the largest weights for this class, the largest first. */
  readonly words: readonly string[]
}

export interface SpeechAct {
  readonly act: Act
  /** The probability of the act, from 0 to 1. */
  readonly probability: number
  /** The parts of the text with the largest weights for the act, the largest first. */
  readonly words: readonly string[]
  readonly name: Decided<NameUse>
  /** The probability of each act, in the order of {@link ACTS}. */
  readonly probabilities: readonly number[]
}

/** The probability that a message does one of these acts. */
export function probabilityOf({ probabilities }: SpeechAct, acts: readonly Act[]): number {
  return acts.reduce((sum, act) => sum + (probabilities[ACTS.indexOf(act)] ?? 0), 0)
}

/** Maximum length of a speech act in characters. A longer message has other content too. */
const LONGEST = 160

const NOTHING = { is: 'none', probability: 1, words: [], probabilities: [1] } as const

/**
 * Classifies one message, in less than a millisecond and without network. The last {@link RECENT} results are kept, so the plugins that
 * ask about the same message and the same line before share one classification.
 */
export function speechActOf(text: string, options: SpeechActOptions): SpeechAct {
  const { names, people, before } = options
  const key = JSON.stringify([text.slice(0, SEEN), names, people, before?.by, before?.text.slice(0, SEEN)])
  const known = recent.get(key)
  if (known) return known
  const act = classify(text, options)
  const [oldest] = recent.size < RECENT ? [] : recent.keys()
  if (oldest !== undefined) recent.delete(oldest)
  recent.set(key, act)
  return act
}

/** The working memory of about ten conversations. */
const RECENT = 512
const recent = new Map<string, SpeechAct>()

/** Characters of a text that are read. */
const SEEN = 4 * LONGEST

function classify(text: string, options: SpeechActOptions): SpeechAct {
  const { acts, names, known } = loaded()
  const said = plain(text.slice(0, SEEN), options)
  if (said === '') return speechAct(NOTHING, NOTHING)
  const { before } = options
  const line = before && lineBefore(before, options)
  const features = featuresOf({ said, ...(line && { before: line }) }, known)
  const act = said.length > LONGEST ? NOTHING : decided(acts, features)
  const name = said.includes(BOT) || said.includes(PERSON) || said.includes('@') ? decided(names, features) : NOTHING
  return speechAct(act, name)
}

type Classified<Class> = Decided<Class> & Pick<SpeechAct, 'probabilities'>

function speechAct({ is: act, ...decided }: Classified<Act>, { is, probability, words }: Decided<NameUse>): SpeechAct {
  return { act, ...decided, name: { is, probability, words } }
}

function lineBefore({ text, by }: Before, names: Names): LineBefore {
  const said = plain(text.slice(0, SEEN), names)
  return { said, by }
}

function decided<Class extends string>(model: Model<Class>, features: Features): Classified<Class> {
  const shares = probabilities(model, valuesOf(features))
  const best = shares.indexOf(Math.max(...shares))
  const words = strongest(model, features, best)
  return { is: model.classes[best] as Class, probability: shares[best] ?? 0, words, probabilities: shares }
}

/** Maximum number of parts that explain a decision. */
const EXPLAIN = 4

function strongest(model: Model<string>, { words }: Features, at: number): readonly string[] {
  const count = model.classes.length
  const pieces = words.filter(word => /^[wpj] /.test(word))
  const strength = (word: string) => {
    const row = numberOf(word) * count
    const sum = model.classes.reduce((total, _, other) => total + (model.weights[row + other] ?? 0), 0)
    return (model.weights[row + at] ?? 0) - sum / count
  }
  return pieces
    .map(word => [word.slice(2), strength(word)] as const)
    .filter(([, value]) => value > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, EXPLAIN)
    .map(([word]) => word)
}

interface Loaded {
  readonly acts: Model<Act>
  readonly names: Model<NameUse>
  readonly known: (piece: string) => boolean
}

let read: Loaded | undefined

function loaded(): Loaded {
  read ??= readWeights(readFileSync(new URL('./act-weights.txt', import.meta.url), 'utf8'))
  return read
}

/** Reads a file of weights. It has three parts between empty lines: the weights of the acts, those of the name uses, the known word parts. */
export function readWeights(text: string): Loaded {
  const [acts = '', names = '', known = ''] = text.split('\n\n')
  return { acts: readModel(ACTS, acts), names: readModel(NAME_USES, names), known: readSet(unpacked(known)) }
}
