/** The texts of the offline model, in each language. */
import { type Locale, textsIn } from 'kikimimi/model'
import type en from './locales/en.json'

export const texts = textsIn<keyof typeof en>(new URL('./locales/', import.meta.url))

/** The text of the banner at the start. */
export function offlineGreeting(locale: Locale): string {
  return texts(locale)('banner')
}
