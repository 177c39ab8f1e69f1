import type { Language } from '../language.ts'

const CHANGE =
  'actually|wait|no wait|rather|instead|i mean|i meant|on second thoughts?|change of plans?|scratch that|never ?mind|nvm|make (?:it|that)|change (?:it|that)|then|better|sorry|no|ok|okay|please'

const LEAD =
  CHANGE +
  '|hey|hi|dear|not now|ok|okay|please|pls|plz|just|now|sorry|no|oh|um|well|so|and|but|right|alright|thanks|thank you|seriously|really|kindly|' +
  '(?:can|could|will|would) (?:you|u)|you (?:should|must|can|may|need to|have to)|(?:i|we) (?:need|want|would like) you to|' +
  'would you mind|id like you to|wed like you to|i said|time to|try to|for now|everyone|guys'

const TAIL =
  'instead|rather|after all|though|actually|this time|(?:(?:a )?(?:bit|little|while) )?longer|please|pls|plz|now|right now|already|for now|for (?:a|one|the) (?:little while|while|bit|moment|second|sec|time being)|a (?:bit|little|moment|while)|' +
  'for (?:me|us)|ok|okay|will you|would you|can you|could you|thanks|thank you|thx|tonight|here|in here|in this channel|then|man|dude|bot|' +
  'until (?:i|we|someone|somebody) (?:call|calls|ask|asks|need|needs|say|says|mention|mentions|tell|tells)(?: for)?(?: you)?(?: so| otherwise)?(?: again)?|' +
  'unless (?:asked|called|spoken to|mentioned)|all ?right|lol|everyone|guys|yourself|again|so much|too much|i mean it|seriously|you|sorry|from now on|any ?more|to (?:everything|everyone|every message|us|me)'

// A counted repetition instead of a star: some words match in two ways, and a star would take exponential time.
const english = (...orders: readonly string[]) =>
  new RegExp(`^(?:(?:${LEAD}) ){0,5}(?:${orders.join('|')})(?: (?:${TAIL})){0,5}$`)

// ---------------------------------------------------------------- how long

const WORDS = new Map(
  Object.entries({
    a: 1,
    an: 1,
    another: 1,
    'the next': 1,
    half: 0.5,
    'half a': 0.5,
    'half an': 0.5,
    few: 3,
    'a few': 3,
    'a couple': 2,
    'a couple of': 2,
    'a quarter of an': 0.25,
    'quarter of an': 0.25,
    'three quarters of an': 0.75,
  }),
)
for (const [index, word] of 'one two three four five six seven eight nine ten eleven twelve'.split(' ').entries()) {
  WORDS.set(word, index + 1)
}
for (const [word, number] of Object.entries({
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  sixty: 60,
})) {
  WORDS.set(word, number)
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const UNIT = 'sec(?:ond)?s?|min(?:ute)?s?|mintues?|minuets?|h(?:ou)?rs?|days?'

const AMOUNT = [...WORDS.keys()].sort((a, b) => b.length - a.length).join('|')

const PATTERN = new RegExp(
  String.raw`(?:\bfor\s+)?(?:\b(?:about|around|like|at least|the next|another)\s+)?` +
    String.raw`(?:(?<![\p{L}\d.])([-−]?\d{1,4}(?:\.\d)?)\s*(${UNIT}|[smhd])\b|\b(${AMOUNT})( and a half)?\s+(${UNIT})\b)` +
    String.raw`(\s+and a half\b)?(?:\s+or (?:so|two)\b)?`,
  'gu',
)

const language: Language = {
  asksForQuiet: english(
    '(?:be|being|stay|staying|keep|keeping|remain|remaining|go|going) (?:(?:very|really|more|completely|totally|absolutely|a bit|a little) )?(?:quiet(?:er)?|qiuet|queit|quite|silent|silence|still|muted)(?: mode)?',
    '(?:quiet|silent|silence|mute|dnd) mode(?: on)?|do not disturb|dnd|radio silence|quiet time|zip it|lips sealed|mum|stand down|pause|take five|go (?:dark|mute|offline)|turn (?:on )?(?:quiet|silent) mode(?: on)?',
    '(?:to )?not (?:to )?(?:talk(?:ing)?|speak(?:ing)?|chat(?:ting)?|reply(?:ing)?|post(?:ing)?|respond(?:ing)?|say(?:ing)? anything)',
    'give (?:us|me)(?: all)?(?: some time)?(?: without| with no) (?:you(?: talking| chatting| interrupting)?|talking|chatting|chatter|interrupting|butting in|messages|replies|comments)|without you talking',
    'quiet(?: down)?|silence|hush(?: up| now)?|sh+h|shush(?: up)?|shut(?:ting)? (?:up|it|your (?:mouth|trap|face))|stfu|pipe down|zip (?:it|your lips)',
    'hold (?:off )?(?:your|all|all your|any) (?:messages|replies|comments|pings|posts|notifications)|(?:hold|lay) off (?:on )?(?:the )?(?:messages|messaging|posting|replies|replying|pings|pinging|talking|commenting)|keep your (?:messages|comments|thoughts|replies) to yourself',
    'put a sock in it|keep it down|keep your mouth shut|hold your (?:tongue|peace)|(?:say|write) nothing|not (?:a|another|one more) word',
    'mute(?: yourself)?|no (?:more )?(?:talking|replies|messages|comments|chatter|posts|pings|pinging|notifications|interruptions|noise)(?: from you)?|(?:(?:i|we) (?:need|want)|id like) (?:some|a bit of) (?:peace and )?quiet',
    'stop (?:talking|chatting|chattering|posting|replying|responding|answering|messaging|speaking|commenting|(?:butting|chiming|jumping) in|interrupting(?: us)?|interfering|spamming)',
    '(?:do not|dont) (?:talk|speak|reply|respond|answer|post(?: anything)?|comment|say (?:anything|a word|another word)|(?:chime|butt|jump) in|interrupt(?: us)?|disturb us)',
  ),
  hintsAtQuiet: english(
    'stop(?: it| that)?|(?:thats )?enough|give (?:us|me) (?:of )?(?:silence|quiet|peace)|give (?:it|us|me) (?:a (?:break|rest|moment|minute)|some (?:peace|quiet|space|peace and quiet))|go away|back off',
    'leave (?:us|me) (?:alone|in peace|be)|(?:take|have) a (?:break|nap|rest)|(?:go to )?sleep|(?:stay|keep) out of (?:it|this)|knock it off|cut it out',
  ),
  changes: new RegExp(`^(?:(?:${CHANGE})(?: |$)){0,5}$`),
  letsTalk: english(
    '(?:you (?:can|may|could)|(?:its|it is) (?:ok|okay|fine|alright)(?: for you)? to|feel free to|youre (?:free|allowed|welcome) to) (?:talk|speak|chat|reply|respond|post|join(?: in)?|chime in|come back)(?: (?:to|with) us)?',
    '(?:talk|speak|chat|join(?: in)?)(?: (?:to|with) us)? again|speak (?:up|freely)|un ?mute(?: yourself)?|come back|wake up|youre unmuted|stop being (?:quiet|silent)|say something|back to normal',
    '(?:you (?:do not|dont) (?:have|need) to|no need to|neednt) be (?:quiet|silent)',
  ),
  until: {
    pattern:
      /(?<![\p{L}'’])(?:until|untill|till?|'til|before|(?:you (?:can|may) |and )?(?:come back|be back|return|(?:talk|speak) again) at)(?![\p{L}])/u,
    isBefore: true,
    open: /^\s*(?:i|we|someone|somebody|you(?:'re| are)?|asked|told|called|addressed|further notice|then|now)\b/,
  },
  today: /\b(?:for )?(?:all |(?:the )?rest of (?:the |this )?)day\b|\b(?:for )?today\b/,
  reported: /\b(?:say|says|said|tell|tells|told|asked)\b/,
  duration: {
    pattern: PATTERN,
    ms([digits, short, words, more, unit = short, half = more]) {
      const amount = digits === undefined ? WORDS.get(words ?? '') : Number(digits)
      const length = UNITS[unit?.[0] ?? '']
      return amount === undefined || length === undefined ? undefined : (amount + (half === undefined ? 0 : 0.5)) * length
    },
  },
}

export default language
