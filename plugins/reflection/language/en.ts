import type { Language } from '../language.ts'

const language: Language = {
  health:
    /\b(?:ill(?:ness)?|sick(?:ness)?|disease|cancer|diabet\w*|depress(?:ed|ion)|anxiety|therap(?:y|ist)|diagnos\w*|pregnan\w*|miscarr\w*|medication|medicine|hospital|surgery|allerg\w*|hiv|disab(?:led|ility)|burn-?out|rehab)\b/i,
  money:
    /\b(?:salar(?:y|ies)|wages?|income|bonus|pay ?(?:rise|raise|cut|check)|debts?|loans?|mortgage|bankrupt\w*|bank account|savings)\b|[$€£]\s?\d|\d\s?(?:dollars|euros|pounds|yen)\b/i,
  secret:
    /\b(?:passwords?|passcode|passphrase|pin code|secrets?|secretly|api[ _-]?keys?|access tokens?|credentials?|private key|social security|confidential\w*|off the record|between (?:you and me|us|ourselves)|(?:don['’]?t|do not|never|not to) tell|tell (?:no ?body|no one)|keep (?:it|this|that) (?:quiet|secret|to yourself|between)|in confidence|not (?:yet )?(?:public|announced|official))\b/i,
  privateLife: /\b(?:divorc\w*|affair|broke up|breakup|laid off|fired|arrested|job hunt\w*|home address|phone number)\b/i,
  orders:
    /\b(?:ignore|disregard|override|forget)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules|guidelines)\b|\bsystem prompt\b|\bnew instructions?\b|\b(?:store|save|add|record|write)\b[^.\n]{0,40}\b(?:as (?:an? )?(?:new )?facts?|(?:in|to|into) (?:your |the )?(?:memory|facts?))\b/i,
  unsure:
    /(?<![\s!?？])(?=[\s!?？]*[?？])[\s!?？]+$|\b(?:if|would|wish|hope(?:fully)?|one day|some ?day|maybe|perhaps|might|imagine|dream(?:s|ing)? of|want(?:s|ed)? to|(?:a )?second|another|spare|also|too|as well)\b/i,
}

export default language
