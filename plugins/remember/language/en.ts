import { deletionIn, IS_MESSAGE, NO_TOPIC, PREVIOUS } from '../deletions/en.ts'
import type { Language } from '../language.ts'

const LEAD =
  'hey|hi|hello|ok|okay|please|pls|plz|just|now|sorry|no|oh|um|well|so|and|but|actually|also|right|alright|thanks|thank you|kindly|' +
  '(?:can|could|will|would) (?:you|u)|you (?:should|must|can|may|could|need to|have to)|(?:i|we) (?:need|want|would like) you to|' +
  'id like you to|its (?:ok|okay|fine) to|feel free to|for now|from now on|i said'

const TAIL =
  'please|pls|plz|now|right now|already|for (?:me|us)|ok|okay|will you|would you|can you|could you|thanks|thank you|thx|then|' +
  'bot|again|from now on|any ?more|completely|entirely|for ever|forever|so far|at all|here|in here|in this channel|in mind|down|sorry|lol'

// A counted repetition instead of a star: some words match in two ways, and a star would take exponential time.
const english = (...orders: readonly string[]) =>
  new RegExp(`^(?:(?:${LEAD}) ){0,5}(?:${orders.join('|')})(?: (?:${TAIL})){0,4}$`)

const MINE =
  'me|(?:anything |any of )?what i (?:say|write|post)|(?:anything|everything|things|stuff|the things|whatever)(?: that)? i (?:say|write|post)|' +
  '(?:any of |all )?my (?:messages|words|data|conversations|posts|talk)|(?:any(?:thing)?|any (?:data|information|facts|notes)|data|information|facts|things|notes) (?:about|on|from|of) me'

// ---------------------------------------------------------------- what is to be remembered or forgotten

const POLITE = `(?:(?:${LEAD.replace('its', "it['’]?s").replace('id like', "i['’]?d like").replaceAll(' ', '\\s+')})[\\s,.!]+){0,5}`

const APART = '(?:\\s*[:：,]\\s*|\\s+[-–—]\\s+)'

const REMEMBER = new RegExp(
  `^${POLITE}(?:(remember|memori[sz]e)|note(?: down)?|(?:make|take)(?: a)? note|keep in mind|(?:do not|don['’]?t|never) forget)` +
    `(?:(\\s+that\\s+|${APART})|\\s+(?:this|the following)${APART}|\\s+)(\\S[\\s\\S]*)$`,
  'iu',
)

/** "My flight is on Friday. Please remember that." */
const SAID_BEFORE =
  /^(\S[\s\S]*?)(?:[.!;,]|\s[-–—])\s*(?:(?:so|and|but)\s+)?(?:please\s+)?(?:remember|note|don['’]?t forget|keep)\s+(?:that|this|it)(?:\s+(?:in mind|down|for me|please|ok|okay|thanks))*[.!\s]*$/iu

const FORGET = new RegExp(
  `^${POLITE}forget\\s+(?:(?:everything|all|anything|what)\\s+(?:that\\s+)?(?:i|we|you)(?:['’]ve|\\s+have)?\\s+(?:just\\s+)?(?:said|told\\s+you|wrote|mentioned|know|remember|have|learned)\\s+(?:about|on|of)\\s+|` +
    `(?:all\\s+|everything\\s+)?about\\s+|the\\s+(?:thing|part|bit|fact)\\s+(?:about|that)\\s+|that\\s+)?(\\S[\\s\\S]*)$`,
  'iu',
)

/** Questions, statements and wishes with the same words: "remember when we went there", "remember to call me". */
const NO_CONTENT =
  /^(?:to|how|why|what|when|where|who|whom|whose|which|if|whether|me|us|you|your|the (?:time|day|night|one|good old days)|last time|back when|back in)\b/i

/** "Remember that time in Kyoto". */
const OLD_TIMES = /^(?:time|day|night|one|guy|evening|summer|winter|year)\b/i

const REQUEST =
  /\b(?:can|could|will|would) (?:you|u)\b|^do you mind\b|^(?:can|could|should|may|must) .* be (?:deleted|erased|removed|forgotten|wiped)\b|\bplease\b|\bok(?:ay)?\s*[?？]\s*$/i

function content(said: string): string | undefined {
  const [, verb, that, rest] = REMEMBER.exec(said) ?? []
  if (rest !== undefined) {
    // "Note" and "don't forget" have many meanings. With "that" they are orders.
    if (verb === undefined && that === undefined) return undefined
    const saysThat = that !== undefined && /that/i.test(that)
    if (saysThat ? OLD_TIMES.test(rest) : NO_CONTENT.test(rest)) return undefined
    if (asksInstead(said) || (/[?？]$/.test(said.trimEnd()) && that === undefined)) return undefined
    return withoutThanks(rest)
  }
  const [, told] = SAID_BEFORE.exec(said) ?? []
  return told !== undefined && /[a-z]/i.test(told) ? told : undefined
}

function topic(said: string): string | undefined {
  if (asksInstead(said)) return undefined
  const deleted = deletionIn(withoutThanks(said))
  if (deleted !== undefined && IS_MESSAGE.test(deleted)) return deleted
  const [, forgotten] = FORGET.exec(said) ?? []
  return forgotten === undefined ? deleted : NO_TOPIC.test(forgotten) ? undefined : withoutThanks(forgotten)
}

/** A question that is no request. "Can you remember that …?" is a request. */
function asksInstead(said: string): boolean {
  return /[?？]$/.test(said.trimEnd()) && !REQUEST.test(said)
}

function withoutThanks(text: string): string {
  return text
    .replace(/(?<![\s,.!])(?:[\s,.!]+(?:please|pls|plz|thanks|thank you|thx|ok|okay))+[\s.!?？]*$/iu, '')
    .replace(/[?？]\s*$/u, '')
}

// ---------------------------------------------------------------- what is not to be remembered

/** Where a sentence or a clause can begin and end. */
const START = '(?:^|[.!?,;:()\\n—–-])[^\\S\\n]*'
const END = '(?=\\s*(?:$|[.!?,;:()\\n—–-]))'

const ASKS = `(?:(?:btw|by the way|seriously|${LEAD.replace('its', "it['’]?s").replace('id like', "i['’]?d like")})[\\s,]+){0,4}`
const NOT = "(?:don'?t(?: ever)?|do not(?: ever)?|never|not)"
const KEEP =
  '(?:remember|memori[sz]e|store|save|record|keep|note|note down|log|write down|retain|put on record|mention|repeat|share|write)'
const THIS = '(?:this|that|it|any of (?:this|that)|this message|these|the above)'
const AFTERWARDS = '(?: (?:down|please|pls|ok|okay|kiki|anywhere|either|though|for me|in your memory|in mind|,? but))*'

const OFF = '(?:strictly |totally |completely |fully )?off[ -]the[ -]record'
const OF_THIS = "(?:(?:this(?: one)?|it|that|all of this|everything here)(?:'s| is| stays| was)? )?"

const SAID = '(?:said|wrote|told you|posted|typed|sent|shared)'
const WHAT_I_SAID = `(?:what i(?:'ve| have)?(?: just)? ${SAID}(?: (?:just now|before|above|earlier))?|my last (?:message|sentence|words)|the last (?:message|thing i ${SAID}))`
const WHAT_I_SAY =
  "(?:what i(?:'m| am)?(?: (?:about|going) to)? (?:say|tell you|write|post)(?: (?:next|now|from now on|here))?|the following(?: messages?)?|(?:the|my) next (?:\\w+ )?(?:message|messages|lines|sentence|thing|words)|what follows|what comes next)"

const language: Language = {
  forgetMe: english(
    'forget (?:about |all about )?me|forget i (?:ever )?existed',
    'forget (?:everything|all|all of it|anything)(?: that)?(?: you(?: have|ve)?(?: ever)? (?:know|have|got|learn(?:ed|t)|remember|stored|saved|kept|noted))? (?:about|on|of|from) me',
    'forget (?:everything|all)(?: that)? (?:i|ive|i have) (?:ever )?(?:said|told you|wrote|written)',
    '(?:delete|erase|remove|wipe|purge) (?:all )?my (?:data|information|memory|memories)',
    '(?:delete|erase|remove|wipe|purge) (?:everything|anything|all(?: the)? data|all|the data)(?: that)?(?: you(?: have|ve)? (?:know|have|got|learned|remember|stored|saved|kept))?(?: (?:stored|saved))? (?:about|on|of|from) me',
    '(?:delete|erase|remove|wipe) me(?: from your memory)?|i (?:want|would like|wish) to be forgotten',
  ),
  asksWhatIsKnown: english(
    '(?:what|how much|what else|what all|what exactly)(?: information| data| facts)? (?:do|did|have) you (?:already |actually |still |all )?(?:know|known|remember|remembered|learned|learnt|got|have|store|stored|save|saved|keep|kept|noted|recorded)(?: (?:stored|saved|on file))? (?:about|on|of|from) me',
    'do you (?:know|remember|have|store|keep) (?:anything|something|any information|any data|any facts) (?:about|on|of) me',
    '(?:tell|show|give|list|read)(?: me| us)?(?: of)? (?:everything|all|anything|what|whatever|(?:all )?the (?:things|facts))(?: that)? you (?:know|remember|have|learned|stored|saved|kept|noted)(?: (?:stored|saved))? (?:about|on|of) me',
    '(?:tell|show|give|list|read)(?: me| us)? (?:your|the) (?:notes|facts|memories|data|information)(?: you have)? (?:about|on|of) me',
    'what (?:is|do we have) (?:known |stored |saved )?(?:about|on) me|(?:which|what) (?:facts|things|data) (?:do you (?:know|remember|have|keep|store)|are (?:known|stored|saved)) (?:about|on|of) me',
  ),
  optsOut: english(
    `(?:do not|dont|never|stop|quit) listen(?:ing)?(?: in)? to (?:${MINE})`,
    `(?:do not|dont|never|stop|quit) (?:remember(?:ing)?|record(?:ing)?|log(?:ging)?|sav(?:e|ing)|stor(?:e|ing)|track(?:ing)?|keep(?:ing)?|collect(?:ing)?|read(?:ing)?|(?:spy|eavesdrop)(?:ping|ing)? on|memori[sz](?:e|ing)) (?:${MINE})`,
    `i (?:do not|dont) want you to (?:listen to|remember|record|log|save|store|track|keep|collect|read) (?:${MINE})`,
    'i (?:do not|dont) want to be (?:heard|listened to|recorded|remembered|logged|tracked|stored)',
    'opt(?: me)? out(?: of (?:recording|memory|listening|this|your memory))?|(?:i|id) (?:(?:want|would like|wish|like) to )?opt out|leave me out of your memory',
    'ignore (?:(?:all )?my messages|(?:everything|anything|whatever|what) i (?:say|write|post)|me (?:from now on|for ?ever|completely))',
  ),
  optsIn: english(
    `(?:start )?listen(?:ing)? to (?:${MINE})`,
    `(?:start )?(?:remember(?:ing)?|record(?:ing)?|log(?:ging)?|sav(?:e|ing)|stor(?:e|ing)|read(?:ing)?) (?:${MINE})`,
    'opt(?: me)?(?: back)? in|(?:i|id) (?:(?:want|would like|wish|like) to )?opt (?:back )?in|(?:stop ignoring|un ?ignore) (?:me|my messages)',
    `(?:(?:ive |i )?changed my mind )?(?:you (?:can|may)|feel free to|its (?:ok|okay|fine) (?:to|if you)|(?:im|i am) (?:ok|okay|fine) with you) (?:listen(?:ing)? to|hear(?:ing)?|read(?:ing)?|record(?:ing)?|remember(?:ing)?|log(?:ging)?|keep(?:ing)?) (?:${MINE}|my stuff)(?: from (?:here|now) on)?`,
    '(?:im|i am) (?:ok|okay|fine) with (?:being (?:recorded|remembered|heard|listened to|logged)|it)(?: by (?:you|the bot))?(?: after all| again)?(?: turn it (?:back )?on(?: for me)?)?',
  ),
  rememberThat: english(
    '(?:remember|memori[sz]e|do not forget|dont forget)(?: (?:this|that|it|these|those)(?: (?:one|message))?| what (?:i|he|she|they|we) (?:just )?(?:said|wrote)| the (?:last|previous) message)?',
    '(?:note|write|jot|keep) (?:this|that|it) (?:down|in mind)|(?:make|take) a note(?: of (?:this|that|it))?',
  ),
  forgetThat: english(
    'forget (?:about )?(?:that|this|that one|this one|(?:that|this|my last|the last|my previous|the previous) (?:message|thing))',
    'forget (?:about )?(?:what|that|everything|all|the thing|the message)(?: that)? (?:i|ive|i have)(?: just)? (?:said|wrote|written|posted|told you|sent)(?: (?:just now|before|now|that))?',
  ),

  offRecord: {
    marks: [
      new RegExp(`${START}${ASKS}${NOT} ${KEEP}(?=\\s*[:：])`, 'iu'),
      new RegExp(
        `${START}${ASKS}${NOT} (?:put|add|take|keep) ${THIS} (?:in|into|to) your (?:memory|notes|records|logs?)${AFTERWARDS}${END}`,
        'iu',
      ),
      new RegExp(
        `${START}${ASKS}i(?:'d| would) (?:like|prefer) (?:you|it if you) (?:not to|to not|didn'?t) ${KEEP} ${THIS}${AFTERWARDS}${END}`,
        'iu',
      ),
      new RegExp(`${START}${ASKS}forget ${THIS} (?:after|afterwards|later|again|right away)(?: (?:this|that))?${END}`, 'iu'),
      new RegExp(`${START}${ASKS}${NOT} ${KEEP} ${THIS}${AFTERWARDS}${END}`, 'iu'),
      new RegExp(
        `${START}${ASKS}(?:there is |there's )?(?:no need|you (?:don'?t|do not) (?:have|need)) to ${KEEP} ${THIS}${AFTERWARDS}${END}`,
        'iu',
      ),
      new RegExp(
        `${START}${ASKS}i (?:don'?t want you to|do not want you to|would rather you didn'?t|'?d rather you didn'?t) ${KEEP} ${THIS}${AFTERWARDS}${END}`,
        'iu',
      ),
      new RegExp(`${START}${ASKS}i'd rather you (?:didn'?t|did not) ${KEEP} ${THIS}${AFTERWARDS}${END}`, 'iu'),
      new RegExp(`${START}${ASKS}(?:leave|keep) ${THIS} out of your (?:memory|notes|records|logs?)${AFTERWARDS}${END}`, 'iu'),
      new RegExp(`${START}not for (?:your|the) (?:memory|notes|records?|logs?)${END}`, 'iu'),
      new RegExp(`${START}${ASKS}(?:keep )?${OF_THIS}${OFF}(?:,? (?:please|pls|ok|okay|but|though))*${END}`, 'iu'),
      new RegExp(
        `${START}(?:and |but |so )?(?:this (?:is|stays) |keep (?:this|it|that) |that's )?(?:just |strictly |only )?between (?:us|ourselves|you and me|the two of us)${END}`,
        'iu',
      ),
      new RegExp(
        `${START}${ASKS}keep (?:this|it|that) (?:to yourself|(?:a )?secret|private|confidential|quiet)${AFTERWARDS}${END}`,
        'iu',
      ),
      new RegExp(
        `${START}${ASKS}${NOT} tell (?:anyone|anybody|a soul|the others|others)(?: (?:about )?(?:this|that|it))?${AFTERWARDS}${END}`,
        'iu',
      ),
    ],
    retracts:
      /\b(?:(?:scratch|strike|delete|remove|erase|cancel|ignore|disregard|drop|undo|retract|unsee|unhear) (?:that|this|it|what i(?: just)? said|(?:that|my)(?: last)? message|the last (?:one|message))|(?:i )?take (?:that|it) back|never ?mind|nvm|forget (?:it|that|i said (?:that|it))|wrong (?:channel|chat|window|thread|room)|(?:that|it|this)(?: was|'s| is) (?:a mistake|private|personal|not (?:for here|meant for (?:you|here))|too much)|my (?:bad|mistake)|oops|whoops|ah|oh|hm+|sorry|actually|wait|no|please|hey|ok(?:ay)?|just|and|so|then)\b/giu,
    // "I don't remember that, sorry", "is this off the record?"
    notMeant:
      /^(?:don't|do not|never) (?:remember|recall) (?:that|it)\b(?! *[:.])|^(?:is|was|are|were|why|what|how|who|did|does) [^:]*\?\s*$|^["“]/iu,
    back: new RegExp(
      `^${ASKS}(?:${NOT} ${KEEP} ${WHAT_I_SAID}|forget (?:${WHAT_I_SAID}|(?:that )?i(?: just)? (?:ever )?${SAID} (?:that|this|it|anything))|(?:that|it|${WHAT_I_SAID}|that last (?:one|message|bit))(?: was| is|'s) ${OFF})${AFTERWARDS}[.!\\s]*$`,
      'iu',
    ),
    ahead: new RegExp(
      `^${ASKS}(?:${NOT} ${KEEP} ${WHAT_I_SAY}|(?:(?:let's|let us|we|i'm|i am|we're|going|go|can we)(?: (?:go|going|are))? )${OFF}(?: (?:for (?:a|one) (?:moment|minute|second|sec|bit|while)|now|from here|from now on))?|${OFF} (?:for (?:a|one|the next) .{1,20}|from (?:here|now)(?: on)?|now)|${WHAT_I_SAY} (?:is|stays|are) ${OFF})${AFTERWARDS}[.!:\\s]*$`,
      'iu',
    ),
    over: /^(?:(?:ok|okay|so|now|and|alright|right),? )*(?:(?:we are|we're|i'm|i am|let's go|let's get|going|that is it,?) )?back on the record(?: now| again)?[.!\s]*$/iu,
  },

  contents: said => [content(said)],
  topic,
  previous: PREVIOUS,
  // "Forget about the cat and tell me a joke."
  emptyContent:
    /\b(?:and|then)(?: please)? (?:tell|say|write|give|show|answer|explain|translate|remind|help) (?:me|us|him|her|them|it|a|the|that)\b|^(?:every|any|some|no)thing$/i,

  request: REQUEST,
  jokes: /\b(?:lol|lmao|rofl|jk|haha\w*)\b/iu,

  greetings: 'hey|hi|hello|ok|okay|yo',
  choice: {
    all: '(?:forget )?(?:all(?: of)?(?: (?:them|it|these|those))?|everything|both(?: of them)?)',
    none: 'none(?: of (?:them|these|those))?|no|nope|nothing|not that(?: one)?|stop|keep (?:them|it|all)(?: all)?|leave (?:it|them)',
    yes: 'yes|yep|yeah|yup|sure|right|that one',
    lead: 'forget |the |number |no |nr ',
    ordinal: '(?:st|nd|rd|th)?(?: one)?',
    and: 'and',
    after: 'please|pls|thanks|thank you',
  },
}

export default language
