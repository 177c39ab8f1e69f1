/** What the offline model has to know of each language. */
import { anyOf, KikimimiError, type Locale, languagesIn } from 'kikimimi/model'
import type { Told } from './facts.ts'

export interface Language {
  /** A letter by which the language is told; English is what has none. */
  readonly letter?: RegExp
  /** Words of asking and grammar, in lower case. */
  readonly stopWords: string
  /** Words that many lines share, and that tell little alone. */
  readonly weakWords: string
  /** Brings the forms of a word together. Nothing for a word of another language. */
  stem?(word: string): string | undefined

  /** A text that asks, beside those with a question mark at the end. */
  readonly question: RegExp
  readonly firstPerson: RegExp
  /** What somebody said is asked for. */
  readonly saying: RegExp
  /** A heading above what is remembered. */
  readonly memory: RegExp
  readonly aboutMe: RegExp

  readonly thanks: RegExp
  readonly bye: RegExp
  /** A greeting at the beginning of a text. */
  readonly hello: RegExp
  readonly morning?: RegExp
  readonly afternoon?: RegExp
  readonly evening?: RegExp

  readonly heated: RegExp
  readonly laughs: RegExp

  /** What this model says itself, whoever seems to have said it. */
  readonly ownWords: RegExp
  /** The bot's name, as a persona begins. */
  readonly persona: RegExp
  /** A name as one speaks to somebody: with an honorific, where that is polite. */
  named?(name: string): string

  /** Said before a sentence that tells something. */
  readonly factLead?: RegExp
  /** Whether a sentence tells something that is worth keeping. */
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
  throw new KikimimiError('INTERNAL', 'The offline model has no file language/en.ts.')
}

/** A name as one speaks to somebody in a language. */
export function named(name: string, locale: Locale): string {
  return BY_LOCALE.get(locale)?.named?.(name) ?? name
}

type Keys = { [K in keyof Language]-?: Language[K] extends RegExp | undefined ? K : never }[keyof Language]

/** One pattern of all languages. */
export function inAnyLanguage(key: Keys): RegExp {
  return anyOf(LANGUAGES.map(language => language[key]))
}
