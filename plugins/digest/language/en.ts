import type { Language } from '../language.ts'
import { type Day, SPAN, type Span, type SpanRule } from '../span.ts'

// ---------------------------------------------------------------- times

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WEEKDAY = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?'
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const NUMBERS = new Map(
  ['a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, at) => [word, at + 1] as const),
)
const N = `(?:\\d{1,3}|an?|one|couple(?: of)?|few|half an?|${[...NUMBERS.keys()].slice(1).join('|')})`
const UNIT = '(?:minutes?|mins?|m|hours?|hrs?|h|days?|weeks?)'
const TIME = String.raw`(?:\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?)?(?: o'clock)?|noon|midday|midnight|lunch(?: ?time)?)`
const PART = '(?:morning|noon|afternoon|evening|night)'
const DAY = String.raw`(?:(?:the )?day before yesterday|yesterday|today|the (?:day|\d{1,2}(?:st|nd|rd|th))|(?:(?:last|this|past) )?${WEEKDAY}|${MONTH}\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \d{4})?|\d{4}-\d\d?-\d\d?|\d{1,2}/\d{1,2}|${N} days ago)`

const numberOf = (text = 'a') => {
  const word = text.replace(/ of$| an?$/, '')
  if (word === 'half') return 0.5
  return NUMBERS.get(word === 'an' || word === 'one' ? 'a' : word) ?? { couple: 2, few: 3 }[word] ?? Number(word)
}

function msOf(number: string | undefined, unit = ''): number {
  const ms = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }[unit[0] ?? ''] ?? 0
  return numberOf(number) * ms
}

function dayOf(text = 'today'): Day | undefined {
  if (/^(?:today|the day)$/.test(text)) return { ago: 0 }
  if (text === 'yesterday') return { ago: 1 }
  if (text.endsWith('before yesterday')) return { ago: 2 }
  const [, count] = /^(.+) days ago$/.exec(text) ?? []
  if (count) return { ago: numberOf(count) }
  const [, year, month, date] = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text) ?? []
  if (date) return { year: Number(year), month: Number(month), date: Number(date) }
  const [, one, other] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []
  if (one && other) return slashed(Number(one), Number(other))
  const words = text.replace(/^(?:last|this|past) /, '')
  const name = words.match(/[a-z]{3}/)?.[0] ?? ''
  const numbers = Array.from(text.matchAll(/\d+/g), ([digits]) => Number(digits))
  const [date0, year0] = numbers
  const at = MONTHS.findIndex(each => new RegExp(`(?<![a-z])${each}`).test(words))
  if (at >= 0 && date0 !== undefined) return { month: at + 1, date: date0, ...(year0 !== undefined && { year: year0 }) }
  const weekday = WEEKDAYS.indexOf(name)
  if (weekday >= 0 && date0 === undefined) return { weekday }
  return date0 === undefined ? undefined : { date: date0 }
}

/** 3/20 and 20/3 are clear; 3/4 is taken as the fourth of March. */
function slashed(one: number, other: number): Day | undefined {
  const [month, date] = one > 12 ? [other, one] : [one, other]
  return month <= 12 && date <= 31 ? { month, date } : undefined
}

/** Minutes from midnight. An hour from 1 to 7 alone is in the afternoon. */
function clockOf(text = ''): number | undefined {
  if (/^(?:noon|midday|lunch)/.test(text)) return 12 * 60
  if (text === 'midnight') return 0
  const [, hour, minute = '0', half] = /^(\d{1,2})(?:[:.](\d\d))?\s?([ap])?/.exec(text) ?? []
  const h = Number(hour)
  if (!(h <= 23) || Number(minute) > 59 || (half && (h < 1 || h > 12))) return undefined
  const isPm = half ? half === 'p' : h >= 1 && h <= 7 && !text.startsWith('0')
  return ((h % (half ? 12 : 24)) + (isPm ? 12 : 0)) * 60 + Number(minute)
}

const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  morning: [4, 12],
  noon: [12, 14],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [18, 30],
}

function day(given: string | undefined, from?: number, to?: number, isOpen = false): Span | undefined {
  const found = dayOf(given)
  return found && { kind: 'day', day: found, ...(from !== undefined && { from }), ...(to !== undefined && { to }), isOpen }
}

function between(given: string | undefined, one = '', other = ''): Span | undefined {
  // "From 2 to 4pm"
  const half = /[ap]\.?m/.exec(other)?.[0]
  const [from, to] = [clockOf(half && /^\d+$/.test(one) ? `${one}${half}` : one), clockOf(other)]
  return from === undefined || to === undefined ? undefined : day(given, from, to)
}

function since(given: string | undefined, time = '', isOpen = true): Span | undefined {
  const [begin] = PARTS[time] ?? []
  const from = begin === undefined ? clockOf(time) : begin * 60
  return from === undefined ? undefined : day(given, from, undefined, isOpen)
}

function part(given: string | undefined, name = '', isOpen = false): Span | undefined {
  const [from, to] = PARTS[name] ?? [0, 24]
  return day(given, from * 60, to * 60, isOpen)
}

const AT = '(?:at |in the )?'
const SINCE = '(?:since|from|starting)'
const FOR = '(?:from |in |on |over |during |for |of |about )?(?:the )?'

const spans: readonly SpanRule[] = [
  [
    `(?:on |in )?(?:(?:the day after )?tomorrow|next (?:week|month|year|${WEEKDAY})|that (?:time|day))(?: ${AT}(?:${PART}|${TIME}))?`,
    () => ({ kind: 'unclear' }),
  ],
  [
    `(?:between|from) (${TIME}) ?(?:and|to|until|till?|-) ?(${TIME})(?: (?:on )?(${DAY}))?`,
    (from, to, on) => between(on, from, to),
  ],
  [
    `(?:on )?(${DAY}),? (?:between|from)? ?(${TIME}) ?(?:and|to|until|till?|-) ?(${TIME})`,
    (on, from, to) => between(on, from, to),
  ],
  [`(?:since|after|from) (${TIME})(?: (?:on )?(${DAY}))?(?: on(?:wards?)?)?`, (time, on) => since(on, time)],
  [`(?:on )?(${DAY}) (?:since|after|from) (${TIME})(?: on(?:wards?)?)?`, (on, time) => since(on, time, false)],
  [`${SINCE} (${DAY})(?:'s)? ${AT}(${TIME}|${PART})`, (on, time) => since(on, time)],
  [`(?:before|until|till|up to) (${TIME})(?: (?:on )?(${DAY}))?`, (time, on) => day(on, 0, clockOf(time))],
  [`(?:since|after) (${DAY})`, on => day(on, undefined, undefined, true)],
  [`(?:on )?(${DAY})(?:'s)? ${AT}(${PART})`, (on, name) => part(on, name)],
  [`(?:in |on )?the (${PART}) of (${DAY})`, (name, on) => part(on, name)],
  [`(since )?${FOR}this (morning|afternoon|evening)`, (open, name) => part('today', name, open !== undefined)],
  ['(since |over |during )?(?:last night|last evening|overnight)', open => part('yesterday', 'night', open === 'since ')],
  ['(?:earlier )?tonight', () => part('today', 'evening')],
  [`${FOR}(?:earlier )?(${DAY})`, on => day(on)],
  [
    `(since )?${FOR}(last|past|previous|this)? ?(weekend|week|month)`,
    (open, which, unit) => ({
      ...{ kind: unit as 'week' | 'weekend' | 'month', isOpen: open !== undefined },
      ago: unit !== 'weekend' && which !== undefined && which !== 'this' ? 1 : 0,
    }),
  ],
  [`(?:since )?${FOR}(?:last|past) (?:(${N}) )?(${UNIT})`, (n, unit) => ({ kind: 'last', ms: msOf(n, unit) })],
  [`${SINCE} (${N}) ?(${UNIT}) ago`, (n, unit) => ({ kind: 'last', ms: msOf(n, unit) })],
  [`(${N}) ?(minutes?|mins?|hours?|hrs?|weeks?) ago`, (n, unit) => ({ kind: 'last', ms: msOf(n, unit) })],
  [
    `${FOR}(?:last|latest|past|most recent) (${N}) (?:messages?|msgs?|posts?|lines?)`,
    n => ({ kind: 'messages', count: numberOf(n) }),
  ],
]

// ---------------------------------------------------------------- questions

const LEAD =
  '(?:(?:hey|hi|hello|ok|okay|so|please|pls|plz|sorry|quick question|im back|i am back|just got back|back|(?:can|could|would|will) you(?: please)?) ){0,4}'
const AWAY =
  '(?:since|while|when) (?:i was|i were|i am|im|ive been|i have been|i left|i slept|i got (?:here|in)|then)(?: (?:away|gone|out|asleep|sleeping|offline|afk|on (?:vacation|holiday|leave)|not here|last here|in a meeting|in meetings|at lunch))?'
const WHERE = '(?:in )?(?:here|(?:the|this) (?:channel|chat|thread|conversation|discussion|room|server))'
const REST = `(?: (?:${SPAN}|${AWAY}|${WHERE}|so far|please|pls|plz|thanks|for me|important|interesting|everyone|everybody|all|guys|again|in short|briefly)){0,3}`
const TOLD =
  '(?:i missed|ive missed|i have missed|we missed|happened|has happened|was said|got said|went on|went down|is going on|has been going on|was going on|was discussed|people (?:said|discussed|talked about)|everyone said|we (?:said|discussed|talked about))'
const NOUN =
  '(?:quick |short |brief |full )?(?:summary|recap|digest|tldr|tl dr|rundown|overview|round ?up|highlights|key points|catch up)'

const ASKS = [
  'what(?:d| did| have| ve)? (?:i|we) (?:all )?miss(?:ed)?',
  '(?:did|have) i miss(?:ed)?(?: (?:anything|something|much|a lot))?',
  'anything (?:i missed|ive missed|i have missed|new here|happen(?:ed)?|going on)',
  `(?:tell me |show me )?what(?:s| has| have)? (?:${TOLD}|been (?:happening|going on|said))`,
  'what did (?:people|everyone|everybody|we|they|you guys) (?:talk about|discuss|say|decide)',
  '(?:has|did) (?:anything|something) (?:happen(?:ed)?|change[d]?|move[d]?)(?: on| forward)?',
  `(?:was there |is there |any |was there any |is there any )(?:news|updates?|progress) (?:${SPAN}|${AWAY}|${WHERE})`,
  `whats new (?:${SPAN}|${AWAY}|${WHERE})`,
  '(?:catch|fill) me (?:up|in)(?: on (?:what|everything) (?:i missed|happened))?',
  '(?:bring|get) me up to (?:speed|date)',
  `(?:summari[sz]e|recap|sum up|tldr|tl dr)(?: (?:what ${TOLD}|everything(?: ${TOLD})?|${SPAN}|${WHERE}))?`,
  `(?:give me |i need |id like |post |show me |send me )?(?:an? |the )?${NOUN}(?: (?:of|for|on|from))?(?: (?:what ${TOLD}|everything(?: ${TOLD})?|${SPAN}|${WHERE}))?`,
]

const language: Language = {
  asks: new RegExp(`^${LEAD}(?:${SPAN} )?(?:${ASKS.join('|')})${REST}$`),
  spans,
  decides:
    /\b(?:(?:we|i|they|it)(?:['’]ve| have| has|['’]s)? (?:been )?(?:all )?(?:decided|agreed|settled|chose)|(?:is|are|was|were|been|its|it['’]s) (?:now )?(?:decided|settled|agreed|final|approved|confirmed|cancell?ed|postponed)|let['’]s (?:go with|do|use|take|make it|meet|ship|keep|say|stick|merge|move)|we['’](?:ll|re going to) (?:go with|use|take|ship|meet|do|move|keep)|we (?:will|are going to|shall) (?:go with|use|take|ship|meet|do|move|keep)|(?:going|go) with|final(?:ly)? (?:decision|answer)|decision:|agreed:|deal\b|(?:is|was|got) (?:merged|released|shipped|approved|rejected))/i,
  undecided:
    /\b(?:should|shall|could|can|if|whether|not|n['’]t|haven['’]?t|hasn['’]?t|maybe|perhaps|or)\b[^.!]{0,40}(?:decid|agree|settl|go with|use|take|merged|released)|\?\s*$/i,
}

export default language
