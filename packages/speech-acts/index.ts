/** Tells what a short message does: takes note, thanks, takes a question back, asks for silence, and how it uses the bot's name. */
import { readFileSync } from 'node:fs'
import { type Features, featuresOf, type LineBefore } from './features.ts'
import { type Model, numberOf, probabilities, readSet, unpacked, valuesOf } from './model.ts'
import { BOT, type Names, PERSON } from './names.ts'
import { plain } from './text.ts'

export const ACTS = ['none', 'nod', 'thanks', 'goodbye', 'retraction', 'quiet', 'talk', 'answered', 'heat'] as const
/**
 * `nod` takes note. `retraction` takes a question or a request back, or declines an offer. `quiet` and `talk` are orders to be silent and
 * to talk again. `answered` answers a question that another person asked. `heat` is anger.
 */
export type Act = (typeof ACTS)[number]

export const NAME_USES = ['none', 'called', 'about', 'another'] as const
/** The message calls the bot, talks about it, or speaks to another person. */
export type NameUse = (typeof NAME_USES)[number]

export interface Before {
  readonly text: string
  /** The bot, the author of the message, or another person. */
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
  /** The pieces of the text that decided, the strongest first. */
  readonly words: readonly string[]
}

export interface SpeechAct {
  readonly act: Act
  /** Of the act, from 0 to 1. */
  readonly probability: number
  /** The pieces of the text that decided it, the strongest first. */
  readonly words: readonly string[]
  readonly name: Decided<NameUse>
}

/** A longer message says more than an act. Characters. */
const LONGEST = 160

const NOTHING = { is: 'none', probability: 1, words: [] } as const

/** Reads one message. It takes less than a millisecond, and no network. */
export function speechActOf(text: string, options: SpeechActOptions): SpeechAct {
  const { acts, names, known } = loaded()
  const said = plain(text.slice(0, 4 * LONGEST), options)
  if (said === '') return { act: 'none', probability: 1, words: [], name: NOTHING }
  const { before } = options
  const line = before && lineBefore(before, options)
  const features = featuresOf({ said, ...(line && { before: line }) }, known)
  const act = said.length > LONGEST ? NOTHING : decided(acts, features)
  const name = said.includes(BOT) || said.includes(PERSON) || said.includes('@') ? decided(names, features) : NOTHING
  return { act: act.is, probability: act.probability, words: act.words, name }
}

function lineBefore({ text, by }: Before, names: Names): LineBefore {
  const said = plain(text.slice(0, 4 * LONGEST), names)
  return { said, by }
}

function decided<Class extends string>(model: Model<Class>, features: Features): Decided<Class> {
  const shares = probabilities(model, valuesOf(features))
  const best = shares.indexOf(Math.max(...shares))
  return { is: model.classes[best] as Class, probability: shares[best] ?? 0, words: strongest(model, features, best) }
}

/** Number of pieces that explain a decision. */
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

/** Three parts between empty lines: the scale and the weights of the acts, those of the names, and the known pieces. */
export function readWeights(text: string): Loaded {
  const [acts = '', names = '', known = ''] = text.split('\n\n')
  return { acts: modelOf(ACTS, acts), names: modelOf(NAME_USES, names), known: readSet(unpacked(known)) }
}

function modelOf<Class extends string>(classes: readonly Class[], part: string): Model<Class> {
  const [scale = '', ...lines] = part.split('\n')
  return { classes, scale: Number(scale), weights: new Int8Array(unpacked(lines.join('')).buffer) }
}
