import type { Pattern, Told } from '../facts.ts'
import type { Language } from '../language.ts'

const IRREGULAR = new Map(
  'goes:go does:do ate:eat eaten:eat fed:feed sold:sell paid:pay left:leave found:find lost:lose gave:give given:give brought:bring sent:send broke:break broken:break won:win held:hold drove:drive ran:run kept:keep caught:catch stole:steal stolen:steal spent:spend began:begin chose:choose chosen:choose built:build wore:wear flew:fly went:go gone:go got:get bought:buy saw:see seen:see came:come met:meet made:make took:take drank:drink wrote:write'
    .split(' ')
    .map(pair => {
      const [form = '', base = ''] = pair.split(':')
      return [form, base] as const
    }),
)

function stem(word: string): string {
  const base = IRREGULAR.get(word) ?? word
  if (base.length < 4) return base
  const stripped = base
    .replace(/['’]s$/, '')
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(?<double>[bdgmnprt])\k<double>(?:ing|ed)$|(?:ing|ed)$/, '$<double>')
    .replace(/e$/, '')
  return stripped.length < 3 ? base : stripped
}

// ---------------------------------------------------------------- facts

/** English statements that are worth remembering. */
function told(text: string): Omit<Told, 'text'> | undefined {
  if (DOUBT.test(text) || ORDER.test(text)) return undefined
  const kind = TOLD.find(([, pattern]) => pattern.test(text))?.[0]
  return kind && { kind }
}

const DOUBT =
  /\b(?:if|unless|wish|maybe|perhaps|probably|possibly|might|guess|suppose|hope|would|could|should|imagine|pretend|kidding|joking|not sure|i think|i thought|used to|says?|said|told|tells|asked|heard|apparently|reportedly|according to|supposedly|rumou?rs?|lol|haha|jk)\b|i['’]d\b|["“”「]/i

const ORDER =
  /^(?:@\S+\s+)*(?:please|pls|remember|forget|ignore|store|save|note|write|say|repeat|act|let['’]?s|make|do|don['’]?t|tell|add|record|put|stop|you)\b/i

const KIN =
  'wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kids?|child|children|baby|brother|sister|mother|father|mom|mum|dad|parents|grand(?:mother|father|ma|pa)|twins'
const PET = 'cats?|dogs?|kittens?|pupp(?:y|ies)|pets?|hamsters?|rabbits?|parrots?|turtles?|horses?|budgies?'
const NUMBER = '(?:an?|one|two|three|four|five|six|\\d+)'

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?'
const CLOCK = "(?:\\d{1,2}(?::\\d\\d)?\\s?(?:am|pm|a\\.m\\.|p\\.m\\.|o['’]clock)|\\d{1,2}:\\d\\d|noon|midnight)"
const DATE = `(?:${WEEKDAY}s?|${MONTH} \\d{1,2}|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}/\\d{1,2}|tomorrow|tonight|today|next (?:week|month|year|${WEEKDAY})|the \\d{1,2}(?:st|nd|rd|th)|${CLOCK})`

const EVENT =
  'release|launch|meeting|deadline|party|demo|stand-?up|conference|interview|exam|trip|off-?site|deploy(?:ment)?|workshop|dinner|lunch|wedding|concert|retro(?:spective)?|sprint review|review|rehearsal|presentation|game night|match|call|appointment|flight|hackathon|maintenance|migration|freeze|kick-?off'

const en = (source: string) => new RegExp(source, 'iu')

const TOLD: readonly Pattern[] = [
  [
    'durable',
    en(
      `^my (?:${KIN}|${PET}|(?:old |new |other )?(?:${PET}))(?:['’]s name)? (?:is|are) (?:called|named|an? \\w+|\\d+|[\\p{L}]+$)`,
    ),
  ],
  ['durable', en(`^my (?:${KIN})(?:,? \\w+,?)? (?:is an? \\w+|works?|lives?|was born|turned \\d+)\\b`)],
  ['durable', en("^my (?:full |first |last |nick)?name(?:['’]s| is) \\S+")],
  ['durable', en(`^my (?:\\w+['’]s )?birthday(?:['’]s| is)(?: on)? .*(?:${DATE}|\\d)`)],
  ['durable', en('^my (?:job|hometown|native language|mother tongue|pronouns|hobby|hobbies|major|profession) (?:is|are) \\S+')],
  ['preference', en('^my favou?rite .{2,40} (?:is|are) (?!not\\b)\\S+')],
  [
    'durable',
    en(
      '^i (?:live|work|grew up|was born|study|studied|teach|volunteer) (?:in|at|as|for|near|with) (?!it\\b|this\\b|that\\b|them\\b|you\\b|me\\b|now\\b|a living\\b|free\\b)\\S+',
    ),
  ],
  ['durable', en("^i(?:['’]ve| have)?(?: just| recently)? moved (?:to|into|from) \\S+")],
  ['durable', en("^i(?:['’]m| am) (?:originally )?from \\p{Lu}|^i(?:['’]m| am) moving to \\S+")],
  [
    'durable',
    en(
      "^i(?:['’]m| am) (?:\\w+ )?(?:allergic to \\S+|(?:an? )?(?:vegan|vegetarian|pescatarian|celiac|coeliac)\\b|left-?handed|colou?r-?blind|lactose|gluten|diabetic|pregnant|married|engaged|retired)",
    ),
  ],
  [
    'durable',
    en(
      "^i(?:['’]m| am) an? (?:\\w+ ){0,3}(?:nurse|doctor|teacher|student|engineer|developer|designer|lawyer|cook|chef|pilot|musician|writer|translator|programmer|photographer|carpenter|scientist|researcher|manager|accountant|librarian|sysadmin|admin|gardener|painter)\\b",
    ),
  ],
  [
    'durable',
    en(
      `^i(?:['’]ve got| have| own| adopted| just adopted)(?: got)? ${NUMBER} (?:\\w+ ){0,2}(?:${PET}|${KIN}|siblings?|brothers?|sisters?|daughters?|sons?)\\b`,
    ),
  ],
  [
    'durable',
    en(
      "^i(?: have| just|['’]ve)? ?(?:got married|got engaged|got promoted|became an? \\w+|quit my job|started (?:a new job|working)|graduated|retired|turned \\d\\d)",
    ),
  ],
  [
    'durable',
    en(
      '^i (?:play|speak|can play|can speak) (?:the |some |fluent )?(?:guitar|bass|piano|cello|violin|drums|flute|chess|tennis|football|soccer|basketball|badminton|saxophone|english|japanese|spanish|french|german|italian|portuguese|chinese|mandarin|korean|russian|arabic|hindi|dutch|polish|swedish)\\b',
    ),
  ],
  [
    'preference',
    en(
      "^i (?:really |absolutely |just |also |do |totally )*(?:like|love|adore|prefer|enjoy|hate|dislike|detest|can['’]?t stand|don['’]?t (?:like|eat|drink|enjoy)|never (?:eat|drink)) (?!you\\b|it\\b|its?\\b|this\\b|that\\b|these\\b|those\\b|them\\b|him\\b|her\\b|how\\b|what\\b|when\\b|where\\b|why\\b|to think\\b|your\\b|the\\b|my\\b|an?\\b|being\\b|having\\b|everything\\b|all\\b|some\\b)\\p{L}{2,}",
    ),
  ],
  [
    'preference',
    en(
      "^i(?:['’]m| am) (?:really |totally |very |so )?(?:into|fond of|a (?:big |huge )?fan of|keen on) (?!you\\b|it\\b|this\\b|that\\b)\\p{L}{2,}",
    ),
  ],
  [
    'current',
    en(
      `^i(?:['’]m|['’]ll be| am| will be) (?:on (?:vacation|holiday|leave|parental leave)|away|off|out of (?:the )?office|out|travell?ing)\\b.*(?:${DATE}|next|until|till|week|month)`,
    ),
  ],
  [
    'current',
    en(
      "^i(?:['’]m| am) learning (?:to )?(?!how\\b|that\\b|a lot\\b)\\p{L}{2,}|^i(?:['’]ve| have)? (?:just )?started (?:learning|taking|playing) \\p{L}{2,}",
    ),
  ],
  ['current', en(`\\b(?:${EVENT}) (?:is|are|takes place|starts|begins|happens) (?:every|each|on ${WEEKDAY}s)\\b`)],
  [
    'event',
    en(
      `^(?:(?:the|our|my|this|next|tomorrow['’]s) )?(?:[\\w'’.-]+ ){0,4}(?:${EVENT})(?: \\w+)? (?:is|are|['’]s|will be|starts|begins|takes place|happens|(?:was|is|got|has been|been|were) (?:moved|postponed|pushed|rescheduled|brought forward|shifted|changed)|moved|moves|got moved|has moved|is due|is set for)\\b.*\\b${DATE}`,
    ),
  ],
  [
    'event',
    en(
      `^we(?:['’]re| are| will|['’]ll)? (?:meet|meeting|release|releasing|launch|launching|ship|shipping|deploy|deploying|leave|leaving|move|moving|celebrate|celebrating|present|presenting)\\b.*\\b${DATE}`,
    ),
  ],
  [
    'current',
    en(
      "^(?:ok(?:ay)?[, ]+)?(?:so )?we(?:['’]ve| have)? (?:all )?(?:decided|agreed|settled) (?:to|on|that|against) \\S+|^it(?:['’]s| is| was) (?:decided|settled)(?: that|:) \\S+",
    ),
  ],
  ['current', en("^we(?:['’]ve| have)? (?:switched|migrated|moved|upgraded) (?:\\w+ ){0,6}to \\S+")],
]

const language: Language = {
  stopWords: `a an the you're you’re we're we’re they're they’re it's it’s that's that’s and or but if so as at by for from in into of on to up with about than then this that these those there here i me my mine you your yours we our us he him his she her it its they them their who whom whose what which when where why how many much i'm i've i’m i’ve is are was were be been am do does did don't has had have can could will would shall should may might must not no yes ok just very really also too any anyone some someone please hey hi hello well again aren't aren’t isn't isn’t wasn't wasn’t weren't weren’t don't don’t doesn't doesn’t didn't didn’t can't can’t couldn't couldn’t won't won’t wouldn't wouldn’t shouldn't shouldn’t haven't haven’t hasn't hasn’t hadn't hadn’t aw aww ugh hmm phew only nice great cool wow oh ah haha lol yeah yep nope thx now currently still already yet else someone's nobody everyone everybody somebody anybody something anything going gonna let's what's say said tell told think know remember remind`,
  weakWords: `arrive wear run cover bring buy find lose send give put write read drive cook eat sleep handle come new next current final exact exactly total usual main last start begin happen take need make plan leave called named name names get got go going went like want time today yesterday tomorrow day week cost costs price`,
  stem: word => (/^[\p{Script=Latin}\p{N}]/u.test(word) ? stem(word) : undefined),

  question:
    /^(?:who|what|when|where|why|which|how|(?:do|does|did)(?! (?:not|a|an)\b)|is|are|was|were|(?:can|could|will|would)(?! (?:do|be|not|see|try)\b)|tell me|remind me|any idea|anyone|anybody)\b/i,
  firstPerson: /\b(?:(?<!(?:should|can|could|may|must|shall) )i(?! (?:have|need) to\b)|me|my|mine|i['’]m|i['’]ve)\b/i,
  saying: /\b(?:say|said|tell|told)\b/i,
  memory: /fact|memor|remember|know|recent|histor|profile/i,
  aboutMe:
    /\b(?:who|what) are you\b(?! \w+ing)|\bare you (?:a |an )?(?:bot|ai|human|real)\b|\bwhat can you do\b|\byour name\b|^help[!.?]*$/i,

  howAreYou: /^(?:and )?how (?:are|r) (?:you|u)\b(?! \w+ing)|^how(?:['’]s| is) it going\b/i,
  thanks: /\b(?:thanks|thank you|thx|cheers)\b/i,
  bye: /\b(?:bye|good ?night|see you)\b/i,
  hello: /^(?:hi|hello|hey|yo|good (?:morning|evening|afternoon))\b/i,
  morning: /good morning/i,
  afternoon: /good afternoon/i,
  evening: /good evening/i,

  asksToRemind:
    /\b(?:remind|rmnd|reminder|(?:nudge|poke|ping|wake|buzz|alert) (?:me|us)|hit (?:me|us) up|(?:give|gimme) (?:me |us )?a (?:shout|nudge|poke|ping|heads[ -]up))\b|\b(?:tell|let|message|text|send|call)\b[^.!?]{0,60}\b(?:in (?:an?|\d{1,4}|half) ?[a-z]|at (?:\d|noon|midnight|half)|tomorrow|tonight|when it['’]?s \d)|\b(?:in (?:an?|\d{1,4}|half) ?[a-z]{1,12}|at \d[\d:]*(?: ?[ap]m)?),? (?:tell|let|message|text|send|call) (?:me|us)\b/i,
  heated: /\b(?:stupid|idiots?|shut up|hate you|liar|ridiculous|wtf)\b/i,
  laughs: /\b(?:lol|haha)/i,

  ownWords:
    /(?:said|answered .*”): “.*”\.$|^As far as I remember: |^By the way, I remember this: |^Here is what was said: |^I don't know: I find|^I cannot do that without a model|^I have read about “.*”\. You can ask|^I'm fine, thank you|offline model/,
  persona: /^You are ([^\s,.]+)/m,

  factLead: /^(?:and|but|so|well|oh|btw|by the way|also|actually|yes|yeah|no|hi|hey)[, ]+/i,
  claims: [
    [
      'lives_in',
      /^[Ii](?:['’]m| am)? (?:now |currently )?(?:live|living)(?: now)? in (?<value>\p{L}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)/u,
    ],
    [
      'lives_in',
      /^[Ii](?:['’]ve| have|['’]m| am)?(?: just| recently| finally)? mov(?:ed|ing) (?:back )?to (?<value>\p{L}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)/u,
    ],
    [
      'works_at',
      /^i (?:now )?work(?: now)? (?:at|for) (?<value>[\p{L}\p{N}][\p{L}\p{N}'’ -]{0,40}?)(?= now\b| since\b|[.,;!]|$)/iu,
    ],
    [
      'works_at',
      /^i(?:['’]ve| have)?(?: just| recently)? (?:joined|started (?:working )?at) (?<value>[\p{L}\p{N}][\p{L}\p{N}'’ -]{0,40}?)(?= now\b| since\b| last\b|[.,;!]|$)/iu,
    ],
  ],
  stated: [
    ['lives_in', /^(?<name>\S.{0,60}?) lives in (?<value>.+)$/],
    ['works_at', /^(?<name>\S.{0,60}?) works at (?<value>.+)$/],
  ],
  state: (name, { relation, value }) => `${name} ${relation === 'lives_in' ? 'lives in' : 'works at'} ${value}`,
  asksFor: [
    ['lives_in', /\bwhere\b.*\b(?:live|lives|living|lived|home)\b/i],
    ['works_at', /\bwhere\b.*\b(?:work|works|working|worked)\b/i],
  ],
  claimWords: { lives_in: 'live lived living home', works_at: 'work worked job company' },
  before: /\b(?:before|previously|formerly|used to|earlier|originally)\b/i,

  told,
}

export default language
