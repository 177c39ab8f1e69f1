/** What the core itself says, in each language. Its files define which languages the product has. */
import type en from './locales/en.json'
import { type Locale, textsIn } from './texts.ts'

export const texts = textsIn<keyof typeof en>(new URL('./locales/', import.meta.url))

/** The languages of the product, English first. */
export const LOCALES: readonly Locale[] = texts.locales

/** The language of a client, `ja-JP`, as the product knows it: `ja`. Nothing for one that it does not speak. */
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
