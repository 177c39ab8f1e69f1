/** The texts of the core, in each language. Their files define the languages of the product. */
import type en from './locales/en.json'
import { type Locale, textsIn } from './texts.ts'

export const texts = textsIn<keyof typeof en>(new URL('./locales/', import.meta.url))

/** Says the texts in one language. */
export type CoreSay = ReturnType<typeof texts>

/** The languages of the product, English first. */
export const LOCALES: readonly Locale[] = texts.locales

/** The language of the product for a client's language: `ja` for `ja-JP`. Nothing for an unknown one. */
export function knownLocale(locale: string | undefined): Locale | undefined {
  const language = locale?.replace(/[-_].*/, '').toLowerCase()
  return LOCALES.find(one => one === locale) ?? LOCALES.find(one => one === language)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago something was: `3 hours ago`, `3時間前`. */
export function ago(ms: number, locale: Locale): string {
  const say = texts(locale)
  const found = UNITS.find(([, length]) => ms >= length)
  return found ? say(`ago.${found[0]}`, { count: Math.floor(ms / found[1]) }) : say('ago.now')
}
