/** Two bots that answer each other: the bot is silent until a person writes. */
import type { Message, Silence, Turn } from '../../api/index.ts'

/** How often in a row the bot answers other bots. */
const IN_A_ROW = 5
/**
 * The same for accounts that do not say that they are bots: the bot stops when they have answered it so many times in a row, and wrote so
 * many characters a second meanwhile. People reach 18 for a moment (https://en.wikipedia.org/wiki/Words_per_minute), and must read the
 * answer before. They paste long texts, but not so often in a row.
 */
const TOO_FAST = [
  { times: IN_A_ROW, speed: 30 },
  { times: 3 * IN_A_ROW, speed: 8 },
]
/** Characters a second that nobody types. An account that was never so fast is a person. */
const TYPED = 20
/** The accounts are answered again after so many milliseconds. */
const PAUSE = 15_000
/** A shorter text is written fast. */
const SHORT = 20

export function amongBots(turn: Turn): Silence | undefined {
  const { messages, history, conversation } = turn
  if (messages.every(({ author }) => author.bot)) {
    const person = history.findLastIndex(({ own, author }) => !own && !author.bot)
    const spoken = history.slice(person + 1).filter(({ own }) => own)
    return spoken.length < IN_A_ROW ? undefined : { kind: 'silent', why: 'the limit of replies to bots in a row is reached' }
  }
  if (conversation.visibility === 'direct') return undefined
  const [before, latest] = history.slice(-2)
  // A person who was taken for a bot is answered again after a pause.
  if (!before || !latest || latest.at.getTime() - before.at.getTime() > PAUSE) return undefined
  const answers = answersOf(history)
  const isFast = TOO_FAST.some(({ times, speed }) => answers.length >= times && speedOf(answers.slice(-times)) >= speed)
  return isFast
    ? { kind: 'silent', why: 'the account answers faster than people type, like a bot: the limit of replies in a row' }
    : undefined
}

interface Answer {
  readonly account: string
  readonly length: number
  /** From the message of the bot before it. */
  readonly ms: number
}

/** The answers to the bot at the end of a talk with accounts of which each was once faster than people type. */
function answersOf(history: readonly Message[]): readonly Answer[] {
  const answers = history.map((message, at): Answer | undefined => {
    const before = history[at - 1]
    if (!message.addressed || !before?.own || message.text.length < SHORT) return undefined
    const ms = message.at.getTime() - before.at.getTime()
    // What came before the answer was not written after it.
    return ms > 0 ? { account: message.author.id, length: message.text.length, ms } : undefined
  })
  const fast = new Set(answers.flatMap(answer => (answer && speedOf([answer]) >= TYPED ? [answer.account] : [])))
  const person = history.findLastIndex(({ own, author }) => !own && !fast.has(author.id))
  return answers.slice(person + 1).filter(answer => answer !== undefined)
}

/** In characters a second. */
function speedOf(answers: readonly Answer[]): number {
  const sum = (of: (answer: Answer) => number) => answers.reduce((total, answer) => total + of(answer), 0)
  return sum(({ length }) => length) / (sum(({ ms }) => ms) / 1_000)
}
