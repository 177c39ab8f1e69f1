/**
 * Finds names in messages. Spaces show where a word ends in most scripts. In Japanese the word breaker tells 陸 from 大陸, and the
 * words after a name tell きき、 from ききたい.
 */
import { alternatives, inAnyLanguage } from '../language.ts'
import { ends, fold, spoken } from './spoken.ts'
import { placesOf } from './words.ts'

/** A name in its sentence. Both sides are folded; stretched letters are shortened, and emoji and laughter are pauses. */
export interface NameInSentence {
  /** The sentence up to the name. */
  readonly before: string
  /** The rest of the sentence, with the mark at its end. */
  readonly after: string
  /** The next word is the family name of a person: "Kiki Smith". */
  readonly isFirst: boolean
}

/** Finds names in texts. */
export function findsNames(names: readonly string[]): (text: string) => readonly NameInSentence[] {
  const find = placesOf(names)
  return text => {
    const said = plain(text)
    const families = new Set(Array.from(text.slice(0, READ).matchAll(BEHIND_CAPITAL), ([word]) => fold(word)))
    return find(said)
      .slice(0, MOST)
      .flatMap(({ at, length }) => {
        const before = said.slice(Math.max(0, at - REACH), at)
        const after = said.slice(at + length, at + length + REACH).replace(DRAWN_OUT, '')
        const name = said.slice(at, at + length)
        const sentence = FIRST_SENTENCE.exec(after)?.[0] ?? ''
        if (!standsAlone(before, name, after) || REPORTS.test(after.slice(sentence.length))) return []
        const isFirst = families.has(NEXT_WORD.exec(sentence)?.[1] ?? '')
        return { before: before.slice(before.search(LAST_SENTENCE)), after: sentence, isFirst }
      })
  }
}

/** Characters in which names of two words are looked for. */
const READ = 2_000
/** A word with a capital behind another one. */
const BEHIND_CAPITAL = /(?<=\p{Lu}\p{Ll}{1,30} )\p{Lu}\p{Ll}+/gu
const NEXT_WORD = /^ (\p{L}+)/u

/** How many places of names are read. */
const MOST = 100

/** Characters on each side that can tell whether a name is a call. */
const REACH = 160

const LAST_SENTENCE = /(?:(?![!?。\n])(?!(?<!\d)\.\s).)*$/u
const REPORTS = inAnyLanguage('reports')
const FIRST_SENTENCE = /^.*?(?:[!?。\n]+|(?<!\d)\.(?=\s|$)|$)/u

/** キキー！, ききぃ */
const DRAWN_OUT = /^(?:[ー~〜]|[ぁぃぅぇぉァィゥェォっッ]+(?![\p{L}ー]))+/u

/** A folded message without code and quotations. */
function plain(text: string): string {
  return fold(ends(spoken(text)).replace(QUOTED, '“”').replace(MACHINE, '').replace(EMOJI, '…'))
    .replace(/[‘’]/g, "'")
    .replace(/\.{2,}/g, '…')
    .replace(LAUGHTER, '…')
    .replace(/([\p{L}ー~〜])\1{2,}/gu, '$1')
}

/** Words in quotation marks of any script, on one line. */
const QUOTED =
  /「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|"[^"\n]*"|(?<![\p{L}\p{N}])['‘][^'‘’\n]*['’](?![\p{L}\p{N}])/gu

/** Lines of a shell: commands and errors. */
const MACHINE = /^[ \t]*[$%#][ \t].*|^.*(?:command not found|no such file or directory|permission denied).*/gim

const EMOJI =
  /(?:[\p{Extended_Pictographic}\p{Regional_Indicator}](?:\p{Emoji_Modifier}|\u200d|\ufe0f)*)+|<a?:\w+:\d+>|:[a-z][\w+-]*:|(?:(?<!\d)[:;]|(?<!\S)=)['-]?[)(DPp3](?!\w)|<3/gu

const LAUGHTER = new RegExp(alternatives('laughter'), 'gu')

function standsAlone(before: string, name: string, after: string): boolean {
  const rest = after.replace(HONORIFIC, '')
  // キキ・スミス
  if (/^・\p{sc=Katakana}/u.test(after) || /\p{sc=Katakana}・$/u.test(before)) return false
  if (/^[\w@]/.test(name) && !/^@?$/.test(CODE_BEFORE.exec(before)?.[0] ?? '')) return false
  if (/\w$/.test(name) && !/^[.:-]*$/.test(CODE_AFTER.exec(rest)?.[0] ?? '')) return false
  if (HANGUL_START.test(name) && HANGUL_END.test(before)) return false
  const goesOn = HANGUL_END.test(name) ? HANGUL_START : HIRAGANA_END.test(name) ? HIRAGANA_START : undefined
  if (goesOn?.test(rest) && !ATTACHED.test(after) && !ATTACHED.test(rest)) return false
  const right = rest === after ? after.slice(0, NEAR) : '、'
  return (
    (!UNSPACED_START.test(name) || breaksAt(before.slice(-NEAR), name + right)) &&
    (!UNSPACED_END.test(name) || breaksAt(before.slice(-NEAR) + name, right))
  )
}

const HONORIFIC = new RegExp(`^(?:${alternatives('honorifics')})`, 'u')
/** Words that may follow a name without a space. */
const ATTACHED = new RegExp(`^(?:${alternatives('attached')})`, 'u')

/** Paths, files, addresses, flags and assignments. */
const CODE_BEFORE = /[\w./\\@:=#$%&+-]{0,40}$|(?<!\S)!$/
const CODE_AFTER = /^(?:[\w./\\@:=#$%&+-]|\((?=\w*\))){0,40}/

const HANGUL_START = /^[가-힣]/
const HANGUL_END = /[가-힣]$/
const HIRAGANA_START = /^\p{sc=Hiragana}/u
const HIRAGANA_END = /\p{sc=Hiragana}$/u
const UNSPACED_START = /^[\p{sc=Han}\p{sc=Hiragana}]/u
const UNSPACED_END = /[\p{sc=Han}\p{sc=Hiragana}]$/u

/** Characters that the word breaker sees on each side. */
const NEAR = 12

const WORDS = new Intl.Segmenter('ja', { granularity: 'word' })

/** Whether a word ends where two texts meet. */
function breaksAt(left: string, right: string): boolean {
  return right === '' || WORDS.segment(left + right).containing(left.length)?.index === left.length
}
