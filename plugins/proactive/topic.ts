/** The topics of texts, by their words. They suffice to tell whether two texts have the same topic. */
import { READ, tokensOf } from '@kikimimi/facts/tokens'
import { LANGUAGES } from './language.ts'

/** @param names names of people, which are no topics: a message about alice is not about her cat */
export function topicsIn(text: string, names: readonly string[] = []): string[] {
  const named = new Set(names.flatMap(wordsIn))
  return wordsIn(text).filter(word => !WEAK.has(word) && !named.has(word))
}

export function shareTopic(some: readonly string[], others: readonly string[]): boolean {
  return some.some(one => others.some(other => isSame(one, other)))
}

/** 花粉 and 花粉症, マラソン and フルマラソン. Latin words are stemmed before. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length > 1 && IDEOGRAPHIC.test(short) && (long.startsWith(short) || long.endsWith(short))
}

const IDEOGRAPHIC = /^[\p{sc=Han}\p{sc=Katakana}ー々〆]+$/u

function wordsIn(text: string): string[] {
  // The dictionary splits イヤホン and レイヤー, which would then have a part in common.
  const katakana = text.slice(0, READ).normalize('NFKC').match(KATAKANA) ?? []
  const words = tokensOf(text).filter(({ kind, text }) => kind === 'word' && !NO_NOUN.test(text))
  return [...new Set([...words.map(({ text }) => text), ...katakana])]
}

const KATAKANA = /\p{sc=Katakana}[\p{sc=Katakana}ー]*\p{sc=Katakana}/gu

/** No nouns: a number, one letter, a piece of katakana, Japanese that ends in hiragana (みんな, 食べ, 新しい). */
const NO_NOUN =
  /^(?:[\p{N}\p{P}]+|\p{sc=Latin}|[\p{sc=Katakana}ー]+|[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}々ー]*[\p{sc=Hiragana}])$/u

/** In the segmented or stemmed form. */
const WEAK = new Set(LANGUAGES.flatMap(({ written = '', cut = '' }) => [...wordsIn(written), ...cut.trim().split(/\s+/)]))
