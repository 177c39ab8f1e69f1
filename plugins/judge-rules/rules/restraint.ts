/** Measures of how much the bot has talked. They limit it. */

import { addressees } from '@kikimimi/addressing/partners'
import type { Message } from 'kikimimi'

/** The share is measured over the last twenty speaker changes. */
const TIMES = 20
/** Minimum number of speaker changes for a share. */
const ENOUGH = 5
/** Among many people the even share is small. A bot becomes tiresome from one third on. */
const FAIR = 1 / 3

/** Whether the bot spoke more often than its even share, and more than one third of the time. */
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
/** A longer pause separates two contributions. */
const PAUSE = 60_000

/** How often the bot spoke unasked within five minutes. */
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

/** After this many messages of other people, the bot's words count as ignored. */
const PASSED_OVER = 3

/**
 * Whether the conversation ignored the bot's last words: no message addressed it, and the people it spoke to wrote nothing.
 */
export function isOverlooked(before: readonly Message[], ownAt: number): boolean {
  const word = before[ownAt]
  if (!word || ownAt < PASSED_OVER) return false
  const since = before.slice(0, ownAt)
  const to = addressees(word, before.slice(ownAt + 1))
  return !since.some(({ addressed, author }) => addressed !== undefined || to.has(author.id))
}
