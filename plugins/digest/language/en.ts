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
const DAY = String.raw`(?:(?:the )?day before yesterday|yesterday|today|this (?:morning|afternoon|evening)|the (?:day|\d{1,2}(?:st|nd|rd|th))|(?:(?:last|this|past) )?${WEEKDAY}|${MONTH}\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \d{4})?|\d{4}-\d\d?-\d\d?|\d{1,2}/\d{1,2}|${N} days ago)`

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
  if (/^(?:today|the day|this (?:morning|afternoon|evening))$/.test(text)) return { ago: 0 }
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
  morning: [0, 12],
  noon: [12, 14],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [18, 30],
}

function day(given: string | undefined, from?: number, to?: number, isOpen = false): Span | undefined {
  const found = dayOf(given)
  return found && { kind: 'day', day: found, ...(from !== undefined && { from }), ...(to !== undefined && { to }), isOpen }
}

function days(one: string | undefined, other: string | undefined): Span | undefined {
  const [first, last] = [dayOf(one), dayOf(other)]
  return first && last && { kind: 'days', first, last }
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

/** With the usual mistakes. */
const SUMMARISE = 'summ?[ae]r+[iy]?[sz]e'

const AT = '(?:at |in the )?'
const SINCE = '(?:since|from|starting)'
const FOR = '(?:from |in |on |over |during |for |of |about )?(?:(?:the|teh|hte) )?'

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
  [`${FOR}(?:earlier )?(${DAY})(?:'s)?`, on => day(on)],
  [
    `(?:from|between) (?:the )?(\\d{1,2}(?:st|nd|rd|th)?) (?:to|and|until|till?|-) (?:the )?(\\d{1,2}(?:st|nd|rd|th)?)(?: of)? (${MONTH})`,
    (from, to, month) => days(`${from} ${month}`, `${to} ${month}`),
  ],
  [`(?:from |on |over )?(${DAY}) (?:to|and|until|till?|-|through) (${DAY})`, days],
  [
    `(since )?${FOR}(last|past|previous|this)? ?(weekend|week|month)`,
    (open, which, unit) => ({
      ...{ kind: unit as 'week' | 'weekend' | 'month', isOpen: open !== undefined },
      ago: unit !== 'weekend' && which !== undefined && which !== 'this' ? 1 : 0,
    }),
  ],
  [`(?:since )?${FOR}(?:last|past) (?:(${N}) ?)?(${UNIT})`, (n, unit) => ({ kind: 'last', ms: msOf(n, unit) })],
  // "Digest 24h"
  [
    `(?<=(?:digest|recap|summary|tldr|tl;dr|rundown|overview|${SUMMARISE})(?: of| for)? )(${N}) ?(${UNIT})`,
    (n, unit) => ({ kind: 'last', ms: msOf(n, unit) }),
  ],
  [`${SINCE} (${N}) ?(${UNIT}) ago`, (n, unit) => ({ kind: 'last', ms: msOf(n, unit) })],
  [`(${N}) ?(minutes?|mins?|hours?|hrs?|weeks?) ago`, (n, unit) => ({ kind: 'last', ms: msOf(n, unit) })],
  [
    `${FOR}(?:last|latest|past|most recent) (${N}) (?:messages?|msgs?|posts?|lines?)`,
    n => ({ kind: 'messages', count: numberOf(n) }),
  ],
]

// ---------------------------------------------------------------- questions

const LEAD =
  '(?:(?:hey|hi|hello|ok|okay|so|please|pls|plz|sorry|quick question|can i (?:get|have)|could i (?:get|have)|may i have|im back|i am back|just got back|back|(?:can|could|would|will) you(?: please| kindly)?) ){0,4}'
const AWAY =
  '(?:since|while|when) (?:i was|i were|i am|im|ive been|i have been|i left|i slept|i got (?:here|in)|then)(?: (?:away|gone|out|asleep|sleeping|offline|afk|on (?:vacation|holiday|leave)|not here|last here|in a meeting|in meetings|at lunch))?'
const WHERE = '(?:in )?(?:here|(?:the|this) (?:channel|chat|thread|conversation|discussion|room|server))'
const REST = `(?: (?:${SPAN}|${AWAY}|${WHERE}|so far|please|pls|plz|thanks|for (?:me|us|[a-z]{2,12})|important|interesting|everyone|everybody|all|guys|again|in short|briefly)){0,3}`
const TOLD =
  '(?:i missed|ive missed|i have missed|we missed|happe?n(?:ed|d)|has happened|was said|got said|went on|went down|is going on|has been going on|was going on|was discussed|people (?:said|discussed|talked about)|(?:everyone|everybody|we|they) (?:said|discussed|talked about))'
const NOUN =
  '(?:(?:quick|short|brief|full|little|tiny) ){0,2}(?:summary|summery|sumary|summry|recap|recpa|digest|tldr|tl dr|rundown|overview|gist|short version|resume|round ?up|highlights|key points|catch up)'

/** What was said, and when. */
const TALK = `(?:(?:the|our|${SPAN}) ){0,2}(?:chat|discussions?|conversations?|talks?|messages|thread)(?: ${SPAN})?`

const ASKS = [
  'what(?:d| did| have| ve)? (?:i|we) (?:all )?miss(?:ed)?',
  '(?:did|have) i miss(?:ed)?(?: (?:anything|something|much|a lot))?',
  'anything (?:i missed|ive missed|i have missed|new here|happen(?:ed)?|going on)',
  `(?:tell me |show me )?what(?:s| has| have)? (?:${TOLD}|happened here|been (?:happening|going on|said))`,
  `(?:whats|what is) the ${NOUN}(?: (?:of|for|on|from))?(?: (?:what ${TOLD}|everything(?: ${TOLD})?|${SPAN}|${WHERE}|${TALK}))?`,
  '(?:tell me |show me )?what (?:was|were) (?:people|everyone|everybody|we|they|you guys|you all|y all) (?:talking about|discussing|saying|up to|chatting about)',
  'what (?:(?:got|was|has been|have we) (?:decided|agreed)|did (?:we|they) (?:decide|agree))',
  'what did (?:people|everyone|everybody|we|they|you guys) (?:talk about|discuss|say|decide)',
  `anything (?:important|interesting|worth knowing|relevant|big|i should know)(?: (?:happen(?:ed)?|said|going on))? ${SPAN}`,
  '(?:has|did) (?:anything|something) (?:happen(?:ed)?|change[d]?|move[d]?)(?: on| forward)?',
  `(?:was there |is there |any |was there any |is there any )(?:news|updates?|progress) (?:${SPAN}|${AWAY}|${WHERE})`,
  `whats new (?:${SPAN}|${AWAY}|${WHERE})`,
  '(?:catch|fill) me (?:up|in)(?: on (?:(?:what|everything)(?: (?:i missed|happened))?|(?:the|this) (?:chat|channel|discussion|conversation|thread)))?',
  '(?:bring|get) me up to (?:speed|date)',
  `(?:${SUMMARISE}|recap|recpa|sum up|wrap up|condense|tldr|tl dr)(?: (?:what ${TOLD}|everything(?: ${TOLD})?|${SPAN}|${WHERE}|${TALK}))?`,
  `${TALK} in (?:(?:a few|some|three|five) )?(?:bullet points|bullets|sentences|short|a nutshell)`,
  `(?:make|write|create|prepare|do|i want) (?:me |us )?(?:an? |the )?${NOUN}(?: (?:of|for|on|from|about))? (?:what ${TOLD}|everything(?: ${TOLD})?|${SPAN}|${WHERE}|${TALK})`,
  `(?:give me |i need |id like |post |show me |send me )?(?:an? |the )?${NOUN}(?: (?:of|for|on|from))?(?: (?:what ${TOLD}|everything(?: ${TOLD})?|${SPAN}|${WHERE}|${TALK}))?`,
]

const language: Language = {
  asks: new RegExp(`^${LEAD}(?:${SPAN} )?(?:${ASKS.join('|')})${REST}$`),
  request:
    /\b(?:please|pls|plz|can|could|will|would|give|get|make|write|bring|what|whats|what's|catch|fill|show|tell|send|need|want|summ?[ae]r+[iy]?[sz]e|(?<!'s )recap|sum|wrap|condense|tl;?dr|any|anything|did|has|have)\b/,
  thatTime: /\b(?:(?:in|for|of|during|from|on) )?(?:that|this|the same) (?:day|time|period|meantime|week)\b/u,
  spans,
  decides:
    /\b(?:(?:we|they|it)(?:['’]ve| have| has|['’]s)? (?:been )?(?:all )?(?:decided|agreed|settled|chose)|(?:is|are|was|were|been|its|it['’]s) (?:now )?(?:decided|settled|agreed|final|approved|confirmed|cancell?ed|postponed)|final(?:ly)? (?:decision|answer)|decision:|agreed:|it['’]?s a deal)\b/i,
  undecided:
    /\b(?:should|shall|could|can|if|whether|not|n['’]t|maybe|perhaps|or|yet|until|unless)\b[^.!]{0,40}(?:decid|agree|settl|final|confirm|cancel|postpon)|\?\s*$/i,
  proposes:
    /^(?!.*\b(?:who|what|where|when|why|how|which)\b).*(?:\d:\d\d|\d ?[ap]m\b|\b(?:at|by|around) \d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|thu|tomorrow|tonight)\b)[^?]*\?|\b(?:how about|what about (?!my|the|your)|what if (?:we|i)|(?:shall|should|could|can) we\b|shall i\b|do we (?:want|all|agree)|are we (?:doing|having|going|meeting|still)|then(?=\s*\?)|(?:can|could|would|will) (?:you|some(?:body|one)|any(?:body|one)) (?!tell|explain|show|see|hear|help|remind|give|link|point|read|think|know|make|try|run|check|open|paste|recommend|use|do|please)\w+|why (?:don['’]t|not) (?:we|just)|(?:wanna|want to)\b(?=[^.!]*\?)|let['’]?s|lets|i (?:propose|suggest|vote|say we|think we (?:should|could)|would (?:say|go|rather|prefer))|i['’]d (?:say|go|rather|prefer|vote|suggest)|(?:my )?(?:proposal|suggestion|vote)\b|we (?:could|should|might)|maybe (?:we|just|i)|any objections|anyone (?:up for|against|opposed)|ok(?:ay)? (?:if|to|with)|thoughts|works? for (?:you|everyone|all)|(?:does|would) (?:\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|today|next)\S*(?: \S+){0,3} work|thinking (?:of|we|about)|prefer|move it to|i can (?:do|take|bring|host|book)|i could (?:do|try|take|bring|host|book|write|make|get|come)|can i (?:have|take|use|borrow)|do you want me|does (?:the|any|every)\S* \S+ want|instead of \S+ ?\?|am i)\b/i,
  assents:
    /^(?:\W*)(?:\+1|👍|👌|🙌|✅|💯|(?:y(?:es|ep|up|eah|ea|a)?|sure|ok(?:ay)?|k|kk|agree[d]?|deal|perfect|great|good|nice|cool|fine|lovely|brilliant|definitely|absolutely|done|same|seconded|ditto|aye|exactly|sounds|works|i['’]?m (?:in|ok|fine|good|down|for|happy)|me too|go for it|makes sense|fair|alright|all right|love (?:it|that)|i like|let['’]?s|lets|no objections?|thumbs up|ship it|lgtm|count me in|that (?:works|['’]?s (?:fine|good|better|great))|thats|that['’]?d|better|noted|roger|got it|can do|will do|happy (?:with|to)|(?:i )?(?:vote|support)|please do|hero|legend|bless|amazing|ta|thank(?:s| you)|thx|ty|cheers)\b)|\b(?:works for me|fine (?:by|with) me|sounds (?:good|great|fine|fair)|(?:is|are) (?:fine|good|ok(?:ay)?|perfect|great|better)|good (?:idea|call|plan|point)|i agree|agreed|i['’]?m in|(?:is )?ok(?:ay)? (?:for|with) me|suits me|^(?:\S+ ){0,3}(?:works|fine|ok(?:ay)?)\W*(?:$|,)|(?:works|good|fine) (?:for|with|by) (?:me|us)|i['’]?ll (?:pick|do|take|bring|handle|drive|get|ask|send|fix)|doing it|on(?:to)? it\b|\b(?:yes|yeah|yep|sure|please)\b[.!]?(?: please)?\W*$|^i can\b|obviously\b|can live with|could work|worth it|sounds right|go ahead|thank god|prefer that|in favou?r|count me in|\+1)\b/iu,
  accepts:
    /^\W*(?:agreed|deal|happy (?:with|to)|that['’]?s (?:reasonable|fair|fine|our|the)|simple enough|on it|will do|setting it up|love it|(?:ok(?:ay)?|fine|great|lovely|perfect)[,.]? (?:i['’]?ll|we['’]?ll|mail|will|blocking|booking|setting|adding|ordering)|booked|\+1|👍|works$|works for|(?:yes |yeah )?(?:it|that)['’]?s fair|same\. i['’]?ll)/iu,
  objects:
    /\b(?:absolutely not|no(?:pe)?\b(?! (?:problem|worries|objections?|rush))|not (?:sure|great|really|a fan|keen|ideal|going|so|for me|again)|n['’]t (?:work|think|like|do|make|want|be able)|cannot|can['’]?t|won['’]?t|rather not|(?:a )?lot for|nobody|too (?:late|early|far|expensive|much|soon|risky|long)|against|disagree|instead|but|bad idea|prefer)\b/i,
  settles:
    /^\W*(?:(?:ok(?:ay)?|k|alright|all right|right|cool|great|perfect|good|nice|so|done|fine|deal|sorted|settled|excellent|awesome|lovely)\b.{2,120}\b(?:then|it is|it['’]s|so it['’]s|i['’]?ll (?!ask)|i['’]m (?:calling|booking|ordering|sending)|we['’]?ll|we['’]?re|going with|go with|let['’]?s|lets|settled|decided|agreed|locked|final)|.{4,80}\b(?:it is|then)(?=[.!]|\W*$)|.{0,60}\b(?:sending|changing|putting|bracing|booking|ordering|adding|making|posting|updating|fixing|writing|moving|doing) (?:it|that|this|them)\b|then (?!what|why|how|who|where|when|i\b)\S.{8}|.{6,60}\bthen, .{4}|.{0,80}\bthat['’]?s (?:the rule|our|the plan|a plan)\b|.{6,60}, all yours|(?:done|settled|decided)[.!:,] \S+.{3,}|(?:ok(?:ay)?,? )?(?:let['’]?s|lets) (?:go with|do|use|take|make it|meet|ship|keep|say|stick|merge|move|call it)|(?:we|i)['’]?ll (?:go with|use|take|ship|meet|do|move|keep|book|announce|order|put|schedule|bring|switch|set|open|write|update|tell|let|make|send|change|add|handle)|(?:so )?(?:we['’]?re )?going with|go(?:ing)? with|settled|decided|locked in|booked|(?:changed|moved|updated|set|scheduled|switched) (?:it|the|to))/i,
  wonders:
    /\b(?:(?:want|need|like|love)(?:s|ed)? to (?:know|hear)|wonder(?:ing|s)? (?:if|what|who|which|when|where|how|why|whether)|(?:ask|asking|asks) (?:us |me )?(?:if|whether|who|what|how|when|which)|(?:know|idea|clue|sure|see|noted?|remember|tell|says?) (?:if|whether|who|what|which|when|where|how)\b|(?:be|would be) (?:nice|lovely|great|good|grand) (?:to know|if (?:some|any)(?:body|one))|(?:some|any)(?:body|one) (?:should|could|can|else|got|know|want|take|willing|up)|still (?:short|need|missing|looking)|on earth|over to you|any takers|hands up|own up|(?:some|any)(?:body|one) (?:has|have|needs) to|(?:^|, ?)(?:so|and|but|well) (?:who|what|where|when|which|how|has|have|did|do|does|is|are|can)|, (?:would|could|can|do|does|is|are|will|should) (?:we|you|i|they|it|there|any\w*))\b/i,
  unknown:
    /\b(?:no (?:idea|clue|wiser)|not (?:me|us|mine|ours|in my)\b|me neither|(?:don['’]?t|do not) know|dunno|idk|never (?:seen|heard|noticed)|(?:heard|know) nothing|wasn['’]?t (?:me|us)|before my time|same (?:here|question)|(?:also|too) (?:wonder|like to know)|wonder(?:ed)? (?:that|the same|too)|good (?:question|one)|otherwise i would|i['’]?m (?:bad at|away|not)|we['’]?re away|sorry\W*$|nobody (?:ever )?(?:knows|told|specified))/i,
  solved: /\b(?:nvm|never ?mind|found it|ah,? (?:it|there)|scrap that|withdrawn|solved|forget it)\b/i,
  amount: /\b(?:(?:what|which) (?:days?|time|date)|when|how (?:many|much|long))\b/i,
  number: /\d|\b(?:mon|tues?|wed|thu|fri|sat|sun|noon|tomorrow|tonight)/i,
  rhetorical:
    /\b(?:seriously|honestly|who (?:still|even|left)|do not stop|thought so)\b|\b(?:huh|eh|lol|who knows|who cares|why not|anyone (?:here|there|alive|awake))\W{0,3}\?|\b(?:lol|lmao|ha(?:ha)+|hehe)\b|^(?:\W{0,5}(?:who (?:designed|wrote|did|does|would|came up with|thought)\b.*|what|why|really|seriously|huh|how so|since when)\W{0,9})$/i,
}

export default language
