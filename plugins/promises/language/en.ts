import type { Language } from '../language.ts'

// ---------------------------------------------------------------- requests

const WHOM = String.raw`(?<whom>me|us all|us|everyone(?: here| in here)?|everybody(?: here)?|all(?: of us)?|them|people|folks|(?:the |our )(?:team|channel|group|chat|others)|here|@?[\p{L}\p{N}_.-]+)`
/** A request begins a text, or follows a pause or the time. */
const BEGINS = String.raw`(?<![\p{L}\p{N}'])(?<!\b(?:i|you|we|they|he|she|it|to|can't|don't|not|n't|never|always|hit|set|the|a|said|says|goes|ask|asked|tell|told|should|would|could|will|that|who|which|what|how|my|your|just) )`
const VERB = `(?:(?:please|pls|also|and|then|so|can you|could you|would you|will you|please to|as to|kindly|i need you to|i want you to) )*`
const REMINDER = '(?:reminders?|alarm|alert|timer)'

const NUMBERS = 'zero once twice three four five six seven eight nine ten eleven twelve'.split(' ')
const TIMES = String.raw`(?:(?<n>once|twice)|(?<n>\d{1,4}|one|two|${NUMBERS.slice(3).join('|')})(?:\stimes?|x))(?![\p{L}\p{N}]|\s(?:an?|per|each|every|daily|weekly|over|as|more|around)\b)`
const LIMIT = '(?:(?:for )?(?:a total of|max(?:imum)?(?: of)?|at most|up to|no more than|not more than|only|just) |for )?'

const language: Language = {
  request: {
    before: {
      sure: String.raw`(?<!\b(?:do|did|does|can|still|will|would) (?:you |he |she |they )?)\b(?:(?:please|pls|plz|so|and|then|also) )*remember (?<whom>me|us) (?=(?:on|at|in|by|tomorrow|next|today|tonight)\s)|${BEGINS}${VERB}(?:remindme|(?:r(?:e)?m(?:i)?nd|reming|remnid|remidn|rmeind|reimnd|remaind)(?:ing)?(?!\s(?:me|us)(?: (?:about|of) (?:it|that|this))? again(?![\p{L}]))(?:\s${WHOM})?|remember to (?:remind|tell|ping|message|nudge) ${WHOM}|(?:don't|do not) (?:forget to (?:remind|tell|ping) ${WHOM}|let ${WHOM} forget)|make sure (?:that )?${WHOM} (?:don't|doesn't|do not) forget|(?:(?:set|add|create|make|give|send|schedule|put|need|want)(?: up)?(?:\s(?:me|us|in))?(?:\s(?:an?|the|another))?\s+|(?:(?:could|can|may) i (?:get|have|trouble you for)|i (?:need|want|get|have|'d like)) (?:an? )?)${REMINDER}|(?:set|start) (?:an? )?timer|timer|gimme\s(?:an?\s)?reminder|reminder)(?![\p{L}'’])(?:\sfor (?:me|us)(?= to ))?[\s,:]*(?:for (?=\d+\s?(?:m|s|h)))?`,
      unsure: String.raw`${BEGINS}${VERB}(?:(?:ping|nudge|poke|buzz|wake|alert|message|text|dm|tell|notify|warn|bug|nag|pester|call|holler at|shout at|yell at)\s${WHOM}(?:\sup)?|say\sto\s${WHOM}|(?:say|post|announce)|(?:gimme|(?:give|send|drop|shoot) ${WHOM})\san?\s(?:shout|nudge|poke|ping|message|msg|note|line|heads[\s-]up)|hit ${WHOM}\sup|let ${WHOM}\sknow)(?![\p{L}'’])[\s,:]*`,
    },
    self: 'me',
    andPerson: String.raw`(?:\s?,|,?\s(?:and|or|&|\+))\s`,
    orPerson: /\bor\b/,
    saysItself: /(?!)/,
    tellsPerson: /(?!)/,
    relative:
      /\b(?:(?<amount>(?:\d{1,3}|an?|half an?|one|two|three|four|five|ten|fifteen|twenty|thirty|a quarter of an|a couple(?: of)?|a few)\s?(?:m|mins?|minutes?|h|hrs?|hours?|days?|weeks?)(?: and a half)?)|(?<day>the (?:day|(?<part>morning|afternoon|evening|night))))\s(?:before(?:hand)?|b4|ahead(?: of)?|prior(?: to)?|in advance|early|earlier)(?:\s(?:that|it|then|this)(?=[\s,.!?]|$))?[\s,]*/,
    event:
      /^(?:the|my|our|his|her|their|this|every|\w+'s)\s(?:(?!\b(?:to|that|about|so|for)\b).){2,60}(?=\s(?:to|that|about|so|for)\b|[\s.,!?]*$)/,
    says: [
      { asks: /\bwake\b/, content: 'wake up', isEarly: true },
      { asks: /\btimer\b/, content: 'timer' },
    ],
    connective: String.raw`[\s,:;–—=?!.-]*(?:(?:(?:for (?:me|us) )?to|that|about|of|for|with|re)(?=[\s:])|:|[-=](?=\s)|[–—]|(?:i|we)(?:'ve)? (?:have|need|got|gotta|want)(?: to)?(?=\s)|i'm supposed to)[\s:]*|\s*$`,
    adverbial: String.raw`\s*(?:[,.;!?]|$|(?:to|that|about|and|or|so|because|before|when|if|with|for)\s)`,
    owner: String.raw`\b(?:a|an|my|our|your|his|her|their|this|that|for|'s)\s$`,
    explains: {
      clause: /,\s(?=(?:i|i'm|i've|i'll|we|we're|we've|we'll)\s\S+\s)/,
      not: /^\W*(?:pls|please|plz|thanks|thx|ok|okay)\W*$|\b(?:if|when|whether|after|before|once|unless|because|tell|ask|say|while)\b/,
    },
    contentStart: String.raw`[\s,:;–—=.?!-]*(?:(?:(?:for (?:me|us) )?to|that|about|of|for|and|i (?:have|need|gotta|got) to|i've got to|i gotta|we (?:have|need) to|i have|we have|there's|(?:called|named|titled|labell?ed|saying|with the (?:message|text|note|title)))(?=[\s:]))?[\s,:]*`,
    contentEnd: String.raw`(?:\?\s.*)?(?:(?<=\uE011)\s(?:here|in (?:here|this (?:channel|chat|thread))))?(?:,?\s(?:(?:cause|cos|cuz|because|since|as|so) )?(?:(?:he|she|i|we|they) (?:always|usually|often|keep|tend|will|might|may)(?: to)? forgets?|or (?:i|he|she|we)(?:'ll| will)? forget|so (?:i|we|he|she) (?:don't|doesn't|won't) forget).*)?(?:\s(?:lol|lmao|haha+|idk|btw|tbh)(?![\p{L}]).*)?[\s,;:–.!?-]*`,
    clauseStart: /[.!?,;…]\s+(?:(?:so|but|and)\s)?|\s(?:so|but|and)\s/g,
    next: /(?:[,;.!]\s(?:(?:and|then|also|plus|but|so)\s){0,2}|\s(?:and|plus|then|also|so|&)\s(?:(?:then|also)\s)?)(?=(?:(?:please|pls|plz|also|can you|could you|would you)\s){0,3}(?:(?<sure>remind\s|(?:ping|nudge|poke|buzz|alert|message|text|dm|tell|notify|warn)\s(?:me|us)\s|wake\s(?:me|us)\s)|(?:ping|nudge|poke|buzz|alert|message|text|dm|tell|notify|warn)\s))/gu,
    pronoun: /^(?:him|her|them)$/,
    context: {
      not: /^(?:(?:and|but|so|also|well|ok) )?(?:if|when|whenever|unless|until|before|after|once|while|how|why|who|what|where|does|did|do|is|are|can|will)\b|\b(?:said|says|say|saying|wrote|writes|write|type|typed|types|told|asked|asks|replied|answered|example|instance|e\.g|syntax|command|commands|format|phrase|sentence|feature|idea|imagine|suppose|demo|docs|manual|joke|would|wouldn't|used to|never mind)\b|\?\s*$/,
      lead: /^(?:(?:so|and|but|also|well|ok|hey),? )*(?:i|we)(?: (?:really|absolutely|still|also|just))* (?:(?:must|should|may|can|do|shall) ?not|mustn't|can't|cannot|shouldn't|don't want to|(?:really )?(?:have|need|got|want|ought) to|gotta|must|should)(?: (?:really|absolutely))?(?: forget)?(?: to)? (?=\p{L})|^(?:don't|do not) let me forget to /u,
    },
    announces:
      /^(?:(?:so|ok|i have|i've got|here are|there are) )*(?:two|three|four|five|\d|a couple(?: of)?|a few|some|my) (?:more |new |quick )?(?:things?|reminders?|dates|appointments)(?: (?:for|to) (?:me|us|you|today|tomorrow|this week|remember|remind me (?:of|about)|set|not forget))*(?: please| pls)?\s?:\s?/,
    noise: String.raw`[\s,.:;!-]*(?:(?:two|three|a few|a couple(?: of)?|one|another|quick|new|last) (?:more )?(?:things?|reminders?|favou?rs?)|actually|hey|oh|ok|so|also|fyi|then|and|please|could you|can you|like|umm*)?[\s,.:;!-]*`,
  },
  everyone:
    /^(?:me|us|everyone(?: here| in here)?|everybody(?: here)?|all(?: of us)?|them|people|folks|(?:the |our )(?:team|channel|group|chat|others)|here|channel)$/,
  stopsName:
    /^(?:what|who|whom|whose|when|where|why|how|which|if|whether|it|that|this|you|him|her|to|of|about|the|a|an|my|your|at|in|on|by|every|for|again|tomorrow|today|tonight|later|next|hi|hello|yes|no|something|anything|nothing|more|story|jokes?|\d.*)$/,
  corrects:
    /(?<!\b(?:spend|take|have|need|make) )\bsome ?time\b|\bat some point\b|\bor so\b|\b(?:no,? wait|wait,? no|scratch that|i mean|or rather|nevermind|never mind|not \d|no make (?:it|that))\b/,
  refersBack: /^(?:.*\s)?remind (?:me|us)(?: (?:then|about (?:it|that)|of (?:it|that)|at that time))?[\s.!]*$/,
  length: /(?:timer|remindme)\s*(?:for\s*)?$/,
  timer:
    /^(?:(?:set|start|run|i need|i want|need|want|give me) )?(?:an? )?(?<amount>\d{1,3}[\s-]?(?:m|mins?|minutes?|h|hrs?|hours?))[\s-](?:timer|alarm)(?![\p{L}])/u,
  joins: /,? (?:and|then|and then|plus)(?: remind (?:me|us))? |[;,] (?:remind (?:me|us) )?(?=(?:at|on|to)\s)/g,
  count: {
    sure: new RegExp(
      String.raw`\s?[.,;(]\s?${LIMIT}${TIMES}(?: in (?:total|all)| total| altogether| max(?:imum)?| at most| only)?\)?(?=[\s.!]*$|,|\s(?:to|remind)\s)|\s(?:for )?(?:a total of ${TIMES}|${TIMES} (?:in (?:total|all)|total|altogether))\b|(?<=\b(?:remind|tell|ping) (?:me|us)) ${TIMES}(?=,)`,
      'u',
    ),
    unsure: new RegExp(String.raw`(?<![\p{L}\p{N}])${TIMES}`, 'u'),
  },
  exception:
    /(?<![\p{L}])(?:except|excluding|other than|apart from|but not|unless|skip(?:ping)?|(?:the )?last time|final time|starting (?:this|the|from|with)|only (?:if|when|during|on|in))(?![\p{L}])/u,
  numberOf: words => Math.max(NUMBERS.indexOf(words.replace(/^one$/, 'once').replace(/^two$/, 'twice')), Number(words) || 0),
  clause: /\b(?:before|that|which|who|when|because|if|since|is|are|was|'s|'re|while|until|till|and)\b/,
  due: /^\s?that\s|\b(?:before|after|when|if|until|once|unless|prior to|as soon as)\b|\b(?:is|are|was|were|be|due|starts?|begins?|opens?|closes?|leaves?|ends?|happens?|expires?|renews?|arrives?)\s$/,
  question: /[?]$/,
  amount:
    /^\d{1,3}\s?(?:m|mins?|minutes?|h|hrs?|hours?)(?:[\s:,-]+)(?!(?:ago|late|later|early|of|long|left|in|is|was|are|more|each|per|old|and|or|to|drive|walk|talk|call|meeting|break)(?![\p{L}]))/u,
  talks:
    /[?]|^(?:anything|any|i|i'm|im|i'll|i've|i'd|we|we're|we'll|we've|he|he's|she|she's|it|it's|its|they|they're|you|you're|there|there's|that|that's|thats|this|those|these|is|are|am|was|were|did|do|does|don't|works?|sounds?|seems?|looks?|would|will|won't|can|can't|could|should|shall|may|might|must|has|had|if|because|and|or|but|so|not|no|nope|yes|yep|yeah|ok|okay|fine|good|great|perfect|nice|cool|then|until|till|from|since|as|than|between|instead|here|already|too|either|lol|haha|hi|hello|hey|hmm|wow|oops|actually|maybe|probably|let's|lets|let me|see (?:you|ya|u)|thanks?|thx|happy|sorry|welcome)(?![\p{L}'])|\b(?:said|was|were|had|went|did|told|came|happened|been|forget|remember|summar\p{L}*|recap|digest|catch (?:me|us|up)|quiet|silent|silence|mute|shut|shh+|hush|stop|cancel|delete|explain|translate|show|list|what|what's|why|how|who|whose|which|where|opinion|thoughts)(?![\p{L}'])/u,
  note: /^(?!.*(?:[,;:]|\b(?:i|is|are|was|were|will|has|have|had|can|can't|leaves|starts|begins|ends|opens|closes|works|comes|goes|arrives)\b))/iu,
  asksInstead: /^(?:what|who|whom|whose|where|why|how|which|of what|about what)\b/,
  refuses:
    /^(?:don't|do not|never|stop) (?:let (?:other people|others|anyone(?: else)?|anybody(?: else)?) remind me|(?:remind|reminding) me (?:for|of things for|on behalf of) (?:others|other people|anyone(?: else)?|anybody(?: else)?|someone else)|(?:send(?:ing)?|give|giving) me (?:other people's reminders|reminders (?:from|by) (?:others|other people)))$/,
  accepts:
    /^(?:(?:other people|others|everyone|anyone) (?:can|may) (?:remind me|set reminders for me)(?: again)?|let (?:other people|others|everyone) remind me(?: again)?)$/,
  yes: /^(?:yes|yep|yeah|yup|ya|yea|sure|ok|okay|k|correct|right|exactly|y|do it|do that|go ahead|please do|that one|thats it|thats right|sounds good|perfect|yes please|of course|absolutely|definitely|fine|great)(?: (?:please|thanks|thank you|thats right|thats it|do it|exactly|correct|do|that one|go ahead|sounds good|i do|i did|i mean that))*$/,
  no: /^(?:no|nope|nah|n|no thanks|never ?mind|cancel|forget it|dont|do not|leave it|not now|no thank you)(?: (?:thanks|thank you|forget it|never ?mind|dont))*$/,
  beforeTime:
    /^(?:(?:no|nope|nah|yes|yeah|ok|sorry|actually|i mean(?:t)?|make it|rather|let's (?:say|do)|better|how about|say|it's|set it (?:to|for)|change it to|just)[\s,.:!-]+)+|\s(?:please|then|instead|is (?:fine|better|good)|works|would be (?:good|better|great))[\s.!]*$/g,
  ordinal: words => {
    const match =
      /^(?:the )?(?:(first|second|third|fourth|fifth|last|former|latter)(?: one)?|(?:number|no|option) ?(\d{1,9})|(\d{1,9}))$/.exec(
        words,
      )
    const named = { first: 1, former: 1, second: 2, latter: 2, third: 3, fourth: 4, fifth: 5 }[match?.[1] ?? '']
    return match ? (named ?? (match[2] || match[3] ? Number(match[2] ?? match[3]) : undefined)) : undefined
  },
  changes: {
    reminder:
      /\b(?:everything you(?:'ve| have)(?: got)? (?:for|with) (?:me|us)|(?:earlier|previous|last|old) requests?|(?:whole|reminder) list|reminders?|remindings?|reminding|remind|reminded|alarms?|timers?|snooze)\b/,
    one: /\bones?\b/,
    lists:
      /\b(?:what|which|any|list|show|see|check|display|how many)\b.*\b(?:reminders|reminder list|standing tasks)\b|\b(?:do|have) (?:i|we) (?:have|got|set)\b.*\breminders\b|^(?:(?:our|my|all) )*reminders(?: (?:list|please))?$|\breminder list\b|\bwhat(?:'s| is|s)? (?:coming up|scheduled|pending)\b.*\breminder|\b(?:what|anything)\b.*\breminding (?:me|us)\b|\b(?:what|which|when)\b.*\bnext (?:reminder|alarm)\b|\bwhich remind\p{L}+ (?:do i|i|we) have\b|\b(?:what|show|list|tell|everything|anything)\b.*\b(?:you(?:'ve| have)?|have you) (?:got )?(?:scheduled|lined up|planned|set|pending|coming up|stored)(?: (?:for|with) (?:me|us))?[.!?]*$|^(?:so )?what have you got for (?:me|us)\b|^(?:show|list|tell) (?:me |us )?what(?:'s|s| is) (?:pending|coming up|scheduled|lined up)\b|^when (?:will|are|were) you (?:going to )?remind|^(?:my )?list(?: (?:all|them|mine|everything))?$|^(?:and |so )?what(?:'s|s| is)? (?:(?:still|else|all) )*(?:pending|coming up|scheduled|lined up|outstanding|open|left|planned) for (?:me|us)(?: (?:today|tomorrow|this week|next week))?[?.!]*$|\b(?:what|which|show|list|everything|anything)\b.*\byou(?:'re| are|'ll| will) (?:(?:going to|gonna|about to) )?remind(?:ing)? (?:me|us)\b/u,
    cancels:
      /(?:^|[,.;] ?|\b(?:and|please|just|now|can|actually|pls|so|ok|okay|you|u|(?:need|want|like|have) to) )(?<verb>cancel|canel|cancle|delete|remove|drop|forget|stop|scrap|kill|ditch|scratch|lose|clear|erase|wipe|dismiss|nix|axe|bin|skip|unset|turn off|get rid of|call off|take off|shut off|switch off|disable)\b|\b(?:don't|do not|no longer|stop|quit|no need (?:to|for)) (?:need |want )?(?:to )?(?:remind|reminding|pinging|nagging|telling|(?:the|my|that) .*reminder)\b|\b(?:no|not) need (?:for|of)\b|\bnever ?mind\b.*\b(?:reminder|about|the)\b|\b(?:disregard|ignore|forget) (?:my|the|that|our) (?:(?:earlier|previous|last|old) )?(?:request|reminder|alarm)s?\b|\b(?:both|they|them|it|that|ones?) can go\b|\breminders?\b.*\b(?:can go|isn't needed|not needed|no longer needed|is cancell?ed)\b/,
    moves:
      /(?:^|[,.;] ?|\b(?:and|please|just|now|can|actually|pls|so|ok|okay|you|u|(?:need|want|like|have) to) )(?<verb>move|reschedule|shift|postpone|push|change|make|swap|update|bump|delay|set|switch|put|bring|pull|get|defer|advance|snooze|adjust|edit)\b|\b(?:rescheduled|moved|postponed|pushed)\b|\binstead$|\bi meant\b|\bones?\b.*\b(?:should|needs? to|has to|must) be\b|\bremind (?:me|us)(?: (?:about|of) (?:it|that|this))? again\b|(?:^|\b(?:reminders?|ones?|alarms?|it|that) )(?:an?|half an?|\d{1,3}|two|three|five|ten|fifteen|twenty|thirty) ?(?:hours?|hrs?|h|minutes?|mins?|m|days?|weeks?) (?:later|earlier|sooner)[.!]*$|\b(?:is|are|starts|it's) (?:now |at |on ){0,2}(?!not )\S.*[ ,](?:not|instead of|rather than) (?:at |on )?(?:\d|noon|midnight|tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\S*(?: ?[ap]m)?[.!]*$/,
    never:
      /^(?:how(?! many)|why|who|when(?! (?:is|are|was) (?:my|the|our) next| (?:will|were|are) you)|where|what (?:is|are|was|does)|does|did|is|are|was|were|if|should|i|we|he|she|they|you) (?!meant|want|need|no longer|don't need|would|can |could |'d)|\b(?:don't|do not|didn't|never|not) (?:cancel|delete|remove|drop|forget|stop|scrap|clear|erase|move|change|set|make|update|put|push|lose)\b/,
    it: /^(?:an?|half an?|\d{1,3}|\p{L}+) ?(?:hours?|hrs?|h|minutes?|mins?|m|days?|weeks?) (?:later|earlier|sooner)[.!]*$|\b(?:cancel|move|reschedule|postpone|push|shift|snooze|make|change|bump|delay|bring|put|set|swap|switch)\b.*\b(?:it|that|this)\b|\b(?:last|that|this) one\b|\bsnooze\b|\bi meant\b/u,
    last: /\b(?:it|that|this|last|latest|previous|recent|snooze)\b|\bremind (?:me|us)(?: (?:about|of) (?:it|that|this))? again\b/,
    divides: /[,.;!]\s(?:(?:and|then|also|please)\s)*|\s(?:and|then)\s(?:(?:then|also|please)\s)*/g,
    clauses:
      /[,.;!?]\s|\s(?:so|because|cause|cuz|since|as)\s(?=(?:i|we|you|u|he|she|they|it|no|that|the|my|pls|please|can|don't)\b)/,
    tells:
      /^(?:(?:already|just|finally|have) )*(?:(?!need)\p{L}{2,}ed|paid|bought|sent|took|made|wrote|gave|went|brought|sold|met|fed) (?:the|my|our|his|her|it|all|that|them)\b|^(?!(?:if|when|whenever|unless|how|why|who|where|what|which|does|did|is|are|was|were|i meant)\b)(?:(?:i|i'm|im|i've|i'll|we|we're|we've|he|she|it|it's|its|they|there|that's|got|done|sorry|oops|thanks|already)\b(?!.*\b(?:want|need you|would like)\b)|.*\b(?:is|are|was|were|has|have|had|got|did|does|doesn't|doesnt|can't|cant|will|won't|already|\p{L}+'s)\b)/u,
    corrects:
      /,? (?:not|instead of|rather than) (?:at |on )?(?:\d|noon|midnight|tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\S*(?: ?[ap]m)?(?=[.!]*$)|^.*\b(?:not all(?: of (?:it|them))?|not everything)\b,? ?(?:just|only|but)?|\binstead of\b.*$|'s\b/g,
    all: /^(?!.*\b(?:one|some|either|two|three) of\b).*(?:\b(?:all|every|everything|each|both|any|reminders)\b|\b(?:my|the|our|whole|reminder) list\b(?! (?:one|reminder)))/,
    both: /\bboth\b/,
    others: /\b(?:except(?: for)?|apart from|other than|but (?:not|keep)|all but|everything but|keep)\b/,
    and: /\b(?:and|,)\b/,
    by: /(?:^(?=(?:\S+ ){1,4}(?:later|earlier|sooner)[.!]*$)|\b(?:(?:back|forward|ahead|earlier|later|up|down|out|it|that|this|by|for|snooze|again|another|reminders?|alarms?|ones?)\s)+(?:by\s|in\s|for\s|another\s)*)(?<amount>(?:an? |half an? |\d+(?:\.5)?\s?|a (?:few|couple(?: of)?) |(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety) )(?:seconds?|minutes?|mins?|m|hours?|hrs?|h|days?|weeks?)(?: and a half|(?: and)? \d+\s?(?:minutes?|mins?|m))?)(?![\p{L}\d]| from)/u,
    earlier: /\b(?:earlier|sooner|advance)\b|\b(?:bring|pull|get)\b.*\bforward\b|\b(?:bring|pull|move|shift|push|get)\b.*\bup\b/,
    later:
      /\b(?:later|delay|postpone|defer|snooze|again|another)\b|\b(?:push|bump)\b(?!.*\b(?:up|forward|ahead|earlier|sooner)\b)|\b(?:push|move|put|set|shift|bump)\b.*\b(?:back|out|off)\b/,
    number:
      /(?:#|\bno\.? ?|\bnumbers? |\breminders? #?|^|\b(?:and|cancel|delete|remove|move|drop|,) )#?(\d{1,9})(?![\d:.]|\s?(?:[ap]\.?m|o'clock|min|hour|day|h\b))(?=\s|$|,)|#(\d{1,9})/g,
    verbs: /\b(?:(?:my|the|our) )?(?:whole |entire |reminder )?list\b(?! (?:ones?|reminders?)\b)/g,
    bareHour:
      /\b(?:to|it|one|for|till?|until|meant)\s(?=(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:$|[\s,.!?](?!\s?(?:min|hour|sec|day|week|o'clock|[ap]\.?m))))/,
    word: /[\p{L}\p{N}][\p{L}\p{N}']*/gu,
    stops:
      /^(?:first|second|two|three|whole|u|ur|his|her|their|hour|wait|no|sorry|oops|meant|mind|til|going|were|gonna|doesnt|doesn't|work|works|be|him|a|an|the|my|our|your|this|these|those|that|it|its|them|me|us|i|we|you|to|of|for|on|at|by|in|from|with|about|and|or|one|ones|thing|things|please|pls|plz|thanks|thx|ok|okay|actually|just|only|now|also|so|can|could|would|will|do|does|don't|dont|not|no|longer|any|anymore|more|all|every|everything|each|both|others?|rest|remaining|never|mind|starting|fresh|here|there|back|forward|ahead|instead|again|day|time|same|last|latest|recent|previous|is|are|was|got|get|gets|been|be|has|have|had|i've|im|i'm|need|needed|want|rid|off|out|up|until|till|later|earlier|sooner|already|set|reminders?|reminding|remind|reminded|alarms?|timers?|cancel|cancell?ed|delete|stop|quit|pinging|nagging|telling|moved?|reschedule|rescheduled|postponed?|pushed|must|should|go|disregard|ignore|requests?|earlier|is|now|you've|taken|care)$/,
  },
  watches:
    /^(?:please )?(?:when(?:ever)?|if|next time) (?:somebody|someone|anybody|anyone|people|a person) (?:mentions?|says?|asks? (?:about|for)|talks? about|brings? up|writes?)(?: (?:about|the word))? (?<words>.{2,60}?),? (?:then )?(?:please )?(?:tell (?:them|her|him|everyone|us)|remind (?:them|us|everyone)|say|answer|reply(?: with)?|post)(?: (?:that|to|about))?[ :,]+(?<content>.+)$/i,
  promises: [
    /(?:^|[.!?\n]\s*|,\s|\b(?:and|but|so)\s)(?:ok(?:ay)?,?\s)?i(?:['’]ll| will| am going to|['’]m going to)\s(?:look (?:into|at)|check|get back|come back|follow up|report back|let (?:you|us) know|find out|think about|review|verify|investigate|try again|tell you|remind you)(?<when>[^.!?\n]{0,120})/giu,
  ],
  vague: /\b(?:later|in a (?:bit|while|moment)|soon|shortly|when i (?:have|get) (?:time|a moment))\b/i,
}

export default language
