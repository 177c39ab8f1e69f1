/** Which of the bot's languages people are talking in. */
import type { Locale } from './locale.ts'

/** How many of the last messages tell, and how much of each: the language is clear long before a long text ends. */
const MESSAGES = 15
const LENGTH = 500

/** Less than a few words tells nothing: "ok", "w", "了解". */
const ENOUGH = 8

/** A longer word counts as one of this length: Japanese is full of the names of products. */
const WORD = 5

/**
 * The language that people have mainly spoken in the last messages, the bot's own left out. One character of Japanese
 * counts as two letters, for it says as much. Talk in any other language is taken for English, and too little talk for
 * `fallback`.
 */
export function languageOf(messages: readonly { readonly text: string; readonly own: boolean }[], fallback: Locale): Locale {
  let kana = 0
  let han = 0
  let other = 0
  for (const { text } of messages.filter(({ own }) => !own).slice(-MESSAGES)) {
    for (const [piece] of text.slice(0, LENGTH).replace(FOREIGN, ' ').matchAll(PIECE)) {
      if (KANA.test(piece)) kana += piece.length
      else if (HAN.test(piece)) han += piece.length
      else other += Math.min(piece.length, WORD)
    }
  }
  const japanese = 2 * (kana + han)
  if (japanese + other < ENOUGH) return fallback
  // Chinese has no kana; a talk in Japanese is hardly ever without.
  return japanese > other && kana * 10 > han ? 'ja' : 'en'
}

/** Latin letters that are in every language: code, addresses, mentions, and emoji as platforms write them. */
const FOREIGN = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+|<[@#:a][^>\s]*>|:[\w+-]+:|[@#][\w.-]+/g

const KANA = /^[\p{sc=Hiragana}\p{sc=Katakana}ー]/u
const HAN = /^\p{sc=Han}/u
const PIECE = /[\p{sc=Hiragana}\p{sc=Katakana}ー]+|\p{sc=Han}+|[\p{L}--[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー]]+/gv
