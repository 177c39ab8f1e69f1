/** Chooses what a digest tells: what is for the reader, decisions, open questions, and the longest talks. */
import { worthOf } from '@kikimimi/speech-acts/rules'
import type { Said } from '../log/said.ts'
import { Room } from './answers.ts'
import { decidedIn } from './decisions.ts'
import { type Line, linesOf } from './lines.ts'
import { openIn } from './questions.ts'
import { type Talk, talksIn } from './talks.ts'

export interface Chosen {
  /** What speaks to the reader. Empty for a channel. */
  readonly forYou: readonly Said[]
  readonly decided: readonly Said[]
  /** Open questions. */
  readonly open: readonly Said[]
  /** The other talks, those with the most to tell first. */
  readonly talks: readonly ChosenTalk[]
  /** All talks: those with a message of the above first, then those with the most to tell. */
  readonly whole: readonly Talk[]
  /** The number of messages and of people. */
  readonly messages: number
  readonly people: number
}

/** A talk by the message that began it and the one that tells most. */
export interface ChosenTalk {
  readonly begins: Said
  readonly tells?: Said
  readonly said: readonly Said[]
  /** The number of people. */
  readonly people: number
}

/** Number of messages of each kind. */
const MOST = { forYou: 5, decided: 10, open: 5 } as const
/** What one person says alone tells at least this much, by `worthOf`. */
const LITTLE = 2
/** Characters of a message that can tell what a talk is about. */
const TELLING = 12
/** Characters without which a message says nothing. */
const SAYS = /\p{L}.*\p{L}/su

export interface Reader {
  /** Names of the bot. */
  readonly names: readonly string[]
  /** Whether a message speaks to the person who asks. */
  isFor(said: Said): boolean
}

export function choose(said: readonly Said[], { names, isFor }: Reader): Chosen {
  const all = linesOf(said)
  const talks = talksIn(all)
  const people = all.filter(({ bot }) => !bot)
  const forYou = people.filter(one => isFor(one) && SAYS.test(one.text)).slice(-MOST.forYou)
  const rooms = [...Map.groupBy(all, ({ conversation }) => conversation).values()].map(lines => new Room(lines))
  const byTime = (lines: readonly Line[]) => lines.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const decisions = rooms.map(room => ({ room, lines: decidedIn(room) }))
  const decided = byTime(decisions.flatMap(({ lines }) => lines))
    .filter(one => !forYou.includes(one))
    .slice(-MOST.decided)
  const shown = new Set<Line>([...forYou, ...decided])
  const open = byTime(decisions.flatMap(({ room, lines }) => openIn(room, lines, names)))
    .filter(one => !shown.has(one))
    .slice(-MOST.open)
  for (const one of open) shown.add(one)
  const ranked = talks.map(talk => ({ talk, points: pointsOf(talk) })).sort((one, other) => other.points - one.points)
  const [first = [], after = []] = [true, false].map(isShown =>
    ranked.map(({ talk }) => talk).filter(({ said }) => said.some(one => shown.has(one)) === isShown),
  )
  const others = after.flatMap(talk => chosenOf(talk) ?? [])
  const telling = others.filter(({ people, begins }) => people > 1 || worthOf(begins.text) > LITTLE)
  // Without anything else, a greeting is news.
  const rest = shown.size + telling.length > 0 ? telling : others
  return {
    ...{ forYou, decided, open, talks: rest, whole: [...first, ...after] },
    messages: people.length,
    people: new Set(people.map(({ author }) => author.id)).size,
  }
}

/** Messages count less the more there are, people more than messages. A talk of one person tells little. */
function pointsOf({ said }: Talk): number {
  const people = new Set(said.filter(({ bot }) => !bot).map(({ author }) => author.id)).size
  return Math.log2(1 + said.length) + Math.min(people - 1, 1)
}

function chosenOf({ said }: Talk): ChosenTalk | undefined {
  const people = said.filter(({ bot, text }) => !bot && SAYS.test(text))
  const counts = [...Map.groupBy(people, ({ author }) => author.id).values()].sort((one, other) => other.length - one.length)
  // The two who talk most: a line of another person can belong to another talk.
  const main = people.filter(({ author }) => counts.slice(0, 2).some(([one]) => one?.author.id === author.id))
  const begins = main.find(({ asks }) => asks) ?? main.find(({ text }) => text.length >= TELLING) ?? main[0]
  if (!begins) return undefined
  const later = people.filter(one => one.at >= begins.at && one !== begins)
  const tells = later.reduce<Said | undefined>(
    (best, one) => (worthOf(one.text) > (best ? worthOf(best.text) : 1) ? one : best),
    undefined,
  )
  return { begins, ...(tells && { tells }), said, people: counts.length }
}
