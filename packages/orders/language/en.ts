import type { Language } from '../language.ts'

/** Asks for a reminder whose content or person stands before the call. */
const ASK = '(?:remind|remember|tell|ping|nudge|poke|buzz|message|notify|alert|warn)'

const language: Language = {
  greetings: 'dear|hey|hi|hiya|hello|ok|okay|yo|oi|so|oh|good (?:morning|afternoon|evening)',
  honorifics: 'san|chan|kun',
  beforeCall:
    "(?<![\\p{L}'])(?:nvm|never ?mind|lol|lmao|omg|ugh|haha+|btw|hey|ok|okay|so|and|but|oh|wait|pls|please|yo|no|yes|hmm+)",
  reports:
    /(?<![\p{L}'])(?:sa(?:y|ys|id|ying)|wr(?:ite|ites|ote|iting|itten)|typ(?:e|es|ed|ing)|t(?:ell|ells|old|elling)|ask(?:s|ed|ing)?|post(?:s|ed|ing)?|quot(?:e|es|ed)|example|e\.g|if|when|whenever|unless|never|don't|didn't|wouldn't)(?![\p{L}'])/u,
  refersBack: new RegExp(
    String.raw`^(?:you(?:'re| are)(?![\p{L}]).*|(?:[\p{L}']+ ){0,3}(?:that|this|it|those|them|then)(?: (?:please|pls|for me|down|in mind))?[\s.!?]*|${ASK} (?:him|her|them)(?![\p{L}]).*|${ASK} (?:me|us)(?: (?!(?:to|about|that|of|for) )[^\s.!?;]+){1,10}[\s.!?]*|${ASK} (?:me|us)(?: (?!(?:to|about|that|of|for) )[\p{L}\d]+){1,5} (?:before|beforehand|earlier|ahead|in advance)(?: (?:to|about|that|it) .*)?)$`,
    'u',
  ),
  before:
    'dear|hey|hi|hello|ok|okay|oh|yo|so|well|right|alright|um+|please to|please|pls|plz|kindly|just|also|and|then|now|thanks|sorry|' +
    "(?:can|could|would|will|might) (?:you|u|ya)(?: please| kindly| just| maybe| possibly| also)?|(?:i'd|i would|i) (?:like|want|need) you to|you (?:should|can|could|need to|have to)|" +
    "would you mind|do me a favou?r(?:,? and)?|be (?:a dear|so kind)(?: and| as to)?|make sure (?:to|you)|i(?:'d| would) (?:appreciate|love) it if you(?: could| would)?|if you (?:can|could|don't mind)|if (?:possible|at all possible)|quick(?: one| request)?:?|don't forget to",
  after:
    "(?<![\\p{L}\\d'])(?:please|pls|plz|thanks(?: a (?:lot|bunch|million))?(?: so much)?|thank you(?: (?:so|very) much)?|thx|tysm|ty|cheers|ta|will you|would you|could you|can you|ok|okay|kthx|kthxbye|if you(?: (?:can|could|don't mind|please)|'?(?:d| would) be so kind)|if possible|lol|xx?|mate|buddy|dear|pal|appreciate it|much appreciated|when you get a (?:chance|sec|moment))",
}

export default language
