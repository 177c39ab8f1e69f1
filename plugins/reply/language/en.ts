import type { Language } from '../language.ts'

const language: Language = {
  joy: /\b(?:thanks?|thx|yay|happy|glad|congrats|congratulations|lol|haha)\b/i,
  agreement: /\+1|\b(?:agreed?|exactly|sounds good|lgtm|good point)\b/i,
  idea: /\b(?:ideas?|how about|what if|suggest(?:ion)?|propos(?:e|al)|maybe we)\b/i,
  news: /\b(?:new|released?|launched|announc(?:e|ing|ement)|shipped|published)\b/i,
}

export default language
