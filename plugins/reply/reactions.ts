/** The reaction that suits a text, of those allowed: the first whose sign the text shows, or else a look, or else the first. */
export function chooseReaction(text: string, allowed: readonly string[]): string {
  const found = SIGNS.find(({ emoji, ja, en }) => allowed.includes(emoji) && (ja.test(text) || en.test(text)))
  return found?.emoji ?? (allowed.includes(LOOK) ? LOOK : (allowed[0] ?? LOOK))
}

const LOOK = '👀'

/** A question, thanks and joy, agreement, an idea, news. */
const SIGNS: readonly { readonly emoji: string; readonly ja: RegExp; readonly en: RegExp }[] = [
  { emoji: '🤔', ja: /？\s*$/, en: /\?\s*$/ },
  {
    emoji: '😊',
    ja: /ありがと|感謝|助か[るっり]|嬉し|うれし|楽し|やった[ーあぁ!！]|おめでと|笑$|🎉/,
    en: /\b(?:thanks?|thx|yay|happy|glad|congrats|congratulations|lol|haha)\b/i,
  },
  {
    emoji: '👍',
    ja: /賛成|同意|了解|いいね|いいと思|その通り|たしかに|確かに|わかる/,
    en: /\+1|\b(?:agreed?|exactly|sounds good|lgtm|good point)\b/i,
  },
  {
    emoji: '💡',
    ja: /アイデア|アイディア|提案|思いつ|思い付|のはどう/,
    en: /\b(?:ideas?|how about|what if|suggest(?:ion)?|propos(?:e|al)|maybe we)\b/i,
  },
  {
    emoji: '✨',
    ja: /リリース|公開し|発表|新しい|できました|できた[!！]|始め(?:ました|ます)/,
    en: /\b(?:new|released?|launched|announc(?:e|ing|ement)|shipped|published)\b/i,
  },
]
