/** Normalizes the text of a message for the model. */
import { markNames, type Names } from './names.ts'

/** Scripts without spaces between words. */
export const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]+`/g
/** A quoted line. `>` directly before a name is no quotation: it addresses the person. */
const QUOTED_LINE = /^[ \t]*>+(?!\s*@?[⌂⍟]).*$/gm
/** Text in quotation marks. It is replaced by a sign, unless the whole message is quoted. */
const QUOTED = /「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|"[^"\n]*"/g
const LINK = /(?:https?:\/\/|www\.)\S+/g
const SHORTCODE = /:([a-z][\w+-]*):/g
const EMOJI_PARTS = /[\u200d\ufe0f]|\p{Emoji_Modifier}/gu
const SMILEY = /(?<![\p{L}\p{N}])[:;=]['-]?[)dp3(](?![\p{L}\p{N}])|\^\^|<3/gu
const LAUGHTER = /(?<=[^a-z]|^)w{1,}(?![a-z0-9])|笑|(?<=\P{L}|^)草(?!\p{L})|\b(?:lo+l|lmao|rofl|(?:ha){2,}h?)\b/gu

/** Lower case, with one sign for links, numbers, quotations and laughter, hiragana for katakana, and without stretched letters. */
export function plain(text: string, names: Names): string {
  const said = markNames(text.normalize('NFKC').toLowerCase().replace(CODE, ' ⌁ '), names)
    .replace(/@(?=⌂)/g, '')
    .replace(QUOTED_LINE, ' ')
    .replace(LINK, ' ⌁ ')
    .replace(SHORTCODE, ' $1 ')
    .replace(EMOJI_PARTS, '')
    .replace(/[’‘`]/g, "'")
  const words = said.replace(QUOTED, whole => (whole.length >= said.trim().length ? whole.slice(1, -1) : ' “ '))
  return words
    .replace(/(\p{L})'(?=\p{L})/gu, '$1')
    .replace(/\d+(?:[.,:]\d+)*/g, '0')
    .replace(SMILEY, ' ☺ ')
    .replace(LAUGHTER, ' ☻ ')
    .replace(/[ァ-ヶ]/g, letter => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(/(?<=[ぁ-んー一-龠])[ー〜~]+|[〜~]+/g, '')
    .replace(/(?<=[えけせてねへめれげぜでべぺ])ぇ+|(?<=[あかさたなはまやらわがざだばぱ])[ぁあ]+(?=[\s!?。、]|$)/g, '')
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/([!?.,、。…])\1+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
