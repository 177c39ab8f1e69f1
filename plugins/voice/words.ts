/** What is worth recording of a transcript, and what is worth saying of an answer. */
import { splitText } from 'kikimimi'

/** Longest transcript of one utterance, in UTF-16 code units. */
const HEARD = 2_000
/** Longest text that is spoken. The rest is read. */
const SPOKEN = 1_500
/** Longest text of one call of the model, so that the first words are heard soon. */
const PIECE = 300

/** What a person has said. Undefined for noise: models write `[BLANK_AUDIO]`, `(coughs)` and `♪` for it. */
export function utteranceIn(transcript: string): string | undefined {
  const text = transcript.replace(/\s+/g, ' ').trim().slice(0, HEARD)
  const words = text.replace(/\[[^[\]]*\]|\([^()]*\)|（[^（）]*）|\*[^*]*\*/g, '')
  return /[\p{L}\p{N}]/u.test(words) ? text : undefined
}

/** A text of the bot as it is spoken: without code, addresses, marks and emoji, in pieces. */
export function spokenPieces(text: string): readonly string[] {
  const plain = text
    .replace(/```[^`]*(?:```|$)/g, ' ')
    .replace(/<a?:\w{1,32}:\d{1,20}>/g, ' ')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<?https?:\/\/[^\s>]+>?/g, ' ')
    .replace(/[*~`]+/g, '')
    .replace(/[_|#>]+/g, ' ')
    .replace(/\p{Extended_Pictographic}|\u{FE0F}|\u{200D}/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
  const [spoken = ''] = splitText(plain, SPOKEN)
  return splitText(spoken, PIECE).filter(piece => /[\p{L}\p{N}]/u.test(piece))
}
