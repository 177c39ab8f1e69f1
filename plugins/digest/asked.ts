/** Recognises a question about what happened. The whole message must ask it. */
import { LANGUAGES, type Spoken } from './language.ts'

export interface Asked {
  /** From when on. Absent: since the person last spoke. */
  readonly since?: Spoken
}

/** Maximum length of such a question. A longer text says more. */
const LONGEST = 120

/** @param names names of the bot */
export function readAsked(text: string, names: readonly string[]): Asked | undefined {
  if (text.length > LONGEST) return undefined
  const words = plainWords(text, names)
  const close = words.replaceAll(' ', '')
  if (!LANGUAGES.some(({ asks }) => asks.test(words) || asks.test(close))) return undefined
  const since = readSince(words)
  return since ? { since } : {}
}

/** A time in words, such as `yesterday`. */
export function readSince(text: string): Spoken | undefined {
  const words = plainWords(text.slice(0, LONGEST), [])
  return LANGUAGES.map(({ since }) => since(words)).find(found => found !== undefined)
}

/** The words in lower case and folded width, without punctuation and without the call. */
function plainWords(text: string, names: readonly string[]): string {
  const said = plain(text.replace(/<[@#:a][^<>\s]{0,100}>/g, ' '))
  const calls = names.map(plain).filter(name => name !== '')
  return calls.reduce((rest, name) => withoutCall(rest, name), said)
}

/** A name in letters of an alphabet stands alone anywhere; another one is looked for at both ends. */
function withoutCall(words: string, name: string): string {
  if (/^[a-z0-9 ]+$/.test(name)) return ` ${words} `.replaceAll(` ${name} `, ' ').trim()
  const rest = words.startsWith(name) ? words.slice(name.length).trim() : words
  return rest.endsWith(` ${name}`) ? rest.slice(0, -name.length).trim() : rest
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[\p{P}\p{S}\p{M}\p{C}\s]+/gu, ' ')
    .trim()
}
