/** What the rules need for each language. */
import { anyOf, KikimimiError, type Locale, languagesIn } from 'kikimimi/model'
import type { Claim, Relation } from './claims.ts'
import type { Told } from './facts.ts'

type Pattern = readonly [Relation, RegExp]

export interface Language {
  /** A letter that identifies the language. A text without one is English. */
  readonly letter?: RegExp
  /** Words of questions and grammar, in lower case. */
  readonly stopWords: string
  /** Frequent words that carry little meaning alone. */
  readonly weakWords: string
  /** Reduces the forms of a word to one. Undefined for a word of another language. */
  stem?(word: string): string | undefined

  /** Questions without a question mark at the end. */
  readonly question: RegExp
  readonly firstPerson: RegExp
  /** Asks what somebody said. */
  readonly saying: RegExp
  /** A heading above memories. */
  readonly memory: RegExp
  readonly aboutMe: RegExp
  readonly howAreYou: RegExp

  readonly thanks: RegExp
  readonly bye: RegExp
  /** A greeting at the start of a text. */
  readonly hello: RegExp
  readonly morning?: RegExp
  readonly afternoon?: RegExp
  readonly evening?: RegExp

  /** Asks to be told something later, in more words than reminders know. */
  readonly asksToRemind?: RegExp
  readonly heated: RegExp
  readonly laughs: RegExp

  /** Sentences of the offline model itself, under any name. */
  readonly ownWords: RegExp
  /** The name of the bot, at the start of a persona. */
  readonly persona: RegExp
  /** A name as a form of address, with an honorific where that is polite. */
  named?(name: string): string

  /** Statements of a speaker about what changes. The group `value` is the new value. */
  readonly claims: readonly Pattern[]
  /** The same as a sentence about a named person. The groups are `name` and `value`. */
  readonly stated: readonly Pattern[]
  /** The sentence that `stated` reads. */
  state(name: string, claim: Claim): string
  /** Words of questions about such a statement, by which it is found. */
  readonly claimWords: Readonly<Record<Relation, string>>
  /** Questions about such a statement. */
  readonly asksFor: readonly Pattern[]
  /** Asks how it was before. */
  readonly before: RegExp

  /** Words before a statement. */
  readonly factLead?: RegExp
  /** Whether a sentence is worth remembering. */
  told(sentence: string): Omit<Told, 'text'> | undefined
}

const BY_LOCALE = await languagesIn<Language>(new URL('./language/', import.meta.url))

export const LANGUAGES = [...BY_LOCALE.values()]

/** The language of a text, by its letters. */
export function localeOf(text: string): Locale {
  for (const [locale, { letter }] of BY_LOCALE) if (letter?.test(text)) return locale
  return 'en'
}

export function languageOf(text: string): Language {
  const found = BY_LOCALE.get(localeOf(text))
  if (found) return found
  throw new KikimimiError('INTERNAL', '@kikimimi/speech-acts has no file rules/language/en.ts.')
}

/** A name as a form of address in a language. */
export function named(name: string, locale: Locale): string {
  return BY_LOCALE.get(locale)?.named?.(name) ?? name
}

type Keys = { [K in keyof Language]-?: Language[K] extends RegExp | undefined ? K : never }[keyof Language]

/** The patterns of all languages, as one. */
export function inAnyLanguage(key: Keys): RegExp {
  return anyOf(LANGUAGES.map(language => language[key]))
}
