import { alternatives, inAnyLanguage } from '../language.ts'
import { fold, spoken } from './spoken.ts'

const WORD = new RegExp(`(?:${alternatives('closing')})(?![a-z0-9])`, 'uy')
/** Marks, emoji as characters and as platforms write them, smileys. */
const MARKS = /:[\w+-]+:|<a?:\w+:\d+>|[:;=8]-?[dp3o](?![a-z0-9])|[^\p{L}\p{N}'ー]/gu
/** Whoever says more than that has something to say. */
const LONGEST = 60

/** Whether a message only takes note: "ok, thanks!", 「うん、了解でーす」, 👍. */
export function closes(text: string): boolean {
  const said = fold(spoken(text)).trim()
  if (said === '' || said.length > LONGEST || ASKS.test(said)) return false
  const words = said.replace(MARKS, ' ')
  return isNothingElse(words) || isNothingElse(words.replace(/[ー~]/g, ''))
}

function isNothingElse(words: string): boolean {
  let rest = words.replace(/\s+/g, ' ').trim()
  // Word by word, without a way back: what people type must not make this slow.
  while (rest !== '') {
    WORD.lastIndex = 0
    const [word] = WORD.exec(rest) ?? []
    if (!word) return false
    rest = rest.slice(word.length).replace(/^[ー~ ]+/u, '')
  }
  return true
}

/**
 * Whether somebody thanks or says goodbye, in words of their own: "that's all I needed, thanks", 「もう寝るね、また明日」.
 * Who thanks at length, or wants something more, is not leaving.
 */
export function takesLeave(text: string): boolean {
  const said = fold(text)
  return said.length <= 80 && !ASKS.test(said) && !GOES_ON.test(said) && LEAVES.test(said)
}

const ASKS = /[?？؟]/

const GOES_ON = inAnyLanguage('goesOn')

const LEAVES = inAnyLanguage('leaves')
