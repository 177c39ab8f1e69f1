import type { ReaderLanguage } from '../language.ts'

const NUMBER =
  '(?:\\d[\\d.,]{0,12}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred)'
const HOUR = '(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)'
const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const MONTH = `(?:${MONTHS.map(month => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')}|sept)\\.?`
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const MONEY = '(?:dollars?|bucks?|euros?|yen|pounds?|won|cents?|usd|eur|jpy|krw|k)'
const UNIT = '(?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)'
const WHERE =
  '(?:in|at|near|next to|close to|behind|under|beneath|beside|inside|outside|opposite|in front of|above|below|between|across from|from|to|into|on|by)'
const PLACE =
  '(?:park|station|room|hall|building|office|library|caf[eé]|restaurant|bar|pub|school|museum|beach|street|square|house|flat|apartment|airport|hotel|church|gym|garden|cent(?:er|re)|floor|level|shelf|cabinet|cupboard|drawer|kitchen|lobby|market|mall|lake|river|bridge|desk|table|box|fridge|garage|basement|attic|corner)'

const en = (source: string) => new RegExp(source, 'iu')

const language: ReaderLanguage = {
  asks: {
    reason: en(
      "\\bwhy(?:['’](?:s|d|re))?\\b|\\bhow come\\b|\\breason\\b|\\bwhat happened[?]*$|\\bwhat(?:['’]s| is| was) (?:wrong|the matter)[?]*$",
    ),
    clock: en("\\b(?:what|which) time\\b|\\bwhat['’]?s the time\\b|\\bhow (?:late|early)\\b|\\bat what hour\\b"),
    day: en('\\b(?:what|which) (?:day|date|weekday|month)\\b'),
    time: en("\\bwhen(?:['’](?:s|ll|re))?\\b|\\bhow soon\\b"),
    place: en(
      "\\bwhere(?:['’](?:s|ll|d|re))?\\b|\\b(?:what|which) (?:place|room|building|address|city|town|country|floor|venue|location|station|gate|platform)\\b",
    ),
    money: en(
      "\\bhow much\\b(?= (?:is|are|was|were|did|do|does|will|would|should|can|could|has|have|the|money|for|per|each)\\b|[?]|$)|(?<=\\bhow much\\b.{0,60}\\b)(?:pay|paid|spend|spent|cost)\\b|\\bhow expensive\\b|\\bwhat(?:[’']s| is| was| are| were)? (?:(?!\\b(?:about|say|said|tell|told)\\b).){0,40}\\b(?:price|cost|budget|rent|fee|fare)s?\\b",
    ),
    duration: en('\\bhow long\\b|\\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\\b'),
    count: en('\\bhow (?:much|many|old|far|big|tall|often|heavy|high)\\b|\\bnumber of\\b'),
    person: en("\\bwho(?:se|m|['’](?:s|ll|d|re|ve))?\\b"),
    name: en('\\bnamed?\\b|\\bcalled\\b'),
    thing: en("\\bwhat(?:[’']s)?\\b|\\bwhich\\b"),
  },
  states: {
    reason: en(
      "\\bbecause\\b|\\bcuz\\b|\\bsince (?:i|we|it|he|she|they|the|there|my|our)\\b|\\bdue to\\b|\\bso that\\b|\\bthat[’']?s why\\b|\\breason\\b|\\bthanks to\\b|\\bturns out\\b|\\bcaused by\\b|\\b(?:it|that|this) depends on\\b|\\blooks like\\b|\\bthe (?:problem|cause) (?:is|was)\\b|, so (?:i|we|it|he|she|they|the|my|our)\\b",
    ),
    clock: en(
      `\\b\\d{1,2}(?:[:.]\\d\\d)? ?(?:am|pm|a\\.m|p\\.m|o[’']clock)\\b|\\b\\d{1,2}:\\d\\d\\b|\\bnoon\\b|\\bmidnight\\b|^(?:ok(?:ay)?,? |so |then |no,? |(?:how|what) about )?(?:1?\\d|2[0-4])(?=[?.!,]|$| (?:works|then|is (?:fine|ok|good|better|perfect)))|\\b(?:half past|quarter (?:to|past)|half) (?:${HOUR})\\b|\\bhalf past\\b|\\b\\d{1,2}(?:ish| sharp)\\b|\\b(?:at|by|until|till|from|around|past|before|after|is|to) (?:about |half past |half |quarter past |quarter to )?${HOUR}\\b(?![:.,%\\d]|[- ](?:percent|people|guests|persons|of|${MONEY}|${UNIT}|more|less|${MONTH})|(?:st|nd|rd|th)\\b)`,
    ),
    day: en(
      `\\b${WEEKDAY}\\b|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b|\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\\b|\\b\\d{1,2}(?:st|nd|rd|th)\\b(?! (?:street|st|avenue|ave|floor|row|place|level|grade)\\b)|\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d{1,2}/\\d{1,2}\\b|\\b(?:today|tonight|tomorrow|yesterday|weekend)\\b|\\b(?:next|last|this) (?:week|month|year|morning|afternoon|evening|night|spring|summer|autumn|fall|winter)\\b|\\bin (?:${MONTHS.join('|')}|spring|summer|autumn|winter)\\b|\\b(?:in|since|until) (?:19|20)\\d\\d\\b|\\b(?:christmas|easter|new year)\\b|\\bend of (?:the )?\\w+`,
    ),
    time: en(
      `\\bin ${NUMBER} ${UNIT}\\b|\\b(?:morning|afternoon|evening)s?\\b|\\b${NUMBER} ${UNIT} ago\\b|\\bevery (?:day|week|month|year)\\b`,
    ),
    place: en(
      `\\b${WHERE} (?!(?:least|all|once|first|last|fact|general|time|case|touch|me|you|us|him|her|them|it|do|be|go|get|have|make|see|take|the way|my way|the other|holiday|vacation|sale|fire|purpose)\\b)(?:the |a |an |my |our |your |his |her |their |aunt |uncle )?#?\\p{L}[\\p{L}'’-]+(?: \\p{L}[\\p{L}'’-]+)?|\\b(?:\\p{L}|\\d{1,3}(?=st|nd|rd|th))\\p{L}* ${PLACE}\\b|\\b(?:at home|upstairs|downstairs|online|here|on zoom)\\b`,
    ),
    money: en(
      `[¥$€£₩]\\s?\\d|\\b${NUMBER} ?${MONEY}\\b|\\d\\s?[¥€£₩]|\\b(?:costs?|cost me|paid|pay|spent|price is|for) ${NUMBER}\\b|\\b\\d[\\d,.]{0,10}\\d(?=$| (?:and|but|for|each)\\b)|\\b\\d[\\d.,]{0,10} (?:an?|per|each) (?:night|day|week|month|year|hour|person|head|piece)\\b|\\bfor free\\b|\\bis free\\b`,
    ),
    duration: en(
      `\\b${NUMBER}(?: and a half| or (?:two|three|so))? ?(?:an? )?${UNIT}\\b|\\bhalf an hour\\b|\\bovernight\\b|\\b(?:until|till|from [\\w:]+ (?:am |pm )?to) \\w`,
    ),
    count: en(
      `(?<![:.\\d/])\\b\\d[\\d,.]{0,12}\\b(?![:/]\\d|\\s?(?:am|pm|o[’']clock)\\b|(?:st|nd|rd|th)\\b)|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|dozen|none|nobody|twice|once)\\b`,
    ),
    person: en("\\b(?:i|i['’](?:ll|ve|m|d)|me|we|we['’](?:ll|ve|re))\\b"),
    name: en('\\b(?:named|called|name is|names are|goes by)\\b'),
  },
  around: en(
    '\\b(?:please|can you |could you |do you (?:know|remember)|does any(?:one|body) (?:know|remember)|any(?:one|body) knows?|(?:tell|remind|show) (?:me|us)|let me know|i (?:forgot|wonder|need to know|want to know)|again)\\b',
  ),
  days: {
    ...Object.fromEntries(
      'sunday monday tuesday wednesday thursday friday saturday'.split(' ').map(day => [day.slice(0, 3), en(`\\b${day}s?\\b`)]),
    ),
    today: en('\\b(?:today|tonight)\\b'),
    tomorrow: en('\\btomorrow\\b'),
    yesterday: en('\\byesterday\\b'),
  },
  date: en(
    `\\b(?<month>${MONTHS.map(month => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')})\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b`,
  ),
  months: MONTHS,
  toRemember: /^(?:please |pls )?(?:remember|note|keep in mind|dont forget|don['’]t forget),?(?: that)? /i,
  wanted: en(
    '\\b(?:someone|somebody|anyone|anybody) (?:has|have|needs?|should|must|can|could|wants?)\\b|\\b(?:can|could|would|will) (?:someone|somebody|anyone|anybody)\\b|\\bneed (?:an?|some|someone)\\b',
  ),
  bare: en('^(?:(?:and|so|ok|what about|how about),? )?(?:the |an? |your |his |her |their )?\\p{sc=Latin}+[?]+$'),
  refers: en("\\b(?:it|it['’]s|that|that['’]s|there|they|they['’]re|he|she|he['’]s|she['’]s|him|her|them|those|then|both)\\b"),
  pronoun: en('\\b(?:he|she|they|him|her|them)\\b'),
  settles: en("\\b(?:from now on|now|then|decided|agreed|settled|done,|let['’]s|we['’]ll|we take|perfect)\\b"),
  corrects: en(
    `\\b(?:actually|instead|changed?|moved?|postponed?|reschedul\\w+|delayed|shifted|pushed|extended|put (?:off|back)|brought forward|switched|swapped|sorry|oops|correction|i mean|scratch that|make (?:it|that)|better|so (?=\\d)|(?:oh |no )?wait|hold on)\\b|\\bno, (?:\\w+ )?(?=(?:at |on )?(?:\\d|${WEEKDAY}))`,
  ),
  uncertain: en('^if\\b|\\b(?:maybe|perhaps|probably|might|i (?:think|guess|hope|bet))\\b'),
  denies: en(
    "\\b(?:was|is)n['’]?t (?:me|mine)\\b|\\bnot (?:me|mine|i)\\b(?!.*\\b(?:was|did|is|has|it['’]s|will)\\b)|\\bno (?:idea|clue)\\b|\\b(?:don|doesn|didn)['’]?t (?:know|remember|say|tell)\\b|\\bnot sure\\b|\\b(?:good question|who knows|we['’]ll see)\\b|\\b(?:i['’]ll ask|let me (?:check|ask|look))\\b|\\bwish i knew\\b|\\b(?:haven|hasn)['’]?t (?:decided|heard|checked|been decided)\\b|\\bnot decided\\b|\\b(?:nobody|no one) knows\\b",
  ),
  declines: en(
    "\\bi (?:can['’]?t|cannot|won['’]t|couldn['’]t|didn['’]t|don['’]t)\\b|\\bi(?:['’]m| am) (?:not|busy|away|out|at|in an?|on (?!it)|working|sick|stuck|swamped|off|late)\\b",
  ),
  offers: en("\\bi (?:can|could|did|will|got|have|take|bring)\\b|\\bi['’](?:ll|ve)\\b|\\b(?:from|on) me\\b|^(?:me|sure|i)\\b"),
  asksPresent: en("\\b(?:is|are|will|does|do|going|when['’]s|where['’]s|who['’]s)\\b(?!.*\\b(?:was|were|did|last|yesterday)\\b)"),
  asksPast: en('\\b(?:did|was|were)\\b'),
  future: en(
    "\\b(?:will|won['’]t|tomorrow|(?:going|want|plan|planning|would like) to|next (?:week|weekend|month|year|summer|winter|spring|autumn|time))\\b|['’](?:ll|d like)\\b",
  ),
  negative: en("\\b(?:no|not|nothing|nope|never)\\b|n['’]t\\b"),
  past: en(`\\b(?:yesterday|last (?:night|week|weekend|month|year|time|spring|summer|autumn|winter|${WEEKDAY})|ago|used to)\\b`),
  opposites: [
    [
      en('\\b(?:start|begin|open)(?:s|ed|ing|ning)?\\b'),
      en('\\b(?:end|finish|close)(?:s|es|d|ed|ing)?\\b|\\bis over\\b|\\b(?:until|till)\\b'),
    ],
    [
      en('\\b(?:leav(?:es?|ing)|left|depart\\w*|takes? off)\\b'),
      en('\\b(?:arriv\\w+|lands?|landing|gets? (?:in|back|home|there))\\b'),
    ],
    [en('\\bpick\\w* (?:\\w+ )?up\\b'), en('\\bdrop\\w* (?:\\w+ )?off\\b')],
    [en('\\b(?:buy|bought)\\b'), en('\\b(?:sell|sold)\\b')],
  ],
  agrees: en(
    '^(?:yes|yeah|yep|sure|ok(?:ay)?|great|perfect|agreed|sounds good|works for me|\\d{1,2}(?::\\d\\d)?(?: ?[ap]m)? (?:works|is (?:fine|good|ok|perfect))|fine|good idea|deal|exactly|right)\\b',
  ),
  summary: en(
    "\\b(?:summari[sz]e|summary|recap|tl;?dr|sum (?:it |this |that |things |everything )?up|what did i miss|catch me up|bring me up to (?:date|speed)|what (?:did|have|were) (?:we|they|you all|people|everyone|you guys) (?:all )?(?:said|talk|talked|talking|discuss|discussed|discussing|been)|what was (?:said|discussed)(?! about)|what(?:['’]s| is) (?:this|the (?:talk|conversation|discussion|chat)) about|what(?:['’]s| is) (?:going on|up) here)\\b|\\bwhat did we say\\s*\\?*$",
  ),
  task: en(
    "^what(?:['’]s| is)? (?:the )?(?:time|date|weather|day)(?: like| is it| is today)*(?: now| today| tomorrow| outside| there| here)*[?]*$|" +
      '^(?:(?:please|can you|could you|would you|will you|i want you to|i need you to|help me(?: to)?)[, ]+){0,2}(?:write|translate|draw|draft|compose|calculate|compute|explain|code|program|generate|invent|suggest|recommend|rewrite|correct|proofread|sing|search|google|look up|book|order|buy|call|send|email|give me an? (?:idea|example|recipe|list)|tell (?:me|us) an? (?:joke|story)|make (?:me|us) an?|fix|create|build|design|play|set an? (?:alarm|timer|reminder))\\b|\\bwhat (?:do|would) you (?:think|recommend|suggest|prefer|say to)\\b|\\byour (?:opinion|favou?rite)\\b|\\b(?:any|do you have) (?:ideas?|suggestions?|tips?|advice)\\b',
  ),
}

export default language
