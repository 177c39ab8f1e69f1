/** What the reader needs for each language. */
import { anyOf, languagesIn } from 'kikimimi/model'

/** What a question asks for. A `thing` has no form of its own in an answer. */
export const KINDS = ['reason', 'clock', 'day', 'time', 'money', 'duration', 'count', 'place', 'person', 'name', 'thing'] as const
export type Kind = (typeof KINDS)[number]

export interface ReaderLanguage {
  /** Questions for each kind. The first kind of {@link KINDS} that matches counts. */
  readonly asks: Readonly<Partial<Record<Kind, RegExp>>>
  /** Words that a text has if it states something of a kind. */
  readonly states: Readonly<Partial<Record<Kind, RegExp>>>
  /** Words around a question that are not part of it: "do you remember", "tell me". */
  readonly around: RegExp
  /** Names of days, as tokens that all languages share: `sun`, `today`. */
  readonly days: Readonly<Record<string, RegExp>>
  /** A day of a month. The groups are `month` and `day`. */
  readonly date: RegExp
  /** The months by name, January first. Empty: months are numbers. */
  readonly months: readonly string[]
  /** Asks to remember what stands behind or before it: "remember that". */
  readonly toRemember: RegExp
  /** Looks for a person: "someone has to". */
  readonly wanted: RegExp
  /** Asks about a noun alone: "and the price?". */
  readonly bare: RegExp
  /** Refers to what was said before: "it", "there". */
  readonly refers: RegExp
  /** Refers to a person. */
  readonly pronoun: RegExp
  /** Settles something: "let's", "we take". */
  readonly settles: RegExp
  /** Corrects or changes something: "actually", "moved". */
  readonly corrects: RegExp
  /** May not be so: "maybe", "if". */
  readonly uncertain: RegExp
  /** Says that the speaker has no answer: "no idea", "not me". */
  readonly denies: RegExp
  /** Says that the speaker does not do something: "I can't". */
  readonly declines: RegExp
  /** Says that the speaker does something: "I can", "from me". */
  readonly offers: RegExp
  /** Asks about what is, or will be. */
  readonly asksPresent: RegExp
  /** Asks about what was. */
  readonly asksPast: RegExp
  /** Tells of what will be, or is wanted. */
  readonly future: RegExp
  /** Says no. */
  readonly negative: RegExp
  /** Tells of a past time: "last year". */
  readonly past: RegExp
  /** What excludes each other, such as a beginning and an end. */
  readonly opposites: readonly (readonly [RegExp, RegExp])[]
  /** Agrees to a proposal, at the beginning of a line. */
  readonly agrees: RegExp
  /** Asks for a summary. */
  readonly summary: RegExp
  /** Asks for a text, an opinion or an action that needs a model. */
  readonly task: RegExp
}

export const LANGUAGES = [...(await languagesIn<ReaderLanguage>(new URL('./language/', import.meta.url))).values()]

type Keys = { [K in keyof ReaderLanguage]: ReaderLanguage[K] extends RegExp ? K : never }[keyof ReaderLanguage]

/** The patterns of all languages, as one. */
export function inAnyLanguage(key: Keys): RegExp {
  return anyOf(LANGUAGES.map(language => language[key]))
}

/** For each kind, the patterns of all languages. */
export function byKind(key: 'asks' | 'states'): ReadonlyMap<Kind, RegExp> {
  return new Map(KINDS.map(kind => [kind, anyOf(LANGUAGES.map(language => language[key][kind]))]))
}
