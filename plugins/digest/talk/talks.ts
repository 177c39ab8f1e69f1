/**
 * Divides what was said into talks: threads, replies, and in a channel in which several people talk at the same time, who speaks to
 * whom, who goes on, and what it is about.
 */
import type { Line } from './lines.ts'

/** Messages that belong together, oldest first. */
export interface Talk {
  readonly said: Line[]
}

const MINUTE = 60_000
/** A talk without a message for so long is over, in milliseconds. */
const OVER = 30 * MINUTE
/** A person who is called by name answers, or goes on, within this time. */
const CALLED = 60 * MINUTE
/** A person goes on with their own talk within this time. */
const GOES_ON = 2 * MINUTE
/** In a calm channel, in which one talk goes on at a time, the next message belongs to it within this time. */
const CALM = 10 * MINUTE
/** Least similarity of a message and a talk, from 0 to 1. */
const ALIKE = 0.4
/** Talks that are looked at, those with the latest messages. */
const OPEN = 40
/** Messages of a talk whose words count. */
const WORDS_OF = 8

/** A talk while messages are added. */
interface Growing extends Talk {
  readonly words: Line['words'][]
}

export function talksIn(said: readonly Line[]): readonly Talk[] {
  const places = Map.groupBy(said, ({ channel }) => channel)
  return [...places.values()].flatMap(inChannel).sort((one, other) => timeOf(one) - timeOf(other))
}

function timeOf({ said: [first] }: Talk): number {
  return first?.at.getTime() ?? 0
}

function inChannel(said: readonly Line[]): readonly Talk[] {
  const talks: Growing[] = []
  /** The talk of each message, by its id. */
  const of = new Map<string, Growing>()
  const threads = new Map<string, Growing>()
  const rare = rarity(said)
  /** The latest messages at the top level, the latest first, with the people to whom they speak. */
  const recent: { readonly one: Line; readonly talk: Growing }[] = []

  for (const one of said) {
    const talk = (one.thread === undefined ? among(one) : threadOf(one)) ?? begin()
    talk.said.push(one)
    talk.words.push(one.words)
    of.set(one.id, talk)
    if (one.thread === undefined) {
      recent.unshift({ one, talk })
      recent.length = Math.min(recent.length, 2 * OPEN)
    }
  }
  return talks

  function begin(): Growing {
    const talk: Growing = { said: [], words: [] }
    talks.push(talk)
    return talk
  }

  /** A thread is one talk, with the message that it hangs on. */
  function threadOf({ thread = '' }: Line): Growing {
    const talk = threads.get(thread) ?? of.get(thread) ?? begin()
    threads.set(thread, talk)
    return talk
  }

  function among(one: Line): Growing | undefined {
    const { to, words } = one
    const replied = one.replyTo === undefined ? undefined : of.get(one.replyTo)
    if (replied) return replied
    const age = (other: Line) => one.at.getTime() - other.at.getTime()
    const isCalled = recent.filter(other => to.has(other.one.author.id) && age(other.one) < CALLED)
    // The one who is called has spoken to the caller, or is called again; else the latest words of that person count.
    const called =
      isCalled.find(other => other.one.to.has(one.author.id)) ?? recent.find(other => isAgain(other.one, one)) ?? isCalled[0]
    if (called) return called.talk
    if (to.size > 0) return undefined
    const own = recent.find(other => other.one.author.id === one.author.id)
    const spoken = recent.find(other => other.one.to.has(one.author.id) && age(other.one) < OVER)
    const isNew = one.asks && words.size > 2
    // An answer to the one who spoke to this person, unless the person has spoken since.
    if (spoken && (!own || own.one.at <= spoken.one.at)) return spoken.talk
    if (own && age(own.one) < GOES_ON && !(isNew && likeness(words, own.talk) === 0 && age(own.one) > MINUTE)) return own.talk
    const alike = mostAlike(one)
    if (alike) return alike
    if (own && !isNew && age(own.one) < OVER) return own.talk
    const going = new Set(recent.filter(other => age(other.one) < CALM).map(({ talk }) => talk))
    const [only] = going
    return going.size === 1 && !isNew ? only : undefined
  }

  function mostAlike({ at, words }: Line): Growing | undefined {
    const open = [...new Set(recent.map(({ talk }) => talk))].filter(
      ({ said }) => at.getTime() - (said.at(-1)?.at.getTime() ?? 0) < OVER,
    )
    const points = open.slice(0, OPEN).map(talk => ({ talk, points: likeness(words, talk) }))
    const best = points.reduce<(typeof points)[number] | undefined>(
      (top, each) => (each.points > (top?.points ?? 0) ? each : top),
      undefined,
    )
    return best && best.points >= ALIKE ? best.talk : undefined
  }

  /** The share of the weight of the words that the last messages of the talk have too. Rare words weigh more. */
  function likeness(words: Line['words'], talk: Growing): number {
    const known = new Set(talk.words.slice(-WORDS_OF).flatMap(each => [...each.keys()]))
    let [shared, whole] = [0, 1]
    for (const [word, weight] of words) {
      const points = weight * (rare.get(word) ?? 1)
      whole += points
      if (known.has(word)) shared += points
    }
    return shared / whole
  }
}

/** Whether a message is of the same person, to the same person. */
function isAgain(before: Line, { author, at, to }: Line): boolean {
  const isRecent = before.author.id === author.id && at.getTime() - before.at.getTime() < CALLED
  return isRecent && [...to].some(person => before.to.has(person))
}

/** How rare a word is: 1 for a word of one message, nearly 0 for one of every message. */
function rarity(said: readonly Line[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { words } of said) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const most = Math.log(said.length + 1)
  return new Map([...counts].map(([word, count]) => [word, 1 - Math.log(count) / most]))
}
