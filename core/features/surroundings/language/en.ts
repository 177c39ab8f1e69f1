import type { Language } from '../language.ts'

const language: Language = {
  asksForSummary:
    /\b(?:sum(?:s|med)? (?:\S+ )?up|summ?ar(?:y|ies|i[sz]e[sd]?|i[sz]ing)|recaps?|tl;?dr|catch (?:me|us) up|bring (?:me|us) up to (?:speed|date)|(?:did|have|had) (?:i|we) miss(?:ed)?|i(?:['’]ve)? missed|(?:what (?:happened|is going on|was going on|has happened|was (?:said|decided|discussed|agreed))|what['’]s (?:going on|happening|up) (?:here|in this)|key points|main points|(?:give|get|an?) (?:me )?(?:a )?overview))\b/u,
  refersBack:
    /\b(?:\p{L}+ (?:just |already |all )?(?:said|wrote|mentioned|discussed|decided|agreed|talked about) (?:\S+ ){0,3}(?:earlier|before|above|yesterday|so far|last (?:week|night|time)|this morning)|(?:did|have|had|were|are) (?:we|you|they) (?:just |already )?(?:say|said|write|written|mention(?:ed)?|discuss(?:ed|ing)?|decided?|agreed?|talk(?:ed|ing)? about)|(?:the|this|that|our|their) (?:\S+ )?(?:conversation|discussion|debate|thread)|(?:messages?|conversation|discussion|posts?|everything) (?:above|so far|before this)|(?:read|scroll|look|go) (?:back|up)|(?:we|you|they) (?:talked|were talking|spoke) about|from (?:earlier|above))\b/u,
}

export default language
