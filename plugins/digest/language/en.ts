import type { Language, Spoken } from '../language.ts'

const LEAD =
  '(?:(?:hey|hi|hello|ok|okay|so|please|pls|plz|sorry|quick question|im back|i am back|back|(?:can|could|would|will) you(?: please)?) ){0,4}'
const DAY = '(?:sun|mon|tues|wednes|thurs|fri|satur)day'
const COUNT = '(?:\\d{1,3}|an?|one|two|three|four|five|six|few|couple of)'
const UNIT = '(?:minutes?|mins?|hours?|hrs?|days?|weeks?)'
const SINCE = `(?:since |from |in |over |during |for |of )?(?:the )?(?:yesterday|today|tonight|last night|overnight|(?:this|last) (?:morning|afternoon|evening|week)|(?:last |this )?${DAY}|(?:last|past) (?:${COUNT} )?${UNIT}|${COUNT} ${UNIT} ago)`
const AWAY =
  '(?:since|while|when) (?:i was|i were|i am|im|ive been|i have been|i left|i slept|i got (?:here|in)|then)(?: (?:away|gone|out|asleep|sleeping|offline|afk|on (?:vacation|holiday|leave)|not here|last here|in a meeting))?'
const WHERE = '(?:in )?(?:here|(?:the|this) (?:channel|chat|thread|conversation|discussion|room|server))'
const REST = `(?: (?:${SINCE}|${AWAY}|${WHERE}|so far|please|pls|plz|thanks|for me|important|interesting|everyone|everybody|all|guys|again)){0,3}`
const TOLD =
  '(?:i missed|ive missed|i have missed|happened|has happened|was said|went on|is going on|has been going on|was going on)'

const ASKS = [
  'what(?:d| did| have| ve)? (?:i|we) (?:all )?miss(?:ed)?',
  '(?:did|have) i miss(?:ed)?(?: (?:anything|something|much|a lot))?',
  'anything (?:i missed|ive missed|i have missed|new here|happen(?:ed)?|going on)',
  `(?:tell me |show me )?what(?:s| has| have)? (?:${TOLD}|happened|been (?:happening|going on))`,
  '(?:has|did) (?:anything|something) (?:happen(?:ed)?|change[d]?|move[d]?)(?: on| forward)?',
  `(?:was there |is there |any |was there any |is there any )(?:news|updates?|progress) (?:${SINCE}|${AWAY}|${WHERE})`,
  `whats new (?:${SINCE}|${AWAY}|${WHERE})`,
  '(?:catch|fill) me (?:up|in)(?: on (?:what|everything) (?:i missed|happened))?',
  '(?:bring|get) me up to (?:speed|date)',
  `(?:summari[sz]e|recap|sum up|tldr|tl dr)(?: (?:what ${TOLD}|everything(?: ${TOLD})?|the day|the week|${SINCE}|${WHERE}))?`,
  `(?:give me |i need |id like |post )?(?:an? |the )?(?:quick |short |brief )?(?:summary|recap|digest|tldr|rundown)(?: of (?:what ${TOLD}|the day|the week|${SINCE}|${WHERE}))?`,
]

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const NUMBERS = new Map([
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
  ['few', 3],
  ['couple of', 2],
])
const LENGTHS = [
  [/^min/, 60_000],
  [/^h/, 3_600_000],
  [/^d/, 86_400_000],
  [/^w/, 604_800_000],
] as const
const AGO = new RegExp(`\\b(?:(?:last|past) )?(?:(${COUNT}) )?(${UNIT})(?: ago)?\\b`)

function since(words: string): Spoken | undefined {
  if (/\byesterday\b/.test(words)) return { kind: 'yesterday' }
  if (/\b(?:last night|overnight|last evening)\b/.test(words)) return { kind: 'night' }
  if (/\b(?:today|tonight|the day|this (?:morning|afternoon|evening))\b/.test(words)) return { kind: 'today' }
  if (/\blast week\b/.test(words)) return { kind: 'last-week' }
  if (/\b(?:this|the) week\b/.test(words)) return { kind: 'week' }
  const day = DAYS.findIndex(name => words.includes(name))
  if (day >= 0) return { kind: 'weekday', day }
  const [, count, unit] = AGO.exec(words) ?? []
  const [, ms] = LENGTHS.find(([name]) => unit !== undefined && name.test(unit)) ?? []
  if (ms === undefined) return undefined
  return { kind: 'ago', ms: ms * (NUMBERS.get(count ?? '') ?? (Number(count) || 1)) }
}

const language: Language = {
  asks: new RegExp(`^${LEAD}(?:${ASKS.join('|')})${REST}$`),
  since,
  decides:
    /\b(?:(?:we|i|they|it)(?:['’]ve| have| has|['’]s)? (?:been )?(?:all )?(?:decided|agreed|settled|chose)|(?:is|are|was|were|been|its|it['’]s) (?:now )?(?:decided|settled|agreed|final|approved|confirmed|cancell?ed|postponed)|let['’]s (?:go with|do|use|take|make it|meet|ship|keep|say|stick|merge|move)|we['’](?:ll|re going to) (?:go with|use|take|ship|meet|do|move|keep)|we (?:will|are going to|shall) (?:go with|use|take|ship|meet|do|move|keep)|(?:going|go) with|final(?:ly)? (?:decision|answer)|decision:|agreed:|deal\b|(?:is|was|got) (?:merged|released|shipped|approved|rejected))/i,
  undecided:
    /\b(?:should|shall|could|can|if|whether|not|n['’]t|haven['’]?t|hasn['’]?t|maybe|perhaps|or)\b[^.!]{0,40}(?:decid|agree|settl|go with|use|take|merged|released)|\?\s*$/i,
}

export default language
