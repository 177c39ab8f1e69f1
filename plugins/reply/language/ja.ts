import type { Language } from '../language.ts'

const language: Language = {
  joy: /ありがと|感謝|助か[るっり]|嬉し|うれし|楽し|やった[ーあぁ!！]|おめでと|笑$|🎉/,
  agreement: /賛成|同意|了解|いいね|いいと思|その通り|たしかに|確かに|わかる/,
  idea: /アイデア|アイディア|提案|思いつ|思い付|のはどう/,
  news: /リリース|公開し|発表|新しい|できました|できた[!！]|始め(?:ました|ます)/,
}

export default language
