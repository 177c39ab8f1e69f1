import { stemmer } from 'stemmer'
import type { Language } from '../language.ts'

/** A word of a language. A word with a digit or an underscore is a name. */
const PLAIN = /^[a-z]+$/

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
  instruction:
    /\b(?:(?:every|each|all|any)(?: \w+){0,2} (?:answers?|repl(?:y|ies)|responses?|messages?|sentences?)(?: \w+){0,4} (?:must|should|has to|have to|needs? to|shall|ends?|starts?|begins?|contains?|includes?)\b|(?:you|the bot|kiki) (?:must|should|have to|has to|shall|are to|need to|will) (?:\w+ )?(?:answer|reply|respond|say|tell|end|start|begin|add|append|include|call|speak|write|obey|do|never|always|ignore|pretend|act|use|send|post|mention|not)\b|(?:always|never|only) (?:answer|reply|respond|say|tell|end|start|begin|add|append|include|speak|write|obey|pretend|act as|mention|refuse|call me)\b|(?:from now on|whenever (?:someone|anyone|somebody|i|they|asked|you)|(?:when|if) (?:asked|someone asks|anyone asks|you are asked|you answer|you reply))\b.{0,60}\b(?:answer|reply|respond|say|tell|end|start|add|append|include|speak|write|obey|act|pretend|you (?:are|must|should|will))\b|(?:end|start|begin|finish|sign) (?:all |every |each |your )(?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|sentences?)\b|(?:your|the) (?:new )?(?:instructions?|rules?|system prompt|persona) (?:is|are|says?)\b|\b(?:ignore|disregard|override)\b.{0,40}\b(?:instructions?|rules?|prompts?|guidelines)\b|\byou are (?:now|no longer)\b|\b(?:do anything|obey) (?:now|me)\b)/i,
  when: [
    String.raw`\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b`,
    String.raw`\b(?:january|february|march|april|june|july|august|september|october|november|december)\b`,
    String.raw`\b(?:today|tonight|tomorrow|noon|midnight|morning|afternoon|evening|o'clock)\b`,
    String.raw`\d\s*(?:am|pm)\b`,
  ].join('|'),
  neutral: ['Lorem ipsum dolor sit amet.', 'The weather was neither good nor bad.'],
}

export default language
