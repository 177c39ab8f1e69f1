/**
 * The words that signs are made of, each list with the points that it gives. They are wide on purpose: a talk that gives a sign costs a
 * question to the cheap model, one that gives none is never looked at. The words themselves stand in `language/`.
 */
import { actOf, SURE } from '@kikimimi/addressing/acts'
import { probabilityOf } from '@kikimimi/speech-acts'
import { says } from './language.ts'

export interface Words {
  readonly points: number
  readonly test: (text: string) => boolean
}

const insults = says('insults')

/**
 * Insults and anger: by the model of speech acts in English, by lists elsewhere. On 21,235 lines of friendly Japanese chats the model
 * found heat in 223, the list in 30; on 3,666 English lines the model in 18, the list in 23.
 */
function isInsult(text: string): boolean {
  if (insults(text)) return true
  return !OTHER_SCRIPTS.test(text) && probabilityOf(actOf(text), ['heat', 'quiet']) >= SURE
}

const OTHER_SCRIPTS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** What heats a talk. Three points are a quarrel in the making. */
export const HEAT: readonly Words[] = [
  { points: 3, test: isInsult },
  { points: 2, test: says('blames') },
  { points: 1, test: says('contradicts') },
  { points: 1, test: says('bristles') },
]

/** What little words two people who rub each other up use more of. */
export const FRICTION: readonly Words[] = [
  { points: 1, test: says('others') },
  { points: 1, test: says('denies') },
  { points: 1, test: says('demands') },
  { points: 1, test: says('rubs') },
]

export const SHOUTS = /!!|\?!|!\?|\?\?/

const laughs = says('laughs')
const SMILES = /(?:^|\s)[:;]-?[)DP](?:\s|$)|[😂🤣😆😄😊]/iu

/** Takes the edge off. */
export const LAUGHS: Words = { points: -2, test: text => SMILES.test(text) || laughs(text) }

/** People speak of different things. Two points are a sign. */
export const MIXED_UP: readonly Words[] = [
  { points: 2, test: says('misunderstands') },
  { points: 1, test: says('wonders') },
]

/** A discussion goes round in circles, or off. */
export const ASTRAY: Words = { points: 2, test: says('astray') }

/** Asks everybody for help. */
export const ASKS: Words = { points: 1, test: says('asks') }

export const QUESTION = /\?[\s!\p{P}\p{S}]{0,20}$/u
