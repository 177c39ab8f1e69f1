/** Orders that say themselves what is to be remembered or forgotten. What they say is a part of the text, as it stands there. */
import { LANGUAGES } from './language.ts'

/** What the order is about; nothing when the text is no such order. */
export function contentToRemember(said: string): string | undefined {
  if (LANGUAGES.some(({ noContent }) => noContent?.test(said))) return undefined
  return firstMeant(LANGUAGES.flatMap(({ contents }) => contents(said)))
}

export function topicToForget(said: string): string | undefined {
  return firstMeant(LANGUAGES.map(({ topic }) => topic(said)))
}

function firstMeant(found: readonly (string | undefined)[]): string | undefined {
  return found.map(content => (content === undefined ? undefined : meant(content))).find(content => content !== undefined)
}

/** A question or another wish among it wants an answer, and no order begins by quoting somebody. */
function meant(content: string): string | undefined {
  const text = content.trim()
  if (/^[>＞]|[?](?:\s|$)|？/mu.test(text) || LANGUAGES.some(({ emptyContent }) => emptyContent?.test(text))) return undefined
  return text.replace(/[\p{P}\p{S}\s]/gu, '').replace(/\p{sc=Han}/gu, 'kanji').length < SHORTEST ? undefined : text
}

/** Nothing worth keeping, or looking for, is shorter. One kanji is a word. */
const SHORTEST = 2
