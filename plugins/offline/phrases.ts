const KEY = {
  en: 'Set GOOGLE_API_KEY in .env for a real one.',
  ja: '.env に GOOGLE_API_KEY を設定すると、本物のモデルが答えます。',
}

/** Everything the offline model can say. */
export const PHRASES = {
  en: {
    greeting: (name?: string, said = '') => {
      const hello = /good (?:morning|afternoon|evening)/i.exec(said)?.[0].toLowerCase().replace('g', 'G') ?? 'Hello'
      return name === undefined ? `${hello}!` : `${hello}, ${name}!`
    },
    thanks: (name?: string) => (name === undefined ? "You're welcome!" : `You're welcome, ${name}!`),
    bye: (name?: string) => (name === undefined ? 'See you!' : `See you, ${name}!`),
    ack: 'I see.',
    ackQuestion: 'Good question.',
    aboutMe: `I'm listening with the offline model: it can greet, and tell you what was said here before. ${KEY.en}`,
    said: (text: string, name: string | undefined, own: boolean) =>
      name === undefined ? `As far as I remember: “${text}”.` : `${own ? 'You' : name} said: “${text}”.`,
    byTheWay: (text: string) => `By the way, I remember this: ${text}`,
    unknown: (topic: string) => `I find nothing about “${topic}” in this conversation. I'm only the offline model. ${KEY.en}`,
    understood: (topic: string) => `This is about “${topic}”, as far as I understand. I'm only the offline model. ${KEY.en}`,
    nothing: `I'm listening. I'm only the offline model. ${KEY.en}`,
  },
  ja: {
    greeting: (name?: string, said = '') => {
      const hello = said.includes('おはよう') ? 'おはようございます' : said.includes('こんばんは') ? 'こんばんは' : 'こんにちは'
      return name === undefined ? `${hello}！` : `${san(name)}、${hello}！`
    },
    thanks: (name?: string) => (name === undefined ? 'どういたしまして！' : `${san(name)}、どういたしまして！`),
    bye: (name?: string) => (name === undefined ? 'またね！' : `${san(name)}、またね！`),
    ack: 'なるほど。',
    ackQuestion: 'いい質問ですね。',
    aboutMe: `オフラインモデルで聞いています。あいさつと、ここで話されたことの思い出しができます。${KEY.ja}`,
    said: (text: string, name: string | undefined, own: boolean) =>
      name === undefined ? `「${text}」と覚えています。` : `${own ? '' : `${san(name)}が`}「${text}」と言っていました。`,
    byTheWay: (text: string) => `そういえば、こんな話がありました。${text}`,
    unknown: (topic: string) => `「${topic}」のことは、この会話には見つかりませんでした。私はオフラインモデルです。${KEY.ja}`,
    understood: (topic: string) => `「${topic}」の話ですね。私はオフラインモデルなので、ここまでしかわかりません。${KEY.ja}`,
    nothing: `聞いていますよ。私はオフラインモデルです。${KEY.ja}`,
  },
} as const

function san(name: string): string {
  return /(?:さん|ちゃん|くん|君|様)$/.test(name) ? name : `${name}さん`
}
