/** The questions that others have not answered. */
import { probabilityOf, speechActOf } from '@kikimimi/speech-acts'
import { isNew, type Room } from './answers.ts'
import type { Line } from './lines.ts'
import { does, givesUp, READ } from './signs.ts'

/** Characters of a question. */
const SHORTEST = 12
/** An answer comes within so many milliseconds and messages of others. */
const WITHIN = 90 * 60_000
const OTHERS = 12
/** Messages after the question that are looked at. */
const LOOKED = 4 * OTHERS
/** The asker accepts an answer within so many messages of others. */
const ACCEPTS = 3
/** A message without a reply mark answers by its form, or by its words, among so many first ones. */
const NEAR = { number: 2, form: 2, words: 3, decision: 8 }
/** Least probability of an answer by the form of the first message of another person, and with a word in common. */
const FORM = 0.25
const WITH_WORD = 0.1

export function openIn(room: Room, decided: readonly Line[], names: readonly string[]): readonly Line[] {
  const decisions = new Set(decided)
  return room.lines.filter((line, at) => {
    if (line.isCall || !line.asks || line.text.length < SHORTEST || does('rhetorical', line) || does('solved', line)) return false
    return !isAnswered({ room, line, decisions, names }, room.lines.slice(at + 1, at + 1 + LOOKED))
  })
}

interface Question {
  readonly room: Room
  readonly line: Line
  readonly decisions: ReadonlySet<Line>
  readonly names: readonly string[]
}

function isAnswered(question: Question, after: readonly Line[]): boolean {
  const { line } = question
  /** Messages of others, the last of them, and whether one has opened another subject. */
  let others = 0
  let last: Line | undefined
  let isOther = false
  for (const next of after) {
    if (others >= OTHERS || next.at.getTime() - line.at.getTime() > WITHIN) return false
    if (next.author.id === line.author.id) {
      if (others <= ACCEPTS && needsNoMore(next, last, question.names)) return true
      continue
    }
    if (answers(question, next, others, isOther)) return true
    isOther ||= isNew(next, line)
    last = next
    others++
  }
  return false
}

/** Whether the asker has found the answer, or accepts what another person has said. */
function needsNoMore(next: Line, last: Line | undefined, names: readonly string[]): boolean {
  if (does('solved', next)) return true
  if (!last || last.asks || next.asks) return false
  return does('assents', next) || does('settles', next) || givesUp(next, names)
}

/** @param others the number of messages of others between the question and this one */
function answers({ room, line, decisions }: Question, next: Line, others: number, isOther: boolean): boolean {
  if (next.replyTo !== undefined && next.replyTo !== line.id) return false
  // A digest quotes the question.
  if (does('unknown', next) || (next.bot && next.replyTo === undefined)) return false
  if (next.to.has(line.author.id)) return true
  if (next.asks) return false
  if (next.replyTo !== undefined) return true
  if (!isOther && others <= NEAR.decision && decisions.has(next)) return true
  if (others <= NEAR.number && does('amount', line) && does('number', next)) return true
  const shared = room.inCommon(line, next)
  if (does('proposes', line) && (shared > 0 || does('assents', next) || does('objects', next))) return true
  if (others > NEAR.words) return false
  if (shared > 1 || (others === 0 && does('assents', next))) return true
  const act = speechActOf(next.text.slice(0, READ), { names: [], before: { text: line.text.slice(0, READ), by: 'other' } })
  const [answered, accepted] = [probabilityOf(act, ['answered']), probabilityOf(act, ['nod', 'retraction'])]
  if (shared > 0 && answered + accepted >= WITH_WORD) return true
  return others <= NEAR.form && (others === 0 ? answered + accepted : answered / (1 + others / 2)) >= FORM
}
