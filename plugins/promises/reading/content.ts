/** Tells the time in a request from its content. */
import { LEFT_OUT, type OrderText, orderText } from '@kikimimi/orders'
import { isOfDay, type Phrase, type Said } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { besideEvent, isRelative } from './event.ts'
import { matches, type Reader } from './reader.ts'

/** What was read of a text, before it is known which instants are meant. */
export interface Found {
  /** `isOpen`: one of the times is meant. `targets`: the people of this part, where the parts are for others. */
  readonly parts: readonly {
    readonly said: readonly Said[]
    readonly content: OrderText
    readonly isOpen?: boolean
    readonly targets?: readonly (Person | undefined)[]
  }[]
  readonly isSure: boolean
  /** Other words stand before the request. Another order of the text is meant rather than it. */
  readonly isLoose?: boolean
}

interface Place extends Phrase {
  readonly from: number
  /** The text says when. Otherwise the time belongs to a word of the content: "the 3pm meeting", 「金曜の会議」. */
  readonly isLoose: boolean
}

/** All phrases of times in a text, the longest at each place. */
export function phrases(reader: Reader, text: string): readonly Place[] {
  const { phrase, isUnspaced, owner, adverbial } = reader
  const found: Place[] = []
  for (let at = 0; at < text.length; at++) {
    if (!isUnspaced && at > 0 && !/[\s,(]/u.test(text[at - 1] ?? '')) continue
    const one = phrase(text, at)
    // 「昼寝」 and 「3月末」 have no time of their own in them.
    const isInWord =
      isUnspaced && one && (/\d/.test(text[at - 1] ?? '') || (isPart(one.said) && /^\p{sc=Han}/u.test(text.slice(one.end))))
    if (!one || isInWord) continue
    const isEnd = /^[\s.,!?。、]*$/u.test(text.slice(one.end))
    const isLoose = isUnspaced
      ? isEnd ||
        text[one.end] === LEFT_OUT ||
        (one.said.after !== undefined && !text.startsWith('の', one.end)) ||
        matches(adverbial, text, one.end) > one.end
      : !owner.test(text.slice(0, at)) &&
        !/^(?:about |of )?the $/.test(text.slice(at, one.begin)) &&
        (isEnd || one.begin > at || matches(adverbial, text, one.end) > one.end)
    found.push({ ...one, from: at, isLoose })
    at = one.end - 1
  }
  return found
}

/** Whether words that rarely ask for a reminder have a time of the clock. */
export const isExactly = ({ hour, after, repeat, part, weekdays, sameTime, shift }: Said) =>
  [hour, after, repeat, weekdays, part, sameTime, shift].some(one => one !== undefined)

const isPart = (said: Said) => said.part !== undefined && Object.keys(said).length === 1

/** Without a time that the next one takes back: "tomorrow, no wait, friday", 「明日、じゃなくて明後日」. */
export function corrected(reader: Reader, said: OrderText): OrderText {
  if (!reader.language.corrects.test(said.text)) return said
  const all = phrases(reader, said.text)
  for (const [index, one] of all.entries()) {
    const next = all[index + 1]
    const between = said.text.slice(one.end, next?.from)
    if (!next || between.replace(reader.language.corrects, '').replace(/[\s,、.…]+/gu, '') !== '' || between === '') continue
    const isSame = Object.keys(next.said).some(key => key in one.said) && isOfDay(next.said) === isOfDay(one.said)
    if (isSame && reader.language.corrects.test(between)) return without(said, one.from, next.from)
  }
  return said
}

export function contentIn(reader: Reader, said: OrderText): Found | undefined {
  return reader.isUnspaced ? byParticles(reader, said) : byPlace(reader, said)
}

/** The time stands at the start of the words, or at their end. */
function byPlace(reader: Reader, said: OrderText): Found | undefined {
  const { connective, phrase, language } = reader
  const { text } = said
  const lead = phrase(text, 0)
  if (lead) {
    const start = matches(connective, text, lead.end)
    const content = said.slice(start)
    const others = phrases(reader, content.text)
    const last = others.findLast(({ isLoose, end }) => isLoose && /^[\s.,!?]*$/u.test(content.text.slice(end)))
    const hasTime = lead.said.hour !== undefined || lead.said.part !== undefined || lead.said.after?.ms !== undefined
    if (start === lead.end && content.text !== '') {
      // What follows no connective can be more of the time.
      const isOwned = others.every(({ from }) => language.due.test(content.text.slice(0, from)))
      const isPlain = isOwned && !/^\W*\d|\sto\s|^\W*[-+~]\d/u.test(content.text) && /^[\s,]/u.test(text.slice(lead.end))
      return { parts: [{ said: lead.all, content, isOpen: lead.isOpen }], isSure: !lead.isOpen && isPlain }
    }
    const ofLast = last?.said ?? {}
    const isOverlapping = Object.keys(ofLast).some(key => key in lead.said)
    const completes =
      last &&
      lead.all.length === 1 &&
      !isOverlapping &&
      !language.clause.test(content.text.slice(0, last.from)) &&
      !language.exception.test(content.text)
    const isWhole = hasTime && (isOfDay(lead.said) || !last || !isOfDay(ofLast))
    if (completes && !isWhole)
      return { parts: [{ said: [{ ...lead.said, ...ofLast }], content: content.slice(0, last.from) }], isSure: false }
    return { parts: [{ said: lead.all, content, isOpen: lead.isOpen }], isSure: !lead.isOpen }
  }
  const start = matches(connective, text, 0)
  const all = phrases(reader, text)
  const last = all.at(-1)
  if (!last) return { parts: [{ said: [], content: said.slice(start) }], isSure: true }
  const isEnd = /^[\s.,!?]*$/u.test(text.slice(last.end))
  const before = text.slice(0, last.from)
  const isOther = all.some(one => one !== last && one.isLoose) || language.due.test(before)
  const content = isEnd ? said.slice(start, Math.max(start, last.from)) : said.slice(start)
  return {
    parts: [{ said: last.all, content, isOpen: last.isOpen }],
    isSure: isEnd && last.isLoose && !isOther && !last.isOpen && content.text !== '',
  }
}

/** Particles tell the time from the words: 「明日9時に」 says when, 「金曜の」 belongs to the content. */
function byParticles(reader: Reader, said: OrderText): Found | undefined {
  const { text } = said
  const { language } = reader
  const all = phrases(reader, text)
  const loose = all.filter(({ isLoose }) => isLoose)
  const [first] = all
  if (!first) return { parts: [{ said: [], content: said }], isSure: true }
  const [, second] = loose
  if (second && loose.length === all.length && first.from === 0) {
    // 「10時に会議、12時にランチ」
    const parts = loose.map(({ all: times, end }, index) => {
      const start = matches(reader.adverbial, text, end)
      return { said: times, content: said.slice(start, Math.max(start, loose[index + 1]?.from ?? text.length)) }
    })
    const isDivided = loose.slice(1).every(({ from }) => /[、,と]\s*$/u.test(text.slice(0, from)))
    const isSure =
      isDivided &&
      loose.every(one => !one.isOpen && one.said.hour !== undefined) &&
      parts.every(({ content }) => cleaned(reader, content) !== '')
    const day = first.said
    const of = (one: Said) => (isOfDay(day) && !isOfDay(one) ? { ...day, ...one } : one)
    if (isSure) return { parts: parts.map(part => ({ ...part, said: part.said.map(of) })), isSure }
  }
  // 「土曜9時バイト 日曜14時準備 両方」
  const isStart = ({ from }: Place) => from === 0 || /[、,\s]$/u.test(text.slice(0, from))
  const isListed = all.length > 1 && loose.length < all.length && first.from === 0 && language.changes.both.test(text)
  if (isListed && all.every(one => isStart(one) && !one.isOpen && one.said.hour !== undefined)) {
    const parts = all.map(({ all: times, end }, index) => {
      const start = matches(reader.adverbial, text, end)
      return { said: times, content: said.slice(start, Math.max(start, all[index + 1]?.from ?? text.length)) }
    })
    return { parts, isSure: parts.every(({ content }) => cleaned(reader, content).length > 1) }
  }
  const merged = second && loose.length === 2 ? mergedIn(reader, said, [first, ...all.slice(1)], loose) : undefined
  if (merged) return merged
  const isBareOne = ({ end }: Place) => !/^(?:の|から|まで|より|だ|って|で)/u.test(text.slice(end))
  const chosen = loose.at(-1) ?? all.find(isBareOne) ?? first
  const others = all.filter(other => other !== chosen)
  const isBare = !chosen.isLoose && isBareOne(chosen)
  // 「15時のMTG、10分前に」, 「4/3の式の…、前日の正午に」
  const base = isRelative(chosen.said) && chosen.said.hour === undefined ? others[0] : undefined
  const beside = base && besideEvent(chosen.said, base.said)
  const times = beside ? [beside.said] : chosen.all
  // 「月末の31日17時に」
  const isBeside = others.some(({ end }) => end < chosen.from && /^[のは\s]*$/u.test(text.slice(end, chosen.from)))
  // 「明日の会議の10分前に」 does not say when the meeting is.
  const isNoEvent = !(beside ?? besideEvent(chosen.said, isRelative(chosen.said) ? chosen.said : undefined)).isSure
  const isDayElsewhere = !base && !isOfDay(chosen.said) && others.some(({ said: other }) => isOfDay(other))
  // 「さくらが15時に来るって言って」
  const isInClause = chosen.from > 0 && reader.language.request.clauses?.subject.test(text.slice(0, chosen.from).trimEnd())
  const isSure =
    isBeside || isInClause || isNoEvent
      ? false
      : loose.length === 1
        ? !isDayElsewhere || chosen.from === 0
        : loose.length === 0 && isBare && chosen.from === 0 && others.length === 0
  const end = chosen.isLoose ? matches(reader.adverbial, text, chosen.end) : chosen.end
  const rest = chosen.from === 0 ? said.slice(end) : said.slice(0, chosen.from)
  const tail = chosen.from === 0 ? '' : text.slice(end)
  const content =
    base && said.slice(end).text !== '' && base.from === 0
      ? said.slice(end)
      : tail.trim() === ''
        ? rest
        : said.slice(end).text.length > 0 && rest.text.replace(reader.contentEnd, '') === ''
          ? said.slice(end)
          : joined(reader, said, chosen, end)
  return { parts: [{ said: times, content, isOpen: chosen.isOpen }], isSure: isSure && !chosen.isOpen }
}

/** 「明日、眼科の予約、9時に」, 「夕方6時に看板をしまうの、毎日」: a day and a time, each at the end of the words or at the beginning of a part. */
function mergedIn(reader: Reader, said: OrderText, all: readonly Place[], loose: readonly Place[]): Found | undefined {
  const { text } = said
  const [one, other] = loose
  if (
    !one ||
    !other ||
    all.some(place => !loose.includes(place)) ||
    loose.some(({ isOpen, all: times }) => isOpen || times.length > 1)
  )
    return undefined
  const isTime = ({ said: { hour, part, after } }: Place) => [hour, part, after].some(each => each !== undefined)
  const [day, time] = isTime(one) ? [other, one] : [one, other]
  const isPart = (place: Place) => place.from === 0 || /[、,\s]$/u.test(text.slice(0, place.from))
  if (isTime(day) || !isTime(time) || isOfDay(time.said) || !isOfDay(day.said) || !loose.every(isPart)) return undefined
  const end = matches(reader.adverbial, text, other.end)
  const middle = said.slice(matches(reader.adverbial, text, one.end), other.from)
  const content = orderText(`${said.slice(0, one.from).original}${middle.original}${said.slice(end).original}`, [])
  return { parts: [{ said: [{ ...day.said, ...time.said }], content }], isSure: true }
}

/** The words at both sides of the time, without a reason or what belongs to the time: 「20時の便に乗るから17時に…」, 「閉店前の20時半に…」. */
function joined(reader: Reader, said: OrderText, { from, isLoose }: Place, end: number): OrderText {
  const before = said.text.slice(0, from)
  const isOfTime =
    isLoose &&
    /[のるたいうくすぬむぶぐつ]$/u.test(before) &&
    !/^(?:だ|な|です)/u.test(said.text.slice(end)) &&
    phrases(reader, before).length === 0 &&
    !reader.language.request.unread?.test(before)
  if (isOfTime || /(?:から|ので|んで|だし|けど)[、,\s]*$/u.test(before)) return said.slice(end)
  return without(said, from, end)
}

/** "Wake me tomorrow at 6" is in the morning, and says what it is about, as "set a timer" does. */
export function withOwnContent(reader: Reader, found: Found, request: string): Found {
  const one = reader.language.request.says?.find(({ asks }) => asks.test(request))
  if (!one) return found
  const isHalf = ({ hour, sure, part }: Said) => one.isEarly === true && hour !== undefined && !sure && !part
  const parts = found.parts.map(part => ({
    ...part,
    said: part.said.map(said => (isHalf(said) ? { ...said, part: { hour: 6, half: 'am' } as const } : said)),
    content: cleaned(reader, part.content) === '' && part.said.length > 0 ? orderText(one.content, []) : part.content,
  }))
  const isEmpty = found.parts.every(({ content, isOpen }) => !isOpen && cleaned(reader, content) === '')
  const isNow = found.parts.some(({ said }) => said.some(each => isHalf(each) && (!isOfDay(each) || each.days === 0)))
  return { ...found, parts, isSure: (found.isSure || (isEmpty && !found.isLoose)) && !isNow }
}

/** The text without a part of it. */
export function without(said: OrderText, from: number, to: number): OrderText {
  return orderText(`${said.slice(0, from).original}${said.slice(to).original}`, [])
}

/** Without a clause that says why. */
function explained({ request: { explains } }: Reader['language'], content: OrderText): OrderText {
  const at = explains ? content.text.search(explains.clause) : -1
  return at < 3 || explains?.not.test(content.text.slice(0, at)) ? content : content.slice(0, at)
}

/** The content as the person wrote it, without what joins it to the request and the time. */
export function cleaned({ contentStart, contentEnd, language }: Reader, given: OrderText): string {
  const content = explained(language, given).polite
  const start = contentStart.exec(content.text)?.[0].length ?? 0
  const rest = content.slice(start)
  const end = contentEnd.exec(rest.text)?.index ?? rest.text.length
  const words = rest.slice(0, end)
  const { original } = words
  return words.text === LEFT_OUT ? original.replace(/^[「『"“](.*)[」』"”]$/u, '$1').trim() : original.trim()
}
