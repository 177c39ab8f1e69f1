/**
 * Reads a request behind the time and the content, with the clauses around it: 「16時から面談なので、10分前に教えて」,
 * 「9時に「ゴミ」って言って。いつも忘れるから」.
 */
import { LEFT_OUT, type OrderText, orderText } from '@kikimimi/orders'
import { isOfDay, type Said, timesIn } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import type { Clauses } from '../language.ts'
import { cleaned, contentIn, type Found, isExactly, phrases, withOwnContent, without } from './content.ts'
import { besideEvent, isRelative } from './event.ts'
import type { Reader } from './reader.ts'
import { isForSomebody, type Named, withoutTarget } from './whom.ts'

type Part = Found['parts'][number]

/** Clauses at whose ends a request is looked for. */
const MOST_ENDS = 8

const NEVER = /(?!)/gu
/** Of a language without clauses around a request. */
const NONE = new Proxy<Clauses>(Object.create(null), { get: () => NEVER })
const clausesOf = ({ language }: Reader) => language.request.clauses ?? NONE

export function requestBehind(reader: Reader, said: OrderText, people: readonly Person[]): (Found & Named) | undefined {
  const given = uninverted(reader, said)
  const ends = [...given.text.matchAll(clausesOf(reader).pause)].map(({ index, 0: { length } }) => index + length)
  for (const [pattern, isClear] of [
    [reader.after, true],
    [reader.unsureAfter, false],
  ] as const) {
    for (const end of [given.text.length, ...ends.slice(-MOST_ENDS).reverse()]) {
      const head = given.slice(0, end)
      // Words such as "please" are a part of what asks, or polite words behind it.
      const said = [head.polite, head].find(one => pattern.test(one.text))
      const match = said && pattern.exec(said.text)
      if (!match) continue
      const { rest, whom } = withoutTarget(reader, said.slice(0, match.index), match[0], people)
      const tail = orderText(`${said.slice(match.index + match[0].length).original} ${given.slice(end).original}`, [])
      const found = behind(reader, rest, tail, { isClear, request: match[0] })
      if (found) return { ...withOwnContent(reader, found, match[0]), ...whom }
    }
  }
  return undefined
}

/** 「歯医者。リマインドは前日21時で」 is 「歯医者。前日21時にリマインドして」. */
function uninverted(reader: Reader, said: OrderText): OrderText {
  const { inverted } = clausesOf(reader)
  const match = inverted.exec(said.text)
  const time = match && said.slice(match.index + match[0].length)
  const end = time?.text.replace(reader.language.beforeTime, '').length
  if (!match || !time || end === undefined || reader.phrase(time.text.slice(0, end), 0)?.end !== end) return said
  return orderText(`${said.slice(0, match.index).original}。${time.slice(0, end).original}にリマインドして`, [])
}

function behind(
  reader: Reader,
  before: OrderText,
  tail: OrderText,
  { isClear, request }: { readonly isClear: boolean; readonly request: string },
): Found | undefined {
  const { language } = reader
  if (clausesOf(reader).continues.test(tail.text)) return undefined
  const aside = asideOf(reader, tail)
  // 「朝会のリマインダー、1時間半遅らせて」
  const { moves, cancels } = language.changes
  const { other, noun } = clausesOf(reader)
  const isNoun = noun.test(request)
  const isChange = [moves, cancels].some(one => one.test(tail.text))
  if (isChange && (isNoun || (aside.words && other.test(aside.words.text)))) return undefined
  const [context, own] = divided(reader, withoutFiller(reader, before))
  const found = context ? inContext(reader, context, own, { more: aside.said, isClear }) : contentIn(reader, own)
  const [first] = found?.parts ?? []
  if (!found || !first) return undefined
  const parts = (aside.said ? found.parts.map(one => timed(one, aside)) : found.parts).map(one => ({
    ...one,
    content: quotedIn(reader, one.content),
  }))
  const isExact = parts.every(({ said }) => said.every(isExactly))
  // 「銀行のリマインド、11時で」 can be a change.
  const isSet = !isNoun || !aside.said || aside.isStart === true || first.said.length > 0
  const content = cleaned(reader, quotedIn(reader, first.content))
  const isSure = found.isSure && aside.isSure && isSet && (isClear || isExact) && !isForSomebody(reader, content)
  if (!isClear) {
    const isTimed = parts.every(({ said }) => said[0] && isExactly(said[0]))
    const isDay = clausesOf(reader).quotes.test(before.text) && parts.every(({ said }) => said[0] && isOfDay(said[0]))
    if (!(isTimed || isDay) || language.question.test(first.content.text)) return undefined
    // A time in a name, 「17時の会議室を教えて」, asks for no reminder.
    if (!found.isSure && !aside.said && !phrases(reader, before.text).some(({ isLoose }) => isLoose)) return undefined
  }
  if (aside.words && content === '') return { parts: [{ ...first, content: aside.words }], isSure }
  if (content === '' && !isClear) return { parts, isSure: false }
  return { parts, isSure: isSure && !clausesOf(reader).points.test(content) && (!aside.words || aside.isReason === true) }
}

/** The quotation alone, where words before it only lead to it: 「もう限界、明日の9時に「点呼」って言って」. */
function quotedIn(reader: Reader, content: OrderText): OrderText {
  const at = content.text.lastIndexOf(LEFT_OUT)
  const isAll = /[、。！!…\s]$/u.test(content.text.slice(0, at)) && clausesOf(reader).quotes.test(content.text.slice(at))
  return at > 0 && isAll ? content.slice(at, at + 1) : content
}

// ---------------------------------------------------------------- what follows the request

interface Aside {
  /** A time of the reminder: 「時間は9時で」, 「初回は明日で」. */
  readonly said?: Said
  /** The first day of what repeats. */
  readonly isStart?: boolean
  readonly words?: OrderText
  /** The words tell why. */
  readonly isReason?: boolean
  readonly isSure: boolean
}

function asideOf(reader: Reader, tail: OrderText): Aside {
  const { first, timeOf, reason, filler } = clausesOf(reader)
  const lead = tail.text.length - tail.text.replace(/^[\s、,。.!！?？〜~ー…]+/u, '').length
  const words = tail.slice(lead).polite
  const { text } = words
  if (text.replace(filler, '').replace(/[\p{P}\p{S}\s]/gu, '') === '') return { isSure: true }
  const plain = text.replace(reader.language.beforeTime, '').replace(timeOf, '')
  const rest = plain.replace(first, '')
  const times = timesIn(rest)
  if (times && times.all.length === 1 && !times.isOpen) return { said: times.said, isStart: rest !== plain, isSure: true }
  // 「今日は暑いから」
  const isOther = phrases(reader, text).some(({ said: { days, ...more } }) => days !== 0 || Object.keys(more).length > 0)
  const isTimed = isOther || /\d\s?[:/時分日月年週]/u.test(text)
  return { words, isReason: reason.test(text), isSure: !isTimed && !reader.after.test(text) && !reader.unsureAfter.test(text) }
}

function timed(part: Part, { said: more = {}, isStart }: Aside): Part {
  const [own = {}] = part.said
  if (isStart) return { ...part, said: part.said.map(one => ({ ...one, start: more })) }
  return { ...part, said: [{ ...own, ...more }] }
}

// ---------------------------------------------------------------- what stands before it

/** Without a clause that says only that the speaker may forget it. */
function withoutFiller(reader: Reader, said: OrderText): OrderText {
  const match = clausesOf(reader).filler.exec(said.text)
  if (!match || match.index === 0) return said
  return orderText(`${said.slice(0, match.index).original}、${said.slice(match.index + match[0].length).original}`, [])
}

/** The clauses before the one of the request, and that one. */
function divided(reader: Reader, said: OrderText): readonly [context: OrderText | undefined, own: OrderText] {
  const last = [...said.text.matchAll(clausesOf(reader).divides)].at(-1)
  if (!last) return [undefined, said]
  const at = last.index + last[0].length
  return [said.slice(0, at), said.slice(at)]
}

/** 「来週の木曜が授業参観なので、前日の夜8時にスリッパを用意するように」 */
function inContext(
  reader: Reader,
  context: OrderText,
  own: OrderText,
  { more, isClear }: { readonly more: Said | undefined; readonly isClear: boolean },
): Found | undefined {
  const found = contentIn(reader, own)
  const [part] = found?.parts ?? []
  if (!found || !part) return undefined
  const times = phrases(reader, context.text)
  const [base] = times
  const isOne = times.length < 2 && !base?.isOpen && (base?.all.length ?? 1) === 1
  const content = cleaned(reader, part.content)
  const isPointing = clausesOf(reader).points.test(content)
  const about = content === '' ? aboutContext(reader, context) : part.content
  const [said] = part.said
  if (!said) {
    // 「明日9時に銀行。リマインドして」. Words that rarely ask do not say when to tell of an event.
    if (own.text === '' && base && !more) {
      const whole = contentIn(reader, context)
      return whole && { ...whole, isSure: whole.isSure && isClear }
    }
    return { parts: [{ said: base?.all ?? [], content: about }], isSure: (!base || more !== undefined) && !isPointing && isOne }
  }
  const isOfShift = isRelative(said)
  const day = times.find(one => isOfDay(one.said) || (isOfShift && one.said.hour !== undefined))
  // 「木曜は会議が10時からなので、9時50分に」
  const event = isOfShift || !day ? day?.said : { ...times.find(one => one.said.hour !== undefined)?.said, ...day.said }
  // 「13日の夜勤の前、15時に」
  const isOfEvent = clausesOf(reader).adverb.test(context.text)
  const beside = found.parts.map(one => one.said.map(each => besideEvent(each, event, isOfEvent)))
  const parts = found.parts.map((one, index) => ({
    ...one,
    said: beside[index]?.map(each => each.said) ?? [],
    content: content === '' || isOfShift ? about : one.content,
  }))
  const isKnown = beside.flat().every(({ isSure }) => isSure) && (isOfShift || found.isSure)
  return { parts, isSure: isKnown && !isPointing && ((content !== '' && !isOfShift) || isOne) }
}

/** What a clause tells, without the day: 「来週水曜の15時に歯医者なので、」 is 「15時に歯医者」. */
function aboutContext(reader: Reader, context: OrderText): OrderText {
  const { text } = context
  const end = clausesOf(reader).contextEnd.exec(text)?.index ?? text.length
  const told = context.slice(0, end).polite
  const [day] = phrases(reader, told.text).filter(({ said }) => isOfDay(said))
  if (!day) return told
  for (let at = day.from + 1; at < day.end; at++) {
    const time = reader.phrase(told.text, at)
    const before = reader.phrase(told.text.slice(0, at), day.from)
    if (time && time.end === day.end && !isOfDay(time.said) && before && isOfDay(before.said)) return without(told, day.from, at)
  }
  const rest = told.text.slice(day.end)
  // 「締切が3月20日」
  if (rest.trim() === '')
    return told.slice(0, day.from - (clausesOf(reader).subject.exec(told.text.slice(0, day.from))?.[0].length ?? 0))
  return without(told, day.from, day.end + (clausesOf(reader).dayEnd.exec(rest)?.[0].length ?? 0))
}
