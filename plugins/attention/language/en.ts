import type { Language } from '../language.ts'

const language: Language = {
  corrects:
    /\b(?:not (?:now|you|to you)|no ?(?:body|one) (?:asked|was asking|called|is talking to) (?:you|u)|(?:was|am|were|are|is)(?:n't| not) (?:talking|speaking|asking|writing) (?:to )?you|(?:didn't|did not|don't|do not) (?:ask|mean|need) (?:you|u)|stay out of (?:it|this)|mind your own business|wrong (?:bot|conversation|thread))\b/,
}

export default language
