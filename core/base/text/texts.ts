/**
 * The texts of the product: one file for each language, `locales/<locale>.json`. The listing of the folder gives the
 * languages.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { KikimimiError } from '../errors.ts'

/** A BCP 47 tag, such as `en` or `ja`. The languages of the product are those that {@link LOCALES} lists. */
export type Locale = string

/** One text in several languages. English replaces a missing language. */
export interface Translations {
  /** The English text. */
  readonly en: string
  readonly [locale: Locale]: string
}

/** Values for the `{{placeholders}}` of a text. Numbers are written as the language writes them; `count` selects the plural. */
export type TextValues = Readonly<Record<string, string | number>>

/** The key of a text. `minutes_one` and `minutes_other` are the plural forms of the text `minutes`. */
type KeyOf<K> = K extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : K

/** Looks up a text in one language. Throws TEXT_MISSING, and TEXT_VALUE_MISSING for a placeholder without a value. */
export type Say<K extends string = string> = (key: KeyOf<K>, values?: TextValues) => string

/** The texts of one package in all languages. */
export interface Texts<K extends string = string> {
  (locale: Locale): Say<K>
  /** The text of a key in each language, for `ChatCommand.does`. */
  all(key: KeyOf<K>): Translations
  /** The languages that have a file, English first. */
  readonly locales: readonly Locale[]
}

/** The language whose file has every text. */
export const FALLBACK = 'en'

const NAME = /^([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\./

/**
 * The texts of a package: `textsIn<keyof typeof en>(new URL('./locales/', import.meta.url))`. The files are flat, from keys
 * to texts with `{{placeholders}}`. English replaces a missing text.
 *
 */
export function textsIn<K extends string = string>(folder: URL): Texts<K> {
  const files = new Map(
    localesIn(folder, /\.json$/).map(
      ([locale, file]) => [locale, JSON.parse(readFileSync(new URL(file, folder), 'utf8'))] as const,
    ),
  )
  const known = new Map<Locale, Say>()

  function sayIn(locale: Locale): Say {
    const own = files.get(locale)
    const plural = new Intl.PluralRules(own ? locale : FALLBACK)
    const number = new Intl.NumberFormat(own ? locale : FALLBACK)
    return (key, values = {}) => {
      const { count } = values
      const keys = typeof count === 'number' ? [`${key}_${plural.select(count)}`, `${key}_other`, key] : [key]
      const text = [own, files.get(FALLBACK)]
        .flatMap(texts => keys.map(one => (texts && Object.hasOwn(texts, one) ? texts[one] : undefined)))
        .find(found => typeof found === 'string')
      if (text === undefined) {
        throw new KikimimiError(
          'TEXT_MISSING',
          `There is no text "${key}" in ${fileURLToPath(folder)}${FALLBACK}.json. Add it there.`,
        )
      }
      const formatted = Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'number' ? number.format(value) : value,
      ])
      return fill(
        text,
        Object.fromEntries(formatted),
        (value, given) =>
          new KikimimiError(
            'TEXT_VALUE_MISSING',
            `The text "${key}" of ${fileURLToPath(folder)} needs the value {{${value}}}. The given values are: ${given}.`,
          ),
      )
    }
  }

  const say = (locale: Locale): Say => {
    const found = known.get(locale) ?? sayIn(locale)
    if (files.has(locale)) known.set(locale, found)
    return found
  }
  const locales = [...files.keys()]
  const all = (key: string): Translations => ({
    ...Object.fromEntries(locales.map(locale => [locale, say(locale)(key)])),
    en: say(FALLBACK)(key),
  })
  return Object.assign(say, { locales, all })
}

/**
 * The modules of a folder, `language/<locale>.ts`, by language, English first: the words and patterns with which a plugin
 * understands people. People in one channel mix languages, so a plugin uses all of them.
 * @template T of the default export of each module
 */
export async function languagesIn<T>(folder: URL): Promise<ReadonlyMap<Locale, T>> {
  const found = localesIn(folder, /^[\w-]+\.[jt]s$/).map(async ([locale, file]) => {
    const { default: language }: { default: T } = await import(new URL(file, folder).href)
    return [locale, language] as const
  })
  return new Map(await Promise.all(found))
}

/** One pattern that matches what any of the patterns matches. All have the same flags. */
export function anyOf(patterns: readonly (RegExp | undefined)[]): RegExp {
  const given = patterns.filter(one => one !== undefined)
  return new RegExp(given.map(({ source }) => `(?:${source})`).join('|') || '(?!)', given[0]?.flags ?? '')
}

function localesIn(folder: URL, kind: RegExp): (readonly [Locale, string])[] {
  const files = readdirSync(folder).filter(file => kind.test(file) && NAME.test(file))
  const found = files.map(file => [NAME.exec(file)?.[1] ?? '', file] as const)
  return found.sort(([one], [other]) => Number(other === FALLBACK) - Number(one === FALLBACK) || (one < other ? -1 : 1))
}

const VALUE = /\{\{\s*([\w.-]+)\s*\}\}/g

/** The names of the placeholders of a text. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(VALUE)].flatMap(([, value]) => value ?? [])
}

/**
 * Fills in each `{{placeholder}}`, once: what a value contains is never expanded.
 *
 * @param missing the error for a value that was not given; `given` are the names of the values that were
 */
export function fill(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
  missing: (value: string, given: string) => Error,
): string {
  return text.replace(VALUE, (_, value: string) => {
    const given = Object.hasOwn(values, value) ? values[value] : undefined
    if (given !== undefined) return given
    throw missing(value, Object.keys(values).join(', ') || 'none')
  })
}
