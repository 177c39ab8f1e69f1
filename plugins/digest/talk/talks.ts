/**
 * Divides what was said into talks: threads, replies, and in a channel in which several people talk at the same time, who speaks to
 * whom, who goes on, and what it is about.
 */
import { contentWords } from '@kikimimi/speech-acts/rules'
import type { Said } from '../log/said.ts'
import { addresseesOf, namesOf } from './addressees.ts'
import { asks } from './signs.ts'

/** Messages that belong together, oldest first. */
export interface Talk {
  readonly said: Said[]
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
  readonly words: Map<string, number>[]
}

export function talksIn(said: readonly Said[]): readonly Talk[] {
  const places = Map.groupBy(said, ({ channel }) => channel)
  return [...places.values()].flatMap(inChannel).sort((one, other) => timeOf(one) - timeOf(other))
}

function timeOf({ said: [first] }: Talk): number {
  return first?.at.getTime() ?? 0
}

function inChannel(said: readonly Said[]): readonly Talk[] {
  const talks: Growing[] = []
  /** The talk of each message, by its id. */
  const of = new Map<string, Growing>()
  const threads = new Map<string, Growing>()
  const names = namesOf(said)
  const rare = rarity(said)
  /** The latest messages at the top level, the latest first, with the people to whom they speak. */
  const recent: { readonly one: Said; readonly to: ReadonlySet<string>; readonly talk: Growing }[] = []

  for (const one of said) {
    const words = contentWords(one.text.slice(0, 500))
    const to = addresseesOf(one, names)
    const talk = (one.thread === undefined ? among(one, to, words) : threadOf(one)) ?? begin()
    talk.said.push(one)
    talk.words.push(words)
    of.set(one.id, talk)
    if (one.thread === undefined) {
      recent.unshift({ one, to, talk })
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
  function threadOf({ thread = '' }: Said): Growing {
    const talk = threads.get(thread) ?? of.get(thread) ?? begin()
    threads.set(thread, talk)
    return talk
  }

  function among(one: Said, to: ReadonlySet<string>, words: Map<string, number>): Growing | undefined {
    const replied = one.replyTo === undefined ? undefined : of.get(one.replyTo)
    if (replied) return replied
    const age = (other: Said) => one.at.getTime() - other.at.getTime()
    const isCalled = recent.filter(other => to.has(other.one.author.id) && age(other.one) < CALLED)
    // The one who is called has spoken to the caller, or is called again; else the latest words of that person count.
    const called =
      isCalled.find(other => other.to.has(one.author.id)) ?? recent.find(other => isAgain(other, one, to)) ?? isCalled[0]
    if (called) return called.talk
    if (to.size > 0) return undefined
    const own = recent.find(other => other.one.author.id === one.author.id)
    const spoken = recent.find(other => other.to.has(one.author.id) && age(other.one) < OVER)
    const isNew = asks(one) && words.size > 2
    // An answer to the one who spoke to this person, unless the person has spoken since.
    if (spoken && (!own || own.one.at <= spoken.one.at)) return spoken.talk
    if (own && age(own.one) < GOES_ON && !(isNew && likeness(words, own.talk) === 0 && age(own.one) > MINUTE)) return own.talk
    const alike = mostAlike(words, one)
    if (alike) return alike
    if (own && !isNew && age(own.one) < OVER) return own.talk
    const going = new Set(recent.filter(other => age(other.one) < CALM).map(({ talk }) => talk))
    const [only] = going
    return going.size === 1 && !isNew ? only : undefined
  }

  function mostAlike(words: Map<string, number>, { at }: Said): Growing | undefined {
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
  function likeness(words: Map<string, number>, talk: Growing): number {
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
function isAgain(
  { one: { author, at }, to }: { readonly one: Said; readonly to: ReadonlySet<string> },
  { author: { id }, at: now }: Said,
  people: ReadonlySet<string>,
): boolean {
  return author.id === id && now.getTime() - at.getTime() < CALLED && [...people].some(person => to.has(person))
}

/** How rare a word is: 1 for a word of one message, nearly 0 for one of every message. */
function rarity(said: readonly Said[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of said)
    for (const word of contentWords(text.slice(0, 500)).keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const most = Math.log(said.length + 1)
  return new Map([...counts].map(([word, count]) => [word, 1 - Math.log(count) / most]))
}
