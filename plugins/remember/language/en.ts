import type { Language, Span } from '../language.ts'
import { type Row, rowsOf } from '../tags.ts'

// ---------------------------------------------------------------- words

/** Verbs in all their forms. */
const verbs = (...all: readonly string[]) =>
  all
    .map(verb =>
      verb.endsWith('e') ? `${verb.slice(0, -1)}(?:e|es|ed|ing)` : `${verb}(?:s|ed|ing|${verb.at(-1)}ed|${verb.at(-1)}ing)?`,
    )
    .join('|')

const SAY =
  '(?:said|wrote|written|told you(?: all)?|told everyone|posted|typed|sent(?: you)?|shared|mentioned|texted|confided|let slip|blurted out)'
const WHEN =
  '(?: (?:just now|before|above|earlier|about (?:her|him|them|it|that|this|me|us)|(?:a|one) (?:moment|minute|second|sec|bit) ago|a few (?:minutes|seconds) ago|this|that|it|so|anything))?'
const COUNT = '(?:two|three|four|five|couple of|few|\\d)'
const MEMORY =
  "(?:(?:your|the bot's|the|our|any) )?(?:(?:own|little|shared|common|active|accessible|long-term|team|group|channel|entire|chat) )?(?:memory|memories|mind|head|brain|notes?|notebook|records?|logs?|database|storage|data|knowledge|files?|archives?|history|books?|notebook|minutes)(?: (?:bank|base|thing|business|stuff|system))?"
const OFF = 'off[ -]?(?:the[ -]?)?record'
const ABOUT_ME =
  "(?: (?:data|information|facts|notes|records?))?(?:(?: that)? you(?: have|'ve)?(?: ever)? (?:know|have|got|keep|store|learn(?:ed|t)?|remember|stored|saved|kept|noted|collected|gathered|recorded|hold))?(?: (?:stored|saved|on file))? (?:about|on|of|from|concerning|regarding) me"
const TOLD =
  "(?:i|we|you)(?:'ve| have)?(?: just| ever| already| once)? (?:said|told(?: you)?|wrote|written|mentioned|shared|posted|discussed|talked|spoke|know|known|remember|have|learn(?:ed|t)|stored|saved|kept|noted|got)(?: (?:to you|with you|here|stored|saved|anything))?"
const ABOUT = '(?:about|on|of|regarding|concerning|related to|to do with)'
const STUFF =
  '(?:(?:the |that |this |those |any |your |these |all )+(?:stuff|things?|parts?|bits?|mess(?:age|ages)|story|stories))'

/** `K` remember, `k` keep, `S` share, `A` with whom, `H` listen, `F` forget, `D` delete, `G` ignore, `P` put. */
const LEXICON = {
  _:
    'so far|right now|as well|fyi|just so you know|heads up|for the record|(?:will|would|can|could) (?:ya|u)|i (?:wanna|want to)|omg|hun|mate|dude|bro|nope|erm|soz|for good|this time|hey|hi|hello|ok|okay|yo|yes|please|pls|plz|just|now|sorry|oh(?: (?:god|no|my))?|oops|whoops|wait|um+|uh+|erm+|ah+|hm+|well|so|and|but|also|alright|thanks(?: a lot)?|thank you|thx|ty|ta|cheers|kindly|seriously|honestly|really|btw|by the way|' +
    "on second thought|for (?:now|us|good|next time|the future)|from (?:now|here) on|i said|then|actually|simply|quickly|already|ever|it'?s (?:best|ok|okay|fine|time|better)(?: for you)?(?: to| if)|(?:would|do) you mind|(?:can|could|will|would|can't|couldn't|won't) (?:you|u)|" +
    "(?:i|we)(?:'d| would)? (?:want|like|need|wish) that you|you (?:should|must|can|may|could|might|need to|have to|had better|are (?:free|allowed|welcome) to)|(?:i|we)(?:'d| would)? (?:need|want|like|love|prefer|wish|ask|beg|expect) (?:for )?you to|(?:i|we)(?:'d| would) (?:rather|prefer(?: it)?(?: if)?|appreciate(?: it)?(?: if)?|be (?:glad|happy|grateful)(?: if)?) you(?: could| would|'d)?|" +
    "it would be (?:nice|great|good|best|better) if you(?: could| would)?|i wish you(?: would|'d| could)?|(?:make|be) sure (?:that )?(?:you|to)|feel free to|go ahead and|try to|(?:is it|would it be) possible (?:for you )?to|(?:can|could|may) (?:we|i)(?: ask you to| have you| get you to)|let's|let us|" +
    'i (?:hereby )?(?:ask|request|demand)(?: that)?(?: you(?: to)?)?|any ?(?:more|longer)|completely|entirely|strictly|totally|fully|for ?ever|so far|at all|here|in here|in this (?:channel|chat|group|room|server|thread)|anywhere|either|though|bot|down|lol|too|as well|altogether|everyone|' +
    "going forward|in (?:the )?future|if (?:possible|you can|you don't mind|that's (?:ok|okay|all right|possible))|(?:i am|i'm) serious|after all|somewhere|in mind|(?:right )?away|around here|everywhere",
  O:
    `${OFF}|(?:just |only |purely )?between (?:us|ourselves|you and me|you and i|the two of us|me and you|friends)(?: only)?|confidential|not (?:for|meant for|on|part of|for the) (?:(?:your|the|any) )?(?:memory|notes|records?|logs?|books|public|minutes|archives?)|(?:just |only )?for your (?:ears|eyes) only|` +
    "(?:you|u) (?:(?:didn't|did not|never) (?:hear|heard|see|get|got|read) (?:this|that|it|anything|those \\w+|these \\w+)(?: from me)?|heard nothing(?: from me)?|saw nothing)|mum's the word|no (?:notes|records?|logs?|minutes)(?: (?:of|on|for|about) (?:this|that|it))?",
  N:
    "(?:don't|do not|didn't|did not)(?: you dare)?(?: ever)?(?: to)?|never(?: ever)?|not(?: to)?|to not|no longer|no more|(?:there is |there's |you have |it's )?no (?:need|reason)(?: for you)? to|no|stop|quit|cease|avoid|skip|refrain from|without|you (?:don't|do not) (?:have|need) to|you need not|" +
    "you (?:should|must|can|may|ought)(?:n't| not)(?: to)?|you(?:'re| are) not (?:to|allowed to|supposed to)|i (?:don't|do not|wouldn't|would not|didn't)(?: really| even)? (?:want|like|wish|expect)(?: for)? you to|i forbid you to|i (?:don't|do not) (?:agree|consent) to you|(?:i|we)(?:'d| would) (?:rather|prefer(?: it)?(?: if)?|appreciate(?: it)?(?: if)?)(?: that)?(?: you)? not(?: to)?|i(?:'d| would) (?:like|prefer) (?:you|it if you) (?:not to|to not|didn't|don't)",
  n: "(?:should|must|need|may|is|wo|ca|does|do|was|can)n't(?: need to| have to| get to)?|(?:should|must|need|may|is|are|was|can|will|does|do) (?:not|never)(?: need to| have to| to)?|not to|cannot|never|has no place",
  u: "i (?:don't|do not|wouldn't|would not|didn't|no longer)(?: really| even)? (?:want|like|wish)(?: for)?|i(?:'d| would) (?:hate|mind)(?: for| it if)?|i (?:don't|do not) want",
  w: "i(?:'d| would) (?:like|love)(?: it if| that| for)?|i (?:want|need|prefer|wish)(?: it if| that| for)?|(?:i|we)(?:'d| would) (?:rather|prefer)(?: that)?",
  m: '(?:can|could|should|must|may|needs?(?: to)?|ha(?:s|ve) to|is to|are to|ought to|will|shall)',
  B: "(?:is|are|was|were|stays?|remains?|be|being|get|go|end up|belong|'s|been)|to (?:be|stay|remain|get|go)",
  Z: 'nothing(?: of)?|none of|no (?:word|part) of',
  g: "(?:(?:that's|this is|it's) )?(?:one|something|a thing) (?:to|worth) (?:keep|remember|not)(?:ing|e)?|(?:that's|this is|it's)? ?worth (?:remembering|keeping|noting)|(?:that's |this is )?(?:one )?for your (?:memory|notes|records?|files)",
  K: "for (?:the |your )?future reference(?![,:]? (?:that|this|it|do|don't|please|never|always|you|can|could|should|if|when|what|how|where|who|why|which|use|try|stop)(?![\\p{L}']))|rem(?:em|e|mem)?ber(?:s|ed|ing)?|(?:don't|do not) let (?:me|us) forget|memori[sz](?:e|ed|ing)|keep(?:ing)? in mind|commit(?:ted|ting)? to memory",
  k:
    `${verbs('store', 'save', 'record', 'log', 'retain', 'document', 'archive', 'capture', 'preserve', 'register', 'minute', 'learn', 'cache', 'transcribe', 'bookmark')}|keep(?:ing)?(?: (?:a |any )?(?:record|track|note|copy|log)s?(?: (?:of|about|on))?)?|kept|not(?:e|ed|ing)(?: down| (?:for later|to self)(?=:))?|(?:writ|tak|jot|put)(?:e|ing|ten|ting|en)? down|(?:hold|hang)(?:ing)? on ?to|held|` +
    "(?:tak|mak)(?:e|ing) (?:a |any )?(?:mental )?(?:notes?|records?|copy|minutes)(?: (?:of|about|on))?|write(?: up)?|put(?:ting)? on record|storage|fil(?:e|ed|ing) away|jot|(?:make sure )?you(?:'ve| have) got(?= (?:that|this|it))",
  S: `${verbs('mention', 'repeat', 'share', 'quote', 'leak', 'reveal', 'disclose', 'spread', 'discuss')}|pass(?:ing)?(?: on| along)?|bring(?:ing)? up|tell(?:ing)?|let(?:ting)?|breathe a word(?: of| about)?`,
  A: '(?:to |with )?(?:any ?(?:one|body)|a (?:living )?soul|(?:the )?others?|(?:other )?people|every ?(?:one|body)|the team|the rest|no ?one)(?: else)?(?: about)?|get(?: out)?|slip(?: out)?|leak',
  H: `(?:listen|pay attention|tune)(?:ed|ing|ning)?(?: in)? (?:to|on)|listen(?:ing)?(?: in)?|hear(?:d|ing)?|read(?:ing)?|${verbs('watch', 'track', 'monitor', 'follow', 'collect', 'gather', 'process', 'observe', 'scan', 'profile', 'analyze', 'analyse', 'use')}|(?:eavesdrop|spy|snoop)(?:ping|ing)?(?: on)?`,
  F: 'forg[eo]t(?:s|ting|ten)?|unlearn(?:ed|ing)?|un-?remember(?:ed|ing)?|un-?(?:hear|see|know)(?:ing)?|let(?:ting)? go of',
  P: 'commit|put(?:ting)?|add(?:ing)?|includ(?:e|ing)|leav(?:e|ing)|treat|consider',
  D: `(?:${verbs('remove', 'scrub', 'strip', 'drop', 'discard', 'scrap', 'trash', 'toss', 'dump', 'ditch', 'destroy', 'undo', 'retract', 'withdraw', 'clear', 'wipe')})(?: out)?|los(?:e|ing)|lost|strik(?:e|ing)|struck|scratch(?:ed)?|g[eo]t(?:ting|ten)? rid of|throw(?:n|ing)?(?: out| away)?|tak(?:e|en|ing)(?: (?:out|back))?|cut(?: out)?|gone|left(?: out)?|leav(?:e|ing) out|cross(?:ed)? out|take|get`,
  d: verbs('delete', 'erase', 'purge', 'expunge', 'redact'),
  G: verbs('ignore', 'disregard', 'overlook'),
  M:
    "me|myself|who i am|(?:that )?i (?:ever )?exist(?:ed)?|(?:any ?thing|any of|all of|all|everything|things|stuff|the things|whatever|what)(?: what)?(?: that)? i(?:'ve| have)?(?: ever)? (?:say|write|post|type|send|share|talk about)|(?:everything|all)(?: that)? i(?:'ve| have)? (?:ever )?(?:said|told you|wrote|written)(?: to you)?(?: so far)?|" +
    '(?:(?:any|all)(?: of)? )?my (?:messages|msgs|words|data|conversations?|posts|talk|chats?|stuff|lines|texts|writing|comments|activity|private (?:life|data|messages)|personal (?:data|info(?:rmation)?|details|stuff)|info(?:rmation)?|memor(?:y|ies)|history|records?|profile|(?:whole|entire) (?:history|profile|record))|' +
    `(?:any ?thing|any|every ?thing|all|what(?:ever)?|things|stuff|notes|facts|data|info(?:rmation)?|records|(?:all )?(?:the |your )(?:data|facts|stuff|things|info(?:rmation)?|notes|records|files|memor(?:y|ies)))(?: of it)?${ABOUT_ME}|(?:all )?about me|i (?:say|write|post|type)`,
  T: '(?:(?:any|all|none|some) of )?(?:this|these)(?: (?:one|message|part|bit|line|conversation|chat|exchange|thread|info(?:rmation)?|detail|secret|next bit))?|the above|what i am saying',
  t: '(?:(?:any|all|none|some) of )?(?:that|those)(?: (?:one|part|bit|thing|detail|info(?:rmation)?|secret))?',
  i: '(?:(?:any|all) of )?(?:it|them)',
  L:
    `(?:what(?:ever)?|that|all|everything|anything|the (?:\\w+ )?(?:thing|part|bit|stuff|message|line))(?: that)? (?:i|we)(?:'ve|'d| have| had)?(?: just| only)?(?: now)? ${SAY}${WHEN}|(?:that )?i(?: (?:just|ever|even))* ${SAY}${WHEN}|` +
    `(?:my|the|that|those|these|this) (?:very )?(?:last|previous|latest|most recent|recent|preceding|prior|earlier) (?:${COUNT} )?(?:messages?|posts?|lines?|comments?|sentences?|remarks?|statements?|things?|words?|bits?|ones?|parts?|texts?|msgs?|reply|utterances?)(?: (?:that )?i (?:just )?${SAY}${WHEN})?|` +
    `(?:that|my) (?:message|post|comment|remark|sentence|statement|line)(?: (?:above|before|from before|from just now|just now))?|(?:the|my) (?:message|post|comment|line)s? (?:above|before(?: this(?: one)?)?|i (?:just )?${SAY}${WHEN}|from (?:before|just now|a (?:moment|minute) ago))`,
  X:
    "(?:what|whatever|anything|everything)(?: that)? i(?:'m| am|'ll| will)?(?: (?:about|going) to)? (?:say|tell you|tell everyone|write|post|type|share) (?:next|now|from (?:now|here)(?: on)?|here|in the next (?:few )?(?:\\d+ )?minutes?)|what i(?:'m| am) (?:about to|going to|gonna) (?:say|tell you|write|post|type|share)|what i say(?= is off)|" +
    'the following(?: messages?| lines?| part| bit)?|(?:the|my) next (?:\\w+ )?(?:messages?|lines?|sentences?|things?|words|part|bit|minutes|posts?)|what (?:follows|comes next|comes now|is coming)',
  Y: `(?:in|into|to|on) ${MEMORY}`,
  y: `(?:from|out of|off(?: of)?) ${MEMORY}`,
  z: "after(?:wards)?|later(?: on)?|when (?:we|you)(?:'re| are) done",
  a: `(?:(?:(?:every|any)thing|all|whatever|what|that|${STUFF})(?: that)? ${TOLD} ${ABOUT}|${TOLD} anything ${ABOUT}|(?:all )?(?:(?:the|any|all|your|every) )?(?:mentions?|memor(?:y|ies)|recollections?|knowledge|facts?|info|information|details?|notes?|traces?|records?) ${ABOUT}|your (?:memory|memories|notes) ${ABOUT}|(?:(?:every|any)thing|all) about(?= (?:my|our|the) ))`,
  b: `(?:(?:everything|anything|all|${STUFF}|the (?:thing|part|bit|fact)) )?(?:about|regarding|concerning)|${STUFF} on|the (?:fact )?that|(?:all|everything) (?:on|of)`,
  o: '(?:to (?:yourself|you)|(?:a )?secret|private|quiet|on the quiet|under wraps|unrecorded|unsaved|out of (?:it|this)|in this room|with (?:me|you)|off-limits)',
  E: "(?:pretend|act (?:like|as if)|say)(?: that)? (?:i|you) (?:had )?(?:never|didn't) (?:say|said|tell|told you|mention(?:ed)?|write|wrote|post(?:ed)?|hear|heard|see|saw|read)(?: anything)?(?: about)?|(?:pretend|act (?:like|as if)|say)(?: that)? (?=(?:this|that|it) never happened)",
  e: 'never happened',
  J: `(?:(?:we(?:'re| are)?|i(?:'m| am|'ll)?|go|going|can) ?)+${OFF}(?: (?:for (?:a|one|the next|\\w+) (?:\\w+ ?){1,3}|now|from (?:here|now)(?: on)?))?|${OFF} (?:for (?:a|one|the next) (?:\\w+ ?){1,3}|from (?:here|now)(?: on)?|now|(?:starting|beginning|as of) now)|go ${OFF}`,
  V: "(?:(?:we are|we're|i'm|i am|go|get|be|going|that is it) )?back on (?:the )?record|on the record again|(?:end|stop|done with) (?:of )?(?:the )?off[ -]the[ -]record(?: part| bit)?",
  j: '(?:turn|switch|shut)(?: (?:your(?:self)?|the|it|all))? ?off(?: (?:your|the|all))?|disable|deactivate|pause|suspend',
  v: '(?:for|on) (?:me|my (?:account|messages|posts))',
  R:
    "(?:(?:i(?:'d| would)? (?:want|like|wish|prefer|need) to |i'm |let me )?opt(?:ing)?(?: me)?[ -]?out|(?:leave|count|keep|cut) me out|(?:exclude|exempt|omit|unsubscribe) me)(?: (?:of|from) (?:(?:being |your |the |all )?(?:recordings?|recorded|listening|logging|tracking|remembered|data collection|everything)|it|(?:all )?(?:this|that)|" +
    `${MEMORY}))?|i (?:don't|do not) (?:consent|agree)(?: to (?:this|that|it|being (?:recorded|logged|tracked|remembered|stored|listened to|monitored)|(?:your |the )?(?:logging|recording|tracking|data collection)))?|i (?:withdraw|revoke) my consent|no (?:logging|recording|tracking|listening|profiling|remembering|monitoring)(?: of| to| about| on)? (?:me|my messages|what i say)|ignor(?:e|ing) (?:(?:all )?my messages|(?:everything|anything|whatever|what) i (?:say|write|post)|me (?:from (?:now|here) on|for ?ever|completely|entirely|altogether))|(?:stay|keep) out of my (?:messages|conversations|chats)|(?:close|plug|shut) your ears (?:to|for) me`,
  I: "(?:i(?:'d| would)? (?:want|like|wish|am ready) to |i'm |let me )?opt(?:ing)?(?: me)?(?: back)?[ -]?in|(?:un-?(?:ignore|mute|block)|(?:count|take|bring|let|include|add|sign|put) me (?:back )?in)|(?:turn|switch) (?:it|me|everything) (?:back )?on|back in|ears (?:back )?on|re-?enable|(?:un-?\\w+|let) me(?: back in)?|i (?:lift|drop|end) my (?:ban|opt-?out)|stealth mode (?:is )?(?:over|off)",
  r: "(?:start|begin|resume|continue|restart|go back to|keep)(?: to)?|i(?:'ve| have)? changed my mind|(?:im|i'm|i am) (?:ok|okay|fine|good|cool|happy) with(?: (?:you|it|being|your|that))?|you (?:have|'ve got) my (?:permission|consent|ok)(?: to)?|i (?:agree|consent) to (?:you |being )?|i (?:don't|do not) mind(?: you| being| if you)?|(?:is|are) (?:ok|okay|fine|allowed)|(?:by|from) you|again|once more|as before|like before|normally",
  l: '(?:what|that) (?:he|she|they|we|\\w+) (?:just )?(?:said|wrote)',
  W:
    `(?:(?:what|how much|what else|what all|what exactly)(?: information| data| facts| stuff)? (?:do|did|have) you (?:already |actually |still |all )?(?:know|known|remember|remembered|learned|learnt|got|have|store|stored|save|saved|keep|kept|noted|recorded)(?: (?:stored|saved|on file))? (?:about|on|of|from) me|do you (?:know|remember|have|store|keep) (?:anything|something|any information|any data|any facts) (?:about|on|of) me|` +
    '(?:tell|show|give|list|read)(?: me| us)?(?: of)? (?:everything|all|anything|what|whatever|(?:all )?the (?:things|facts))(?: that)? you (?:know|remember|have|learned|stored|saved|kept|noted)(?: (?:stored|saved))? (?:about|on|of) me|(?:tell|show|give|list|read)(?: me| us)? (?:your|the) (?:notes|facts|memories|data|information)(?: you have)? (?:about|on|of) me|' +
    'what (?:is|do we have) (?:known |stored |saved )?(?:about|on) me|(?:which|what) (?:facts|things|data) (?:do you (?:know|remember|have|keep|store)|are (?:known|stored|saved)) (?:about|on|of) me)',
}

const row = rowsOf(
  Object.fromEntries(
    Object.entries(LEXICON).map(([tag, words]) => [tag, `(?:${words.replaceAll("'", "'?")})(?![\\p{L}\\p{N}]|'(?!s\\b))`]),
  ),
  /[\p{L}\p{N}]+(?:'\p{L}+)*/uy,
)

// ---------------------------------------------------------------- phrases

const phrases: Language['phrases'] = [
  [/^W$/, 'know'],
  [/^V$/, 'over'],
  [/^(?:J|XBO|N[KkH]XY?|w?X[mnB]*n[mB]*[Kk]?Y?|Z?XB?n?B?k)$/, 'next'],
  [
    /^(?:R|j[YyHKkSx]{0,3}v|j[YHKk]M|N[KkH]v|N[KkH]MY?|uB?[KkH]|uM?B?[KkH]Y?|N?uMB?[KkH]|Z?w?M[mB]*n[mB]*[KkHY]Y?|ZM[mB]*[KkHY]Y?|[Pk]My|NPMY)[rv]*$/,
    'opt-out',
  ],
  [/^(?:[FDd]My?|wM?B?[FDd]|BF|w?M[mB]+[FDd]y?)$/, 'forget-me'],
  // "Don't remember that" also means "I don't remember that".
  [/^N(?:[KkH]|S)(?:LY?|LA)$|^NSAL$/, 'last'],
  [/^(?:NPLY|w?L[mB]*n[mB]*[KkH]?Y?|uLB?[Kk]Y?|ZLB?[Kk]Y?|L(?:m|B|n)*(?:O|By)|tB?O|[kP]L(?:O|o|y)|iBO)$/, 'last'],
  [/^Fb?L$/, 'last'],
  [/^(?:Fb?[tT]y?|[FDd]L[yz]?|[Dd][tTi]y|d[tTi]|Fiy|w?[mB]*[LtTi][mB]+[FDd]y?|w[LtTi]B?[FDd]y?|E[tTiL]?|E[ti]e)$/, 'drop'],
  [
    /^(?:N[Kk]:|N(?:k|K)[Tti]Y?|N[Kk][Ti]|N[S][TtiL]A|NSA[Tti]?|NStA|NPT?[ti]?Y|w?[Tt][mB]*n[mB]*[Kk]?Y?|u[Tti]B?[Kk]Y?|Z[Tti]?[mB]*[Kk]Y?)$/,
    'this',
  ],
  [/^(?:O|TB?O|TBo|[kPK][Tti]B?[Ooy]|F[Tti]z|T[mB]+[oO])$/, 'this'],
  [/^(?:[Kk][tTiLl]Y?|K|NF[tTil]?|P[tTi]Y|g)$/, 'keep'],
  [/^(?:r*Ir*|r*[KkH]Mr*|r+[KkH]r*|r*[KkH]r+|NGM|r+v)I?[rv]*$/, 'opt-in'],
]

// ---------------------------------------------------------------- what is to be remembered

/** Questions, statements and wishes with the same words: "remember when we went there", "remember to call me". */
const NO_CONTENT =
  /^(?:to|how|why|what|when|where|who|whom|whose|which|if|whether|me|us|you|your|the (?:time|day|night|one|good old days)|last time|back when|back in)\b/
/** "Remember that time in Kyoto". */
const OLD_TIMES = /^(?:time|day|night|one|guy|evening|summer|winter|year)\b/
const REQUEST =
  /\b(?:can|could|will|would) (?:you|u)\b|^(?:do|would) you mind\b|^(?:can|could|should|may|must) .* be (?:deleted|erased|removed|forgotten|wiped)\b|\bplease\b|\bok(?:ay)?\s*\?/

type Reads = Language['content']

/** A statement. */
const FACT = /\s(?:is|are|was|has|have|lives?|works?|likes?|loves?|hates?|needs?)\s/

const content: Reads = ({ text }, { tags, spans }) => {
  const [, before] = /^(.*[^,.:])[,.:](?:g|K(?!.*\?)|(?:[Kk]|NF)[tTi]Y?(?:bx{1,3})?|P[tTi]Y)[rv]*\??$/.exec(tags) ?? []
  // "My flight is on Friday. Please remember that."
  const isBare = tags.endsWith('K')
  if (before?.includes('x') && (!isBare || /\bplease,? remember\W*$|\bremember,? please\W*$/.test(text)))
    return [spans[0]?.[0] ?? 0, spans[before.length - 1]?.[1] ?? 0]
  const [order = '', verb = '', it = '', sign = '', rest] =
    /^(K|k|NF|g)([tTib]?)((?<=[tTi])[^,.:]{1,5}:|[,:.]?)(.*[^?])\??$/.exec(tags) ?? []
  if (rest === undefined) return undefined
  const at = verb.length + it.length + sign.length
  const span: Span = [spans[at - 1]?.[1] ?? 0, textEnd(text, spans, tags)]
  const told = text.slice(...span).trim()
  const that = it !== '' && sign === '' && /^(?:the fact )?that$/.test(text.slice(...(spans[verb.length] ?? [0, 0])))
  if (it !== '' && !that && sign === '') return undefined
  // "Keep that in the fridge."
  if (that && /^(?:keep(?! in)|hold|hang)/.test(text.slice(...(spans[0] ?? [0, 0])))) return undefined
  // "Don't forget my cat's name is Pickles."
  const isFact = verb === 'NF' && !/^to\s/.test(told) && FACT.test(told)
  if (verb !== 'K' && !isFact && !that && sign === '') return undefined
  if (that ? OLD_TIMES.test(told) : NO_CONTENT.test(told)) return undefined
  return order.endsWith('?') && !that && !REQUEST.test(text) ? undefined : span
}

const about: Reads = ({ text }, { tags, spans }) => {
  const place = /^(?:K|k|NF)[tTi]b(?<topic>[xMTti]{1,4})\??$/d.exec(tags)?.indices?.groups?.topic
  const span: Span | undefined = place && [spans[place[0]]?.[0] ?? 0, spans[place[1] - 1]?.[1] ?? 0]
  // "Remember that about half of us are away."
  return span && /^(?:(?:the|my|our|his|her|their|your|this|that) )?[^\s\d]+(?: [^\s\d]+)?$/.test(text.slice(...span))
    ? span
    : undefined
}

/** The end of the last word that counts. */
function textEnd(_text: string, spans: Row['spans'], tags: string): number {
  return spans[tags.endsWith('?') ? tags.length - 2 : tags.length - 1]?.[1] ?? 0
}

// ---------------------------------------------------------------- what is to be forgotten

/** What an order to forget does not mean: "forget it", "forget how to speak", "forget everyone". */
const NO_TOPIC =
  /^(?:to|how|why|what|when|where|who|if|whether|it|me|you|us|we|him|her|them|everyone|everybody|everything|all|not|your|yourself|previous|(?:the|any|these|those) (?:above|previous|instructions?|rules?|prompts?)|this|that$)\b(?! (?:is|are|was|were)\b)/
const PERSONAL = /^(?:my|our) (?:(?!\b(?:in|on|at|for|with|to|from|open|closed|waiting)\b)[^.,;:])+$/

const TOPICS: readonly (readonly [order: RegExp, named: 'verb' | 'memory' | 'personal' | 'any'])[] = [
  [/^(?:[FDd]|NK|Nk)a(?<topic>.+?)[Yyz]?$/d, 'any'],
  [/^F(?:b|t(?=x))?(?<topic>[^BMmn,.:].*?)y?$/d, 'verb'],
  [/^[DdP]b?(?<topic>.+?)y$/d, 'memory'],
  // "Erase that bit about the code freeze"
  [/^db(?<topic>x.*?)$/d, 'any'],
  [/^[DFd]y(?<topic>.+)$/d, 'memory'],
  [/^(?:w|m)?(?:a(?<topic>.+?)|(?<named>.+?))[mB]*[DFd](?<memory>y?)$/d, 'any'],
  [/^N[Kk]b?(?<topic>x.+?)Y?$/d, 'personal'],
  [/^E(?<topic>.*x.*)$/d, 'any'],
  [/^a(?<topic>[^,.:]+)[,.]D(?:[,.]|$)/d, 'any'],
]

const topic: Reads = ({ text }, { tags, spans }) => {
  if (tags.includes('?') && !REQUEST.test(text)) return undefined
  const plain = tags.replace(/\?$/, '')
  for (const [order, named] of TOPICS) {
    const { topic: known, named: unknown, memory } = order.exec(plain)?.indices?.groups ?? {}
    const place = known ?? (memory && memory[0] < memory[1] ? unknown : undefined)
    if (!place) continue
    const span: [number, number] = [spans[place[0]]?.[0] ?? 0, spans[place[1] - 1]?.[1] ?? 0]
    const why = text
      .slice(...span)
      .search(/, (?:i|i'm|i've|we|we're|we've|he|he's|she|she's|they|they're|they've|it's|that's|because|since)\s/)
    if (why > 0) span[1] = span[0] + why
    const said = text.slice(...span)
    if (named === 'personal' ? PERSONAL.test(said) : !NO_TOPIC.test(said)) return span
  }
  return undefined
}

const language: Language = {
  letter: /[a-z]/,
  row,
  phrases,
  reason:
    /^(?:\S+$|(?:(?:it|that|this)(?:'?s|'?ll| is| was| isn'?t| wasn'?t| will)|(?:i|he|she|they|you|we|people|nobody|no one|someone) (?:was just|were just|should(?:n'?t| not)|reads?|sees?|mustn'?t|can'?t|(?:don'?t|doesn'?t|didn'?t) (?:know|want|mean|need)|would|regret|might)|(?:i'?m|i was|just|only|nope|honestly|sorry)(?: just| only)? (?:venting|moaning|ranting|kidding|joking|being)|don'?t want|because|since|as |so that|in case|for (?:privacy|good|my)|sorry|oops|wrong|my bad|big secret|under embargo|(?:scratch|strike|cancel|undo|take) (?:that|it)|never ?mind|wait|anyway|long story|thanks|thank you|(?:he|she|they|we|it)(?:'?d|'?ll)|no one|too |not meant)\b.*)$/,
  someOf:
    /(?<!\b(?:i|i just|i ever|we|i'?ve|i have) )\b(?:said|says|told (?:me|us|him|her)|asked (?:me|us)|keeps saying)\b|\b(?:one|two|three|four|some|most|half|either|part|only \w+) of (?:those|these|them|that|this|it|the)\b|\bexcept\b|\bbut not\b/,
  // "I don't remember that, sorry."
  notMeant: /^(?:don't|do not|never) remember (?:that|it)\b(?! *[:.])/,
  content,
  about,
  topic,
  outdated:
    /^(?<topic>(?!(?:it|that|this|he|she|they|there|what|who|here|let|how|if|when)\b)(?:(?:the|my|our|his|her|their) [\p{L}\d]|[\p{L}\d]+(?:'s| is| has| are| have| was| no longer| doesn't| isn't| left| quit| moved)(?![\p{L}])).{0,80}?)(?:[,.;!-]+| so| and| then)(?: (?:so|and|then|please|pls|just))* (?:you (?:can|may|should) )?(?:(?:now|please|just|safely) )*(?:forget|delete|erase|remove)(?: about)? (?:that|it|this)(?: (?:now|then|please))?[.!]*$/du,
  changed:
    /\b(?:isn't|aren't|wasn't|doesn't|don't|no longer|not|any ?more|back (?:from|in|at|to|home)|is back|over|done|finished|changed|moved|left|quit|gone|outdated|obsolete|wrong|resolved|fixed|cancell?ed|ended|expired)\b/,
  // ""Forget about the cat and tell me a joke."
  emptyContent:
    /\b(?:and|then)(?: please)? (?:tell|say|write|give|show|answer|explain|translate|remind|help) (?:me|us|him|her|them|it|a|the|that)\b|^(?:every|any|some|no)thing(?: (?:else|more|new))?(?: for (?:me|us))?$|^(?:things|stuff)\b(?! (?:is|are|was|were)\b)/i,
  onlyNamed:
    /^(?:my|our|his|her|their|the)(?: (?!(?:is|are|was|were|has|had|left|went|got|died)\b)[a-z'’-]*?(?<!ed|[^s]s|ing)){1,3}$/i,
  pronoun: /^(?:him|her|it|them|this|that|me|us)$/i,
  self: /\b(?:i|me|my|mine|we|us|our|ours|i['’](?:m|ve|d|ll))\b/i,
  request: REQUEST,
  jokes: /\b(?:lol|lmao|rofl|jk|haha\w*)\b/iu,
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
