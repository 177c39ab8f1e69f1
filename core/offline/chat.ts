import { type Line, readTranscript } from '../transcript.ts'
import { askerOf, factsIn, isQuestion, recall, type Source, same } from './recall.ts'
import { contentWords, isJapanese } from './words.ts'

export interface Talk {
  readonly system: string
  readonly earlier: readonly Source[]
  readonly trigger: string
}

type Language = 'en' | 'ja'

/** An answer by rules: small talk, what was said before, or the admission that there is none. */
export function answer({ system, earlier, trigger }: Talk): string {
  const lines = readTranscript(system)
  const language = languageOf(trigger, lines)
  const say = PHRASES[language]
  const asked = withoutCall(trigger)
  const asker = askerOf(trigger, lines)
  const question = isQuestion(asked)

  if (ABOUT_ME.test(asked)) return say.aboutMe
  const small = question ? undefined : smallTalk(trigger)
  if (small) return say[small](asker, trigger)
  const found = question && recall({ text: asked, asker }, [...factsIn(system), ...earlier, ...before(trigger, lines)])
  if (found) return say.said(quoted(found.text), found.name, found.name === asker)
  const topic = [...contentWords(asked).keys()].length > 0 ? topicOf(asked) : undefined
  if (topic === undefined) return say.nothing
  return question ? say.unknown(topic) : say.understood(topic)
}

/** A few words to show that it listens. */
export function acknowledgement(trigger: string): string {
  const say = PHRASES[languageOf(trigger, [])]
  const asked = withoutCall(trigger)
  const small = smallTalk(trigger)
  return isQuestion(asked) ? say.ackQuestion : small ? say[small](undefined, trigger) : say.ack
}

/** What can be recalled: the lines around the question, without the model's own answers. */
export function before(trigger: string, lines: readonly Line[]): readonly Source[] {
  return lines.filter(({ text }) => !same(text, trigger) && !isOwn(text))
}

/** Said by this model: quoting its own quotes would go on for ever. */
export function isOwn(text: string): boolean {
  return /said: “.*”\.$|^As far as I remember: “|」と(?:言っていました|覚えています)。$|offline model|オフラインモデル/.test(text)
}

export function topicOf(text: string): string {
  const words = new Intl.Segmenter('ja', { granularity: 'word' }).segment(text)
  const topics = new Set<string>()
  for (const { segment } of words) if ([...contentWords(segment).values()].includes(1)) topics.add(segment)
  const found = topics.size > 0 ? [...topics] : [...contentWords(text).keys()]
  return found
    .slice(0, 3)
    .join(isJapanese(text) ? '、' : ', ')
    .slice(0, 60)
}

export function smallTalk(said: string): 'thanks' | 'bye' | 'greeting' | undefined {
  const text = said.replace(MENTION, ' ').trim()
  if (/\b(?:thanks|thank you|thx|cheers)\b|ありがと|感謝|助かりました|サンキュー/i.test(text)) return 'thanks'
  if (/\b(?:bye|good ?night|see you)\b|おやすみ|またね|また明日|さようなら|バイバイ|じゃあね/i.test(text)) return 'bye'
  const hello = /^(?:hi|hello|hey|yo|good (?:morning|evening|afternoon))\b|^(?:こんにちは|こんばんは|おはよう|やあ|はじめまして)/i
  return hello.test(text) && text.length <= 40 ? 'greeting' : undefined
}

/** Without whom it is called: `@kiki `, `<@123> `, `kiki, `. */
export function withoutCall(text: string): string {
  return text
    .replace(MENTION, ' ')
    .trim()
    .replace(/^(?!\S*[のはをがにで])[\p{L}\p{N}_-]{1,20}[,、:：]\s*(?=\S)/u, '')
}

const MENTION = /<[@#][^>\s]*>|(?<!\S)[@＠][^\s、,]+/g

function languageOf(trigger: string, lines: readonly Line[]): Language {
  const told = [trigger, ...lines.map(({ text }) => text).reverse()].map(withoutCall).find(text => /\p{L}/u.test(text))
  return told !== undefined && isJapanese(told) ? 'ja' : 'en'
}

/** One line of somebody's words, without what would end the quotation. */
function quoted(text: string): string {
  const line = text
    .replace(/[“”「」]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

const ABOUT_ME =
  /\b(?:who|what) are you\b(?! \w+ing)|\bare you (?:a |an )?(?:bot|ai|human|real)\b|\bwhat can you do\b|\byour name\b|(?:あなた|君|きみ|お前)(?:は|って)(?:誰|だれ|何者|なに)|(?:あなた|君|きみ)の名前|何ができ|自己紹介/i

const KEY = {
  en: 'Set GOOGLE_API_KEY in .env for a real one.',
  ja: '.env に GOOGLE_API_KEY を設定すると、本物のモデルが答えます。',
}

const san = (name: string) => (/(?:さん|ちゃん|くん|君|様)$/.test(name) ? name : `${name}さん`)

const PHRASES = {
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
    unknown: (topic: string) => `「${topic}」のことは、この会話には見つかりませんでした。私はオフラインモデルです。${KEY.ja}`,
    understood: (topic: string) => `「${topic}」の話ですね。私はオフラインモデルなので、ここまでしかわかりません。${KEY.ja}`,
    nothing: `聞いていますよ。私はオフラインモデルです。${KEY.ja}`,
  },
} as const
