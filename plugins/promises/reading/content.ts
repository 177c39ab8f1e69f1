/** Tells the time in a request from its content. */
import { LEFT_OUT, type OrderText, orderText } from '@kikimimi/orders'
import { isOfDay, type Phrase, type Said } from '@kikimimi/times'
import { matches, type Reader } from './reader.ts'

/** What was read of a text, before it is known which instants are meant. */
export interface Found {
  /** `isOpen`: one of the times is meant. */
  readonly parts: readonly { readonly said: readonly Said[]; readonly content: OrderText; readonly isOpen?: boolean }[]
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
      ? isEnd || matches(adverbial, text, one.end) > one.end
      : !owner.test(text.slice(0, at)) &&
        text.slice(at, one.begin) !== 'the ' &&
        (isEnd || one.begin > at || matches(adverbial, text, one.end) > one.end)
    found.push({ ...one, from: at, isLoose })
    at = one.end - 1
  }
  return found
}

const isPart = (said: Said) => said.part !== undefined && Object.keys(said).length === 1

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
      const isPlain =
        others.length === 0 && !/^\W*\d|\sto\s|^\W*[-+~]\d/u.test(content.text) && /^[\s,]/u.test(text.slice(lead.end))
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
      parts.every(({ content }) => cleaned(reader, content).length > 1)
    const day = first.said
    const of = (one: Said) => (isOfDay(day) && !isOfDay(one) ? { ...day, ...one } : one)
    if (isSure) return { parts: parts.map(part => ({ ...part, said: part.said.map(of) })), isSure }
  }
  const isBareOne = ({ end }: Place) => !/^(?:の|から|まで|より|だ|って|で)/u.test(text.slice(end))
  const chosen = loose.at(-1) ?? all.find(isBareOne) ?? first
  const others = all.filter(other => other !== chosen)
  const isBare = !chosen.isLoose && isBareOne(chosen)
  // 「15時のMTG、10分前に」, 「4/3の式の…、前日の正午に」
  const { shift, hour } = chosen.said
  const base = shift && hour === undefined && !isOfDay(chosen.said) ? others[0] : undefined
  const times = base ? [{ ...base.said, ...chosen.said }] : chosen.all
  const isDayElsewhere = !base && !isOfDay(chosen.said) && others.some(({ said: other }) => isOfDay(other))
  const isSure =
    loose.length === 1
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
          : joined(said, chosen.from, end)
  return { parts: [{ said: times, content, isOpen: chosen.isOpen }], isSure: isSure && !chosen.isOpen }
}

/** The words at both sides of the time, without a reason: 「20時の便に乗るから17時に…」. */
function joined(said: OrderText, from: number, end: number): OrderText {
  if (/(?:から|ので|んで|だし|けど)[、,\s]*$/u.test(said.text.slice(0, from))) return said.slice(end)
  return without(said, from, end)
}

/** The text without a part of it. */
export function without(said: OrderText, from: number, to: number): OrderText {
  return orderText(`${said.slice(0, from).original}${said.slice(to).original}`, [])
}

/** The content as the person wrote it, without what joins it to the request and the time. */
export function cleaned({ contentStart, contentEnd }: Reader, given: OrderText): string {
  const content = given.polite
  const start = contentStart.exec(content.text)?.[0].length ?? 0
  const rest = content.slice(start)
  const end = contentEnd.exec(rest.text)?.index ?? rest.text.length
  const words = rest.slice(0, end)
  const { original } = words
  return words.text === LEFT_OUT ? original.replace(/^[「『"“](.*)[」』"”]$/u, '$1').trim() : original.trim()
}
