import type { Language } from '../language.ts'

// ---------------------------------------------------------------- requests

const WHOM = String.raw`(?:me|us|everyone|everybody|all|them|(?:the )?(?:team|channel|group)|@[\w.-]+)`
const POLITE = String.raw`(?:(?:hey|hi|ok|okay|please|pls|plz|can|could|would|will|you|u|kindly|just|also|and)[\s,]+)`

const language: Language = {
  request: {
    before: {
      sure: String.raw`${POLITE}{0,5}(?:r(?:e)?m(?:i)?nd(?:\s${WHOM})?|(?:set|add|create|make|give|send)(?:\s${WHOM})?(?:\s(?:an?|the))?\s+reminder|gimme\s(?:an?\s)?reminder|i\s(?:get|have)\san?\sreminder|reminder|do(?:n['’]?t| not)\slet\s${WHOM}\sforget)(?![\p{L}'’])[\s,:]*`,
      unsure: String.raw`${POLITE}{0,5}(?:(?:ping|nudge|poke|buzz|wake|alert|message|text|dm|tell|ask|say|post|announce|notify)(?:\s${WHOM})?|(?:gimme|(?:give|send)\s${WHOM})\san?\s(?:shout|nudge|poke|ping|message|msg|heads[\s-]up)|hit\s${WHOM}\sup|let\s${WHOM}\sknow)(?![\p{L}'’])[\s,:]*`,
    },
    after: {
      sure: String.raw`(?<![\s,.;])[\s,.;]*(?:please |pls )?remind (?:me|us)(?: (?:please|pls|plz|of (?:it|that)|about (?:it|that)))?[\s.!]*$`,
    },
  },
  polite: String.raw`[\s.!?~]*(?:(?:please|pls|plz|thanks|thank you|thx|ty)[\s.!?~]*)?$`,
  contentStart: String.raw`[\s,:;–-]*(?:(?:for (?:me|us) to|to|that|about|of|for)(?=\s))?\s*`,
  contentEnd: String.raw`[\s,;:–-]*$`,
  goesOn:
    /^(?:[+&]|(?:no|wait|sorry|actually|i mean|or|until|till|except|starting|from)\b|and (?:again|then|at|on|in|every|also)\b|(?:at|on|in|by) (?:\d|half|quarter|noon|midnight|\w+day\b)|\d+ (?:past|to)\b)|\b(?:sometime|at some point|(?<!\b(?:spend|take|have|need|make) )some time)$/i,
  timeSigns: /\d/,
  asksInstead: /^(?:what|who|whom|whose|when|where|why|how|which)\b/i,
  lists:
    /^(?:(?:what|which|any) (?:reminders|standing tasks)(?: (?:do|are|have) (?:we|i|you|there)(?: (?:have|got|set|there))?)?(?: here)?|(?:can you |could you |please )?(?:list|show|see)(?: (?:me|us))?(?: (?:all|every|the|our|my))?(?: of)?(?: (?:the|our|my))? reminders?(?: set)?(?: here| for (?:me|us))?|reminders|(?:our|my) reminders|(?:do (?:we|i) have|are there) (?:any )?reminders(?: here)?)$/i,
  cancels:
    /^(?:(?:please|pls|ok|okay) )?(?:(?:cancel|delete|remove|drop|forget|stop|scrap|kill|ditch|scratch) (?:(?=reminder|the |that |my |our |it\b|#|\d|all)(?<which>(?:(?:the|that|my|our) )?(?:(?:last )?reminder|one)(?: (?:#?\d+|(?:about|for|to|on) .+))?|(?:the|that|my|our) .+ (?:reminder|one)|it|that|#?\d+))|stop (?:reminding|pinging|nagging|telling) (?:me|us) (?:about|of|to) (?<which>.+))(?: (?:please|pls|plz|thanks))?$/i,
  cancelsAll:
    /^(?:(?:please|pls|ok|okay|can you|could you|just) )*(?:cancel|delete|clear|remove|drop|erase|stop|end|kill|wipe)(?: out)? (?:(?:all|every|each|any)(?: of)?(?: (?:the|my|our|these|those))?(?: (?:set|pending|open|active|remaining))? reminders?|(?:the|my|our|these|those) (?:reminders|reminder list|list of reminders)|reminders|everything|all of (?:it|them)|them all|all)(?: (?:here|please|pls|now|thanks|for me|in this channel))*$/i,
  moves:
    /^(?:please )?(?:move|reschedule|shift|postpone|push|change) (?<which>it|that|(?:(?:the|that|my|our) )?(?:(?:last )?reminder|one)(?: (?:#?\d+|(?:about|for) .+?))?|the .+? reminder) (?:back )?(?:to|for|until|till) (?<when>.+)$/i,
  watches:
    /^(?:please )?(?:when(?:ever)?|if|next time) (?:somebody|someone|anybody|anyone|people|a person) (?:mentions?|says?|asks? (?:about|for)|talks? about|brings? up|writes?)(?: (?:about|the word))? (?<words>.{2,60}?),? (?:then )?(?:please )?(?:tell (?:them|her|him|everyone|us)|remind (?:them|us|everyone)|say|answer|reply(?: with)?|post)(?: (?:that|to|about))?[ :,]+(?<content>.+)$/i,
  it: /^(?:it|that|(?:the |that |my |our )?(?:last )?(?:reminder|one))$/i,
  number: /(?:^|\s)#?(\d{1,9})$/,
  about: /^(?:(?:the|that|my|our) )?(?:(?:reminder|one) (?:about|for|to|on) (?<words>.+)|(?<named>.+) (?:reminder|one))$/i,
  promises: [
    /(?:^|[.!?\n]\s*|,\s|\b(?:and|but|so)\s)(?:ok(?:ay)?,?\s)?i(?:['’]ll| will| am going to|['’]m going to)\s(?:look (?:into|at)|check|get back|come back|follow up|report back|let (?:you|us) know|find out|think about|review|verify|investigate|try again|tell you|remind you)(?<when>[^.!?\n]{0,120})/giu,
  ],
  vague: /\b(?:later|in a (?:bit|while|moment)|soon|shortly|when i (?:have|get) (?:time|a moment))\b/i,
}

export default language
