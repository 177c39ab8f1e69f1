import type { Language } from '../language.ts'

/** A name behind one of these is its object, or belongs to it: "ask kiki", "about kiki", "is kiki". */
const TAKES_OBJECT = [
  '(?<!(?:the|a|an|your|my|this|that) )(?:add|answer|ask|ban|beat|block|break|build|call|check|configure?|creat|deploy|disabl|enabl|feed|find|fix|follow|hat|hear|help|host|hug|install|invit|kick|kill|know|lik|lov|meet|mention|miss|mut|need|nam|notic|pick|ping|play|prefer|read|reboot|report|replac|remov|restart|run|see|show|start|stop|tell|test|thank|train|trust|turn|updat|us|visit|want|watch)(?:e|s|es|d|ed|ing|[nptbm]ing|[nptb]ed)?',
  'try|tries|tried|trying|have|has|had|having|get|got|getting|give|gave|given|make|made|making|buy|bought|write|wrote|written|tell|told|teach|taught|see|saw|seen|hear|heard|know|knew|known|meet|met|find|found|break|broke|broken|feed|fed|choose|chose|keep|kept|put|set|let|bring|brought|own|ran|said|says|mean|meant',
  'about|with|for|from|to|of|by|at|in|on|like|than|as|off|into|over|without|behind|via|vs|versus|against|is|was|are|were|am|be|been|being|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had|called|named',
  'the|a|an|my|our|your|his|her|their|its|some|any|no|every|another|other|which|what|who|when|where|why|how|if|whether|while|until|unless|since|because|and|or|but|not|only|even|just|new|old|poor',
].join('|')

/** What may end a sentence before a name: no name is an object of it. */
const ENDS =
  "thanks|thank (?:you|u)|(?:so|very) much|thx|ty|tysm|hi|hey|hello|yo|(?:good )?(?:night|morning|evening|afternoon|job|work|bot|point|idea|one|question|luck)|gn|gm|bye|goodbye|later|sorry|please|pls|plz|congrats|welcome|welcome back|you|u|(?<!^(?:is|was) )it|me|us|there|now|here|again|today|tonight|tomorrow|too|wrong|right|true|correct|ok|okay|yes|yeah|no|nope|sure|(?:what'?s|wake|shut|hurry) up|(?:what?s)?'?sup|makes sense|what i (?:said|meant|mean|wanted)|(?:more|next|this|last) time|what'?s that|come on|you know what|well done|calm down|help(?: me)? out|guess what|(?:my|your) turn|agreed|exactly|nice|cool|great|awesome|wow|wdyt|never ?mind|nvm|worries|no problem|back|done|date|worry|birthday|earth to|(?:question|message|task) for"

/** Asks somebody or tells somebody to do something. */
const ASKS_OR_TELLS =
  "(?:what|when|where|why|how|which)(?:'?s|'?re)?|(?:can|could|will|would|do|did|are|have|were|should) (?:you|u|ya)|(?:is|are|was|were|do|does|did|will|can|could|should|would|has|have) (?:i|it|this|that|there|they|he|she|we)|you(?:'?re| are| were| did| can| should| have)?|ur|(?:tell|show|give) (?:me|us)|explain|remind|look|check|stop|wait|listen|say|answer|translate|roll|read|let me know|thanks|thank you|thx|ty"

/** One word behind a subject takes an object, "how do i install kiki", unless it is one of these. */
const SUBJECT =
  '(?:i|we|you|u|they|he|she|it|people|everyone|someone|anyone|to)(?: (?:can|could|should|will|would|might|must|have to|need to))? (?!(?:think|say|mean|feel|do|doing|go|sleep|work|agree|mind|suggest|recommend|reckon|eat|live|rain|snow|happen) )'

/** Past forms that do not end in "ed": "kiki gave me". The same forms that give orders, such as "split" and "let", are missing. */
const PAST =
  'told|said|gave|made|got|took|did|had|sent|found|left|thought|brought|bought|kept|lost|won|ran|ate|broke|wrote|knew|saw|came|went|spent|met|heard|held|led|paid|sold|stood|understood|taught|caught|built|meant|felt|slept|drew|drove|flew|grew|spoke|stole|threw|woke|chose|froze|forgot|hid|began|hung|fell|died'

/** Words behind a name that are no verb. */
const NO_VERB =
  'and|or|but|with|for|from|to|of|in|on|at|by|as|than|like|about|after|before|because|if|when|while|until|since|over|into|against|without|around|both|not|was|is|has|all'

const language: Language = {
  greetings:
    'hey+|hi+|hello|hallo|yo|oi|ok|okay|k|dear|thanks|thank you|thx|ty|cheers|sorry|congrats|morning|good (?:morning|evening|night|afternoon)|gm|gn|(?:and|what about) you|you too|please|pls|plz|alr|alright|all right|right|well|so|now|then|anyway|anyways|btw|by the way|also|but|and|yes|yeah|yea|yep|yup|no|nope|nah|sure|oh+|ah+|aw+|ooh|um+|uh+|er+|hm+|wow|omg|oh my (?:god|gosh|days)|wtf|damn|nice|cool|great|true|wait|really|come on|cmon|guess what|tbh|ngl|seriously|actually|perfect|awesome|sweet|my bad|sry|bruh|bro|dude|ugh+|ouch|argh+|psst|oops|whoops|aha|hang on|hold on|one (?:sec|second|moment)|before you go|quick one|real quick',
  laughter: '(?<!\\p{L})(?:lo+l|lmf?ao+|rofl|(?:ha){2,}h?|(?:he){2,}|xd+)(?!\\p{L})',
  greets:
    /(?<!\p{L})(?:hey+|hi+|hello|dear|thanks|thank (?:you|u)|thx|ty|tysm|cheers|sorry|sry|my bad|bruh|ugh+|wait|hang on|hold on|before you go|congrats|good (?:morning|evening|night|afternoon)|gm|gn) $/u,
  tells: new RegExp(
    String.raw`^(?:'s|, (?:is|was|has|said|says)\b(?![^.!?]*\?)(?! (?:it|that|this|there|he|she|they|you|(?:any|some|every)(?:one|body|thing)?|the|my|your)\b)| (?:(?:actually|also|already|again|always|apparently|finally|just|never|now|only|really|still) )?(?:(?:is|was|has|had)(?! (?:it|that|this|there|he|she|they|you|any|the|my|your)\b| [\p{L}']+ [^.!?]+\?)|(?:can|could|did|does|may|might|must|should|will|would|is|was|has)n'?t|(?:can|could|did|does|may|might|must|should|will|would)(?! (?:you|u|i|we|it|they|he|she|any)\b| [\p{L}']+ [^.!?]+\?)|[\p{L}]+ed\b|(?!did\b)(?:${PAST})|says?|thinks|knows|seems|sounds|looks|works?|understands|gives|takes|tells|keeps|likes|loves|hates|needs|answers|speaks|talks|comes|means|remembers|forgets|uses|(?:does|did)(?! [\p{L}']+ [^.!?]+\?)|gets|goes|makes|wants|and|or|from|who|bot)\b|, (?:apparently|however|though|of course|i think),|, (?:the|an?|our|my|who|which) [^,.!?]*,(?! (?:(?:so|and|then|but) )?(?:(?:can|could|will|would) (?:you|u)|please|pls|remind me)\b)| no longer| how-|: ?\d| ?[v+>]? ?\d)`,
    'u',
  ),
  takesName: new RegExp(`(?<!\\p{L})(?:${TAKES_OBJECT}|spam|dm|tag|bother|summon|type|\\p{L}+ing)(?:'s)? @?$|'s @?$|^- $`, 'u'),
  toName: [
    // A question: the verb stands before its subject. "kiki is it up?", and not "kiki is up".
    "(?:can|could|will|would|do|does|did|are|is|was|were|have|has|should|shall|may|might|am)(?:n'?t)? (?:you|u|ya|i|we|they|he|she|there|any(?:one|body|thing)?|every(?:one|body|thing)|some(?:one|body)|it)\\b(?! (?:again|too|all|best|well|perfectly|correctly|wrong|right|myself)\\b)",
    "(?:is|are|was|were|do|does|did|can|will|has|have|should)(?:n'?t)? (?:the|my|our|your|his|her|their|this|that|these|those)\\b[^.!]*\\?",
    "(?:(?:so|now|then|ok|okay|um+|uh+) )?(?:what|when|where|why|how|which|who|whose)(?:'?s|'?re|'?d)?(?![-\\p{L}])|(?:wdyt|wyd|hru|if)\\b",
    // The same about another person: "kiki is tom coming?".
    "(?:did|does) [\\p{L}']+ [\\p{L}'][^.!]*\\?|(?:is|was|isn'?t|wasn'?t) (?!(?:really|still|always|never|just|so|all|not|now|only|up|down)\\b)[\\p{L}']+ (?:[\\p{L}]+ing|in|at|on|here|there|home|back|online|offline|around|off|out|away|free|ready|done|awake|ok|okay|sick|late|invited|allowed|open|closed)\\b[^.!]*\\?",
    // Somebody who is there, and what one says to them.
    "(?:you|u|ur|ya|your|yours|you'?re|you'?ve|you'?ll|i|i'?m|i'?ve|i'?d|we|let'?s|lemme|my|(?:that|it|this)(?:'?s| is| was| isn'?t| wasn'?t| (?:did|does|wo)n'?t| works?| worked| seems| looks)|here(?:'?s| is| are)|sure|sup|good luck)\\b",
    '(?:please|pls|plz|help|hey|hi|hello|thanks?|thx|ty|tysm|sorry|(?:quick |one |another )?question|good (?:morning|evening|night|job|bot|one)|gm|gn|bye|yes|yeah|any|thoughts|ideas|opinions?)(?![\\p{L}])|no(?= ?[,.!?]|$)',
    // An order: the bare verb, and not "kiki told", "kiki says".
    "(?:(?:just|now|then|also|quick|quickly|pls|please|kindly|do|don'?t|never) )*(?:tell|show|give|explain|translate|summari[sz]e|remind|roll|flip|pick|choose|find|look|check|say|write|make|calculate|compute|convert|define|describe|remember|forget|suggest|recommend|rate|wake|come|go|listen|shut|be|do|don'?t|get|sing|draw|play|read|sum|repeat|compare|count|guess|search|google|ping|calm|keep|take|turn|set|add|remove|delete|cancel|send|post|run|start|stop|list|open|close|answer|ignore|try|wait|hold|speak|talk|think|fix|name|review|quit|scrap|disregard|erase|clear|wipe|undo|reschedule|postpone|snooze|unmute|hush|note|recap)(?![\\p{L}'])",
    // Any other verb with an object: "kiki settle this", and not "kiki gave me".
    `(?!(?:${NO_VERB}|${PAST})\\b)[\\p{L}]{2,}(?<!s|ed|ing|ly) (?:me|us|these|those|them|him|my|our|\\d|(?:this|that|it)(?! (?:is|was)\\b))(?![\\p{L}])`,
    "let (?:me|us) know\\b|let [\\p{L}']+ (?:finish|speak|talk|have|do|go|try|answer|be|in)\\b",
    '\\d+ ?[-+*/x×^]',
  ].join('|'),
  toYou: new RegExp(
    `(?<![\\p{L}'])(?:${ENDS}) $|^(?:.*[,;…] ?)?(?:(?:ok|okay|so|and|but|hey|hi|well|then|please|yeah|no|oh|btw) )*(?!.*(?<!\\p{L})${SUBJECT}[\\p{L}']+ $)(?:${ASKS_OR_TELLS}) .*[\\p{L}\\d](?<!(?<!\\p{L})(?:${TAKES_OBJECT})|'s) $|^(?:.*[,;…] ?)?what (?:do|does|did) .* mean $`,
    'u',
  ),
  everybody: 'everyone|here|channel|all',

  refersBack: /\b(?:that|those|these|same|else|either|instead|why|how come|really)\b/,
  asksAnother: /\byou(?:r|rs)?\b/,
  asksAll:
    /\b(?:(?:any|some)(?:one|body)|any (?:ideas?|advice|suggestions?|tips|thoughts|help|recommendations?|chance|way)|is there (?:an?|any|some)|how (?:do|can|should|would|to)|help|i['’]?m (?:stuck|lost)|no idea|don['’]?t know (?:how|what|why|where)|(?:hi|hello|hey),? (?:all|everyone|everybody|guys|folks|there|people))\b/,
  asksForHelp:
    /\b(?:(?:can|could|would|will) (?:any|some)(?:one|body)|(?:does|has|is) any(?:one|body)|any(?:one|body) (?:here|know|knows|got|have|tried|able)|please help|help me|need (?:some )?(?:help|advice))\b/,

  denies: /^(?:no|nope|nah|not|never|wrong)\b(?! (?:prob|worries|doubt|kidding|bad|wonder|rush|biggie|surprise))/,
  offers:
    /\b(?:(?:shall|should) (?:i|we)|(?:want|like) me to|(?:do|would) you (?:want|like|prefer|mind)|(?:i|we)\b[^.!?\n]{0,80}\b(?:can|could|may|might)(?!'?t| not| only see)|i'd (?:suggest|recommend|propose|go|take|be|like|love|rather|say)|(?:i|my|i'd) (?:suggest\w*|recommend\w*|propos\w+|offer\w*)|(?:happy|glad|able|ready) to(?! help)|let me know(?![^.!?\n]*\b(?:anything|questions?)\b)|(?:just|simply) (?:say|tell|ask|reply|give|name|pick)|say (?:yes|no|the word|so|when|which|if|ok|stop|go)|reply (?:with )?(?:yes|no|ok)|give me (?:the|a) (?:word|go|sign|ok|nod)|tell me (?:if|whether|which|when|who|what|where|how)|(?:pick|choose) (?:one|a|the)|(?:please|can you) (?:confirm|choose|pick|approve)|(?:wait|need)\w* (?:for )?your (?:ok|okay|go|approval|word|answer|confirmation|decision)|if you(?:'?d)? (?:want|like|wish|prefer|agree|say|tell|give)|unless you|up to you|your (?:call|choice)|how about|what about|why (?:not|don't)|let's|(?:maybe|perhaps) (?:we|i|you)|or (?:should|shall|would)|which (?:one|of)|an? (?:offer|idea|proposal|suggestion)\b)/,

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
