/** Every word of the page, in the language that was chosen. */
import { language } from './settings.js'
import { en } from './words-en.js'
import { ja } from './words-ja.js'

const both = { en, ja }

/** @typedef {keyof typeof en} Word */

/** @param {Word} word @param {Record<string, string | number>} [values] */
export function say(word, values = {}) {
  return both[language()][word].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
}
