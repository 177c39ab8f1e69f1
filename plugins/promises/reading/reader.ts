/** The patterns of each language with which requests are read. */
import { TIME_READERS, type TimeReader } from '@kikimimi/times'
import { BY_LOCALE, type Language } from '../language.ts'

export interface Reader extends TimeReader {
  readonly language: Language
  readonly before: RegExp
  readonly unsureBefore: RegExp
  readonly after: RegExp
  readonly unsureAfter: RegExp
  readonly connective: RegExp
  readonly owner: RegExp
  readonly adverbial: RegExp
  readonly contentStart: RegExp
  readonly contentEnd: RegExp
  readonly noise: RegExp
}

const NEVER = '(?!)'

export const READERS: readonly Reader[] = [...BY_LOCALE].flatMap(([locale, language]) => {
  const { before, after, ...words } = language.request
  const times = TIME_READERS.get(locale)
  if (!times) return []
  return {
    ...times,
    language,
    before: new RegExp(before.sure, 'dgu'),
    unsureBefore: new RegExp(before.unsure, 'dgu'),
    after: new RegExp(after?.sure ?? NEVER, 'u'),
    unsureAfter: new RegExp(after?.unsure ?? NEVER, 'u'),
    connective: new RegExp(words.connective ?? NEVER, 'uy'),
    owner: new RegExp(words.owner ?? NEVER, 'u'),
    adverbial: new RegExp(words.adverbial, 'uy'),
    contentStart: new RegExp(`^(?:${words.contentStart})`, 'u'),
    contentEnd: new RegExp(`(?:${words.contentEnd})$`, 'u'),
    noise: new RegExp(`^(?:${words.noise})`, 'u'),
  }
})

/** Where the pattern ends at a place of the text, or the place itself. */
export const matches = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
