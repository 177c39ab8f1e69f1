/** Words that several people use, and that nobody has explained. */
import type { Message } from 'kikimimi'
import { hasWord, keyOf } from '../definitions.ts'
import { LANGUAGES } from '../language.ts'

export interface Candidate {
  readonly word: string
  /** The messages that have it, oldest first. */
  readonly said: readonly Message[]
}

/** Abbreviations, words with a digit or a capital letter inside, and short words of Katakana. */
const WORD =
  /(?<![\p{L}\p{N}])(?:\p{Lu}{2,8}|\p{L}{1,10}\p{N}{1,6}\p{L}{0,10}|\p{Lu}?\p{Ll}{1,12}\p{Lu}\p{L}{0,12}|[\p{sc=Katakana}ー]{3,6})(?![\p{L}\p{N}])/gu

/** People and messages that use a word. */
const PEOPLE = 2
const MESSAGES = 3
/** Words for one call of a model. */
const MOST = 10

/** @param isKnown whether a word is explained, or a model was asked for it */
export function candidatesIn(messages: readonly Message[], isKnown: (word: string) => boolean): readonly Candidate[] {
  const said = new Map<string, { readonly word: string; readonly in: Set<Message> }>()
  for (const message of messages) {
    for (const [word] of message.text.slice(0, 1_000).normalize('NFKC').matchAll(WORD)) {
      const key = keyOf(word)
      if (LANGUAGES.some(({ common }) => common?.test(word))) continue
      const found = said.get(key) ?? { word, in: new Set() }
      said.set(key, found)
      found.in.add(message)
    }
  }
  const names = messages.map(({ author }) => author.name)
  return [...said.values()]
    .map(({ word, in: has }) => ({ word, said: [...has] }))
    .filter(one => one.said.length >= MESSAGES && new Set(one.said.map(({ author }) => author.id)).size >= PEOPLE)
    .filter(({ word }) => !isKnown(word) && !names.some(name => hasWord(name, word)))
    .toSorted((a, b) => b.said.length - a.said.length)
    .slice(0, MOST)
}
