/**
 * The texts of the page in the chosen language. Each file of `languages/` is one catalogue, and the server lists them: a new
 * language is a new file. Only the catalogue in use is loaded.
 */
import { languages } from '../site.js'
import { translated } from './reasons.js'
import { choose, setting } from './settings.js'

/**
 * @typedef {keyof typeof import('../languages/en.js').words} Word
 * @typedef {{ words: Readonly<Record<Word, string>>, reasons: readonly (readonly [english: string | RegExp, told: string])[] }} Catalogue
 */

/** @type {Catalogue} */
let catalogue
/** Resolves when there are texts. */
export const ready = setLanguage(preferred())

/** A text with its values. @param {Word} word @param {Record<string, string | number>} [values] */
export function say(word, values = {}) {
  return catalogue.words[word].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
}

/** Whether a text is the name of a word, as in the pages that the server describes. @param {string} text @returns {text is Word} */
export function isWord(text) {
  return Object.hasOwn(catalogue.words, text)
}

/** The reason of a plugin in the language of the page. @param {string} why */
export function reasonIn(why) {
  return translated(why, catalogue.reasons)
}

/** A BCP 47 tag, such as `ja`. */
export function language() {
  return document.documentElement.lang
}

/** Loads a catalogue and uses it from then on. @param {string} tag one of `languages` */
export async function setLanguage(tag) {
  const load = languages[tag]
  if (!load) return
  catalogue = await load()
  document.documentElement.lang = tag
}

/** Uses a language now and when the page is opened again. @param {string} tag */
export async function chooseLanguage(tag) {
  // Stored at once: a reload while the texts load keeps the choice.
  choose('language', tag)
  // Browsers do not ask again for a module that failed.
  if (failed.has(tag)) return location.reload()
  await setLanguage(tag).catch(error => {
    failed.add(tag)
    throw error
  })
}

/** Languages that could not be loaded. @type {Set<string>} */
const failed = new Set()

/** The chosen language, else the first supported language of the browser, else English. */
function preferred() {
  const wanted = [setting('language', ''), ...navigator.languages].map(tag => tag.split('-', 1)[0] ?? '')
  return wanted.find(tag => Object.hasOwn(languages, tag)) ?? 'en'
}
