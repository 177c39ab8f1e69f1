/** How much the bot has talked: what keeps it from talking more. */
import type { Message } from 'kikimimi'
import { addressees } from './partners.ts'

/** The share of talk is that of the last twenty times that somebody had the word. */
const TIMES = 20
/** With fewer a share says nothing. */
const ENOUGH = 5
/** Among many people the even share is tiny: one word in three is what makes a bot tiresome. */
const FAIR = 1 / 3

/** Whether the bot had the word more often than its even share, and than one time in three. */
export function isTalkative({ author }: Message, before: readonly Message[]): boolean {
  const times = before.filter(({ author, own }, at) => speaker(author.id, own) !== speakerOf(before[at - 1])).slice(0, TIMES)
  if (times.length < ENOUGH) return false
  const people = new Set(times.map(({ author, own }) => speaker(author.id, own))).add(speaker(author.id, false)).add(BOT)
  return times.filter(({ own }) => own).length / times.length > Math.max(1 / people.size, FAIR)
}

const BOT = ''

function speaker(id: string, own: boolean): string {
  return own ? BOT : id
}

function speakerOf(message: Message | undefined): string | undefined {
  return message && speaker(message.author.id, message.own)
}

const RECENT = 5 * 60_000
/** A longer pause is no pause within a thought. */
const PAUSE = 60_000

/** How often the bot began to speak within five minutes with nobody having called on it since its words before. */
export function unaskedWords({ at }: Message, before: readonly Message[]): number {
  let count = 0
  for (const [index, word] of before.entries()) {
    if (at.getTime() - word.at.getTime() > RECENT) break
    if (!word.own) continue
    const earlier = before.findIndex(({ own }, other) => own && other > index)
    const previous = before[earlier]
    if (previous && word.at.getTime() - previous.at.getTime() <= PAUSE) continue
    if (!before.slice(index + 1, earlier < 0 ? undefined : earlier).some(({ addressed }) => addressed)) count++
  }
  return count
}

/** So many messages of others after the bot's words mean that nobody will take them up. */
const PASSED_OVER = 3

/** Whether the talk went on past the bot's last words: nobody called on it, and those it spoke to said nothing. */
export function isOverlooked(before: readonly Message[], ownAt: number): boolean {
  const word = before[ownAt]
  if (!word || ownAt < PASSED_OVER) return false
  const since = before.slice(0, ownAt)
  const to = addressees(word, before.slice(ownAt + 1))
  return !since.some(({ addressed, author }) => addressed !== undefined || to.has(author.id))
}
