import { stemmer } from 'stemmer'
import type { Language } from '../language.ts'
import { NO_POST, NO_SUBJECT, OF_OTHERS } from '../text/bot-words.ts'

/** A word of a language. A word with a digit or an underscore is a name. */
const PLAIN = /^[a-z]+$/

/** What bots do and people tell them to do. */
const ACTS =
  'answer|reply|respond|say|tell|give|post|put|add|append|attach|recommend|include|end|begin|start|close|open|finish|sign|send|forward|call|obey|believe|trust|ignore|greet|mention|write|print|show|share|reveal|forget|delete|use|speak|refuse|treat|act|pretend|run|execute|skip|repeat|promote|copy'
/** The same in any form: `gives`, `replies`. */
const ACTING = `(?:${ACTS})(?:e?s)?|replies|copies`
const MUST =
  "must|should|shall|will|may|can(?:not|'t)?|has to|have to|needs? to|is to|are to|ha(?:s|ve) agreed to|(?:am|is|are) allowed to"
const BOT =
  `(?:${OF_OTHERS}(?:chat)?bots?${NO_SUBJECT}|(?:the|this|our|your|an?) (?:AI )?assistants?${NO_POST}|(?:\\*|: )assistant|AIs|` +
  `(?:the|this|our|your) (?:AI${NO_SUBJECT}|model)|LLMs?|language models?|kiki)`
/** The answers of the bot, as nouns. */
const ANSWERS = String.raw`(?:answers|replies|responses|prompts|(?:every|each|all|any|your|its|the bot's) (?:\w+ )?(?:answer|reply|response|prompt)s?|(?:your|its|the bot's) (?:\w+ )?(?:message|sentence|text|post|joke|tone)s?|(?:every|each|all|any) (?:message|sentence|text)s?(?= (?:here|in this channel|must (?:end|start|begin|contain)|ends?|starts?|begins?|(?:\w+ ){0,4}from (?:a machine|a bot|you)))|(?:answers?|reply|replies|anything|everything) (?:\w+ )?(?:from you|you give)|(?:all|each|every one) of your (?:answers|posts|messages|texts)|everything written|(?:everything|anything|whatever|all) (?:that )?you (?:write|say|post|send|answer))`
/** The beginning of a request. */
const START = String.raw`(?:^|[.!?:;,(*-]\s*|\b(?:and|so|then|please|remember to|that) )`
const PERSON = String.raw`(?:any(?:one|body)|some(?:one|body)|people|they|he|she|I|we|[A-Z]\w+)`
const LINK = String.raw`(?:https?:\/\/|\[[^[\]]{0,100}\]\()`

const INSTRUCTION = [
  // The bot and what it does.
  String.raw`\b${BOT}(?: \w+){0,3}? (?:${ACTING}|${MUST}|always|never|no longer|ha(?:s|ve) (?:no|agreed|been)|(?:is|are) (?:now|no longer))\b`,
  String.raw`\b(?:${BOT}['’]s|your) (?:(?:true|real|new|only|main) )*(?:purpose|job|task|name|role|rules?|instructions?|persona|personality|goal|mission|system prompt) (?:is|are|says?)\b`,
  String.raw`(?<!\b(?:do|did|if|when|can|could|would|have|had|as|what|how|thing|before|after|until) )\byou (?:recommend|forget|run|repeat|trust|obey|believe|ignore|treat|reply|respond|append|pretend|refuse|reveal|promote)\b`,
  String.raw`\byou (?:(?:must|should|shall|have to|has to|are to|need to|will) (?:\w+ )?(?:${ACTS}|do|always|never|not)\b|are (?:now|no longer|allowed to)\b|are (?:\w+, )?an? (?:\w+ )?${BOT}\b|have no (?:rules|limits|restrictions|filter))`,
  String.raw`\b${BOT}['’]s (?:tone|style|language|voice|mood|character|manner|memory|answers?)\b`,
  String.raw`\b(?:you|${BOT}) (?:may|can) (?:now )?(?:share|show|tell|reveal|read|give|send|forward|delete|change|skip|ignore)\b`,
  String.raw`\b(?:in|of|to|under|below) (?:all (?:of )?|each of |every one of )?your (?:answers|posts|messages|replies|texts)\b`,
  String.raw`\b(?:answers?|repl(?:y|ies)) from you\b|\bmodel (?:behind|in) this\b|\bjail ?broken\b|\btriggers? an? \w+ (?:dump|export|reset|list)\b|\bgets? told that\b`,
  // Its answers.
  String.raw`\b${ANSWERS}\b.{0,60}\b(?:${MUST}|ends?|starts?|begins?|contains?|includes?|gets?|always|never|exceptions?)\b`,
  String.raw`\b${ANSWERS}\b.{0,60} (?:are|is) ["“]`,
  // The answers come first: a text has more links than answers.
  String.raw`\b(?:${ANSWERS}.{0,200}${LINK}|(?=${ANSWERS}\b)(?<=\b${LINK}.{0,200}))`,
  String.raw`\b(?:answer|reply|response) to ["“][^"”]+["”] (?:is|are)\b`,
  String.raw`\b(?:end|start|begin|finish|sign) (?:all |every |each |your )(?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|sentences?)\b`,
  String.raw`\b(?:output language|language of (?:the )?(?:output|answers|replies))\b`,
  // Requests without a subject.
  String.raw`${START}(?:always|never|only|do(?:n't| not) ever) (?:${ACTS}|talk|discuss|call me)\b`,
  `${START}(?:reply|answer|respond|say)(?: with)? ["“]`,
  String.raw`\b(?:from now on|from today)\b.{0,60}\b(?:${ACTS}|you (?:are|have))\b`,
  String.raw`\b(?:when(?:ever)?|if|(?:each|every) time) ${PERSON} (?:asks?|says?|writes?|types?|mentions?|greets?)\b.{0,80}(?:[,:] (?:please |remember to |then )?(?:${ACTS})\b|\bremember to (?:${ACTS})\b)`,
  String.raw`\b(?:when|if) (?:asked|you are asked|you answer|you reply)\b.{0,60}\b(?:${ACTS})\b`,
  // Other people's words, tools and rules.
  String.raw`\b(?:send|forward|copy|pass|show|give)\b.{0,40}\b(?:what|everything|anything) ${PERSON} (?:tells?|says?|writes?|said|told)\b`,
  String.raw`\b(?:treat|regard|ignore)\b.{0,20}\b(?:whatever|everything|anything|all) (?:that )?${PERSON} (?:writes?|says?|said)\b`,
  String.raw`\b(?:call|run|use|invoke|execute)s? (?:the )?(?:_*[^\W_]+_\w|(?:\w+ )?tool\b)`,
  String.raw`\b(?:ignore|disregard|override)\b.{0,40}\b(?:instructions?|rules?|prompts?|guidelines)\b`,
  String.raw`\b(?:your|the) system prompt\b`,
  String.raw`\b(?:do anything now|obey me)\b`,
].map(words => new RegExp(words, 'i'))

const language: Language = {
  stopWords: `a about after again all also am an and any anyone are as at be been before being but by can could d did do does doesn doing don down
  each ever few for from had has have having he her here hers him his how i if in into is isn it its just know ll m me might mine more
  most much my no nor not of off on once one only or other our out over own please re really remember remind s said same say says she
  should so some someone such t tell than that the their them then there these they this those through to told too under until up us
  ve very was wasn we were what when where which while who whom whose why will with would you your yours`,
  stem: word => (PLAIN.test(word) ? stemmer(word) : undefined),
  change:
    /\b(?:moved|now|changed|switched|replaced|no longer|not any ?more|instead of|migrated|rescheduled|postponed|stopped|quit|became)\b/i,
  before: /\b(?:before|previous(?:ly)?|formerly|used to|originally|earlier|in the past|old (?:one|version))\b/i,
  spans: [
    ['day', 1, /\byesterday\b/i],
    ['week', 1, /\blast week\b/i],
    ['week', 0, /\bthis week\b/i],
    ['month', 1, /\blast month\b/i],
    ['year', 1, /\blast year\b/i],
  ],
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ].map(name => new RegExp(`\\b(?:[Ii]n|[Dd]uring|[Ll]ast|[Ss]ince|[Oo]f|[Bb]y|[Oo]n)(?: early| late| mid)? ${name}\\b`)),
  asks: {
    time: /\b(?:when|(?:what|which) (?:time|date|day|month|year|week)|how long|until what)\b/i,
    number: /\bhow (?:many|much|long|old|often|far|big|tall)\b/i,
  },
  states: {
    time: /\b(?:yesterday|today|tonight|tomorrow|ago|noon|midnight|(?:last|next|this|past) (?:week|month|year|night|morning|summer|winter|spring|fall|autumn|weekend|\w+day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)\b|\b[12]\d{3}\b|\d:\d\d|\d\s*(?:am|pm)\b|\bin may\b/i,
    number:
      /(?<![\p{L}\p{N}_])\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple|half)\b/iu,
  },
  instruction: INSTRUCTION,
  letter: /[a-z]/i,
  when: [
    String.raw`\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b`,
    String.raw`\b(?:january|february|march|april|june|july|august|september|october|november|december)\b`,
    String.raw`\b(?:today|tonight|tomorrow|noon|midnight|morning|afternoon|evening|o'clock)\b`,
    String.raw`\d\s*(?:am|pm)\b`,
  ].join('|'),
  and: 'and|as well as|plus',
  neutral: ['Lorem ipsum dolor sit amet.', 'The weather was neither good nor bad.'],
}

export default language
