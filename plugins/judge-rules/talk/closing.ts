import { alternatives, inAnyLanguage } from '../language.ts'
import { fold, spoken } from './spoken.ts'

const WORD = new RegExp(`(?:${alternatives('closing')})(?![a-z0-9])`, 'uy')
/** Punctuation, emoji as characters and in the notation of platforms, smileys. */
const MARKS = /:[\w+-]+:|<a?:\w+:\d+>|[:;=8]-?[dp3o](?![a-z0-9])|[^\p{L}\p{N}'ー]/gu
/** A longer message has a content. */
const LONGEST = 60

/** Whether a message only acknowledges: "ok, thanks!", 「うん、了解でーす」, 👍. */
export function closes(text: string): boolean {
  const said = fold(spoken(text)).trim()
  if (said === '' || said.length > LONGEST || ASKS.test(said)) return false
  const words = said.replace(MARKS, ' ')
  return isNothingElse(words) || isNothingElse(words.replace(/[ー~]/g, ''))
}

function isNothingElse(words: string): boolean {
  let rest = words.replace(/\s+/g, ' ').trim()
  // Word by word, without backtracking, so that no input makes this slow.
  while (rest !== '') {
    WORD.lastIndex = 0
    const [word] = WORD.exec(rest) ?? []
    if (!word) return false
    rest = rest.slice(word.length).replace(/^[ー~ ]+/u, '')
  }
  return true
}

/**
 * Whether the author thanks or says goodbye in other words: "that's all I needed, thanks", 「もう寝るね、また明日」.
 * An author who thanks at length, or asks for more, is not leaving.
 */
export function takesLeave(text: string): boolean {
  const said = fold(text)
  return said.length <= 80 && !ASKS.test(said) && !GOES_ON.test(said) && LEAVES.test(said)
}

const ASKS = /[?？؟]/

const GOES_ON = inAnyLanguage('goesOn')

const LEAVES = inAnyLanguage('leaves')
