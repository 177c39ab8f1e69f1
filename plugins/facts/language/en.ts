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
  when: [
    String.raw`\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b`,
    String.raw`\b(?:january|february|march|april|june|july|august|september|october|november|december)\b`,
    String.raw`\b(?:today|tonight|tomorrow|noon|midnight|morning|afternoon|evening|o'clock)\b`,
    String.raw`\d\s*(?:am|pm)\b`,
  ].join('|'),
  neutral: ['Lorem ipsum dolor sit amet.', 'The weather was neither good nor bad.'],
}

export default language
