/** Finds the content of an order to remember or forget. The content is a part of the text, character by character. */
import { LANGUAGES } from './language.ts'

/** The content of the order; undefined if the text is no such order. */
export function contentToRemember(said: string): string | undefined {
  if (LANGUAGES.some(({ noContent }) => noContent?.test(said))) return undefined
  return firstMeant(LANGUAGES.flatMap(({ contents }) => contents(said)))
}

/** The topic of the order; undefined if neither the first sentence nor the text is one. The sentences after an order explain it. */
export function topicToForget(said: string): string | undefined {
  const [, first = '', rest = '?'] = SENTENCES.exec(said) ?? []
  return (/[?？]/.test(rest) ? undefined : topicIn(first)) ?? topicIn(said)
}

/** A full stop after up to four letters may be that of an abbreviation. */
const SENTENCES = /^(.+?)(?:(?:(?<!\b\p{L}{1,4})\.|[!;])\s|[。！])\s*(\S[\s\S]*)$/u

function topicIn(said: string): string | undefined {
  return firstMeant(LANGUAGES.map(({ topic }) => topic(said)))
}

function firstMeant(found: readonly (string | undefined)[]): string | undefined {
  return found.map(content => (content === undefined ? undefined : meant(content))).find(content => content !== undefined)
}

/** A content that contains a question or another request needs an answer instead. An order does not begin with a quote. */
function meant(content: string): string | undefined {
  const text = content.trim()
  if (/^[>＞]|[?](?:\s|$)|？/mu.test(text) || LANGUAGES.some(({ emptyContent }) => emptyContent?.test(text))) return undefined
  return text.replace(/[\p{P}\p{S}\s]/gu, '').replace(/\p{sc=Han}/gu, 'kanji').length < SHORTEST ? undefined : text
}

/** Minimum length of a content. One kanji is a word. */
const SHORTEST = 2
