import type { Language } from '../language.ts'

const language: Language = {
  greetings:
    'hey|hi|hello|hallo|yo|oi|ok|okay|dear|thanks|thank you|thx|cheers|sorry|morning|good (?:morning|evening|night)|and you|you too|please',
  toName:
    '(?:(?:can|could|will|would|do|did|are|were|have|should) you|please|tell|show|help|give|explain|how|why|what|where|when|who|which|you)(?![\\p{L}\\p{N}])',
  toYou:
    /(?:^|[^\p{L}])(?:do|would|could|can|will|did|are|what|how) (?:do )?you (?!(?:seen?|know|heard?|met|met|remember|ask)\b)[^.!\n]*$/u,
  everybody: 'everyone|here|channel|all',

  refersBack: /\b(?:that|those|these|same|else|either|instead|why|how come|really)\b/,
  asksAnother: /\byou(?:r|rs)?\b/,
  asksAll:
    /\b(?:(?:any|some)(?:one|body)|any (?:ideas?|advice|suggestions?|tips|thoughts|help|recommendations?|chance|way)|is there (?:an?|any|some)|how (?:do|can|should|would|to)|help|i['’]?m (?:stuck|lost)|no idea|don['’]?t know (?:how|what|why|where)|(?:hi|hello|hey),? (?:all|everyone|everybody|guys|folks|there|people))\b/,
  asksForHelp:
    /\b(?:(?:can|could|would|will) (?:any|some)(?:one|body)|(?:does|has|is) any(?:one|body)|any(?:one|body) (?:here|know|knows|got|have|tried|able)|please help|help me|need (?:some )?(?:help|advice))\b/,

  closing: [
    'thank you(?: (?:so|very) much)?|good ?night|good one|sounds good|all right|i see|i know|all|everyone|guys',
    'ok(?:ay)?|k+|kk|thanks?(?: (?:a lot|so much|again|anyway|man|mate|all|everyone))?|thx|thanx|tnx|ty|tysm|cheers',
    'cool|nice|great|good|fine|sure|right|true|yes|yeah|yea|yep|yup|ya|no|nope|nah|exactly|indeed|agreed|same|done|perfect|awesome|sweet',
    'alright|makes sense|will do|got it|gotcha|fair enough|never ?mind|nvm|np|no problem|no worries',
    "you'?re welcome|yw|welcome|sorry|oh|ah+|aha+|oops|hm+|mm+|wow|lol|lmao|rofl|(?:ha)+h?|heh(?:e|eh)*|bye|goodbye|gn|see (?:you|ya)|cya|later|brb|it works?(?: now)?|that worked",
  ].join('|'),
  goesOn: /\b(?:but|however|by the way|btw|also|one more|another|actually|though)\b/,
  leaves:
    /\b(?:thanks(?! to\b)|thank (?:you|u)|thx|tysm?|cheers|appreciate (?:it|that|you)|much appreciated)\b|\b(?:you['’]?re (?:very )?welcome|no (?:problem|worries)|np|any ?time|my pleasure|(?:happy|glad) (?:to|i could) help)\b|\b(?:(?:good|bye)[ -]?bye|bye|good ?night|gn|ciao|see (?:you|ya)|c(?:ya|u)|ttyl|take care|sleep well|(?:gotta|got to|have to) go|g2g|signing off)\b|\b(?:talk|catch|speak)(?: to)?(?: you| ya)? (?:later|soon|tomorrow)\b|^(?:ok(?:ay)?,? )?laters?\b|\bhave a (?:good|nice|great|lovely)\b|\buntil (?:tomorrow|next)\b/,
  thanks: /thank|thx|tnx|\bty|cheers/,

  takesBack:
    /^(?:nvm|never ?mind|nm\b|scratch that|(?:please )?(?:forget|ignore|disregard|skip) (?:it|that|this|about it|(?:what )?i (?:asked|said)|me|my (?:question|message|last))|no need(?: any ?more)?|not needed)|^(?:i(?:'ve| have)? )?(?:(?:just )?(?:got|found|solved|fixed) (?:it|that|one)|figured (?:it|that) out)|^(?:it'?s |all )?(?:solved|sorted|resolved)$|^(?:don'?t|do not) (?:bother|worry)/,
  takesBackLead: 'oh|ah|ok(?:ay)?|actually|wait|sorry|hm+|well|no',
  still: /\b(?:but|still|except|however|though|not)\b/,

  answerLead: 'oh|ah|hm+|well|i think|i guess|afaik|iirc|maybe|probably',
  elsewhere:
    /^(?:brb|afk|same here|me too|good (?:morning|night|question)|(?:i['’]?m|i am|i['’]?ll be|we['’]?re) (?:off|out|going|late|back|here|leaving|having)|i (?:wonder|have no idea|don['’]?t know|would like to know))\b/,
  kinds: {
    where: {
      asks: /\bwhere\b/,
      gives:
        /\b(?:it|they|that|those)(?:['’]?s|['’]re| is| are)? (?:all )?(?:in|on|at|under|behind|next to|over|near|inside|by)\b|^(?:in|on|at|under|behind|inside|next to) (?:the|your|my|our)\b(?!.*\b(?:i|we)['’]?(?:m|re|ll)?\b)/,
    },
    who: { asks: /\bwho\b/, gives: /^\p{L}+(?: \p{L}+)? (?:has|knows|does|did|is|was|keeps|took|owns|wrote|made|runs)\b/u },
    when: {
      asks: /\bwhen\b|what time/,
      gives:
        /\b(?:at|on|until|from|in|next|this) (?:\d|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|week|month)|\b(?:tomorrow|tonight|yesterday)\b/,
    },
    how: {
      asks: /\bhow\b|what['’]?s the (?:best )?way/,
      gives:
        /^(?:just )?(?:open|click|use|try|run|press|go to|drag|select|install|set|type|take|put|add|remove|restart|right-click|choose)\b|\byou (?:can|could|should|have to|need to|just)\b/,
    },
    what: { asks: /\b(?:what|which)\b(?! time)/, gives: /^(?:it['’]?s|it is|that['’]?s|that is|they['’]?re)\b.{3,}/ },
    whether: {
      asks: /^(?:is|are|was|does|do|did|can|could|has|have|will|should)\b/,
      gives:
        /^(?:yes|yeah|yep|no|nope|nah)\b[,.! ]+\w|^(?:it|they) (?:is|are|was|does|did|can|has|have|will|isn['’]?t|doesn['’]?t)\b/,
    },
  },
  states: /\b(?:is|are|was|were|has|have|can|should|must|runs?|works?|uses?|needs?|opens?|closes?|starts?)\b|['’]s\b/,
  common:
    'where when what which that this there they them then with from have does will would could should about anyone anybody someone know just like some your please than here into been were come going today'.split(
      ' ',
    ),
}

export default language
