/** A person as a prompt shows them. What was made of people's words is data, and stands in quotation marks. */
import { type Locale, safeName, safeText } from 'kikimimi'
import type { Profile } from './profile-store.ts'

/** Characters of a sentence or two. */
const LONGEST = 300

const WORDS = {
  en: {
    title: 'How well you know them',
    topics: 'Last time you talked about:',
    lastConversation: 'Their last conversation:',
    tags: 'What they are known for:',
    personality: 'How they are:',
    and: ', ',
    quoted: (text: string) => `“${text}”`,
  },
  ja: {
    title: 'どのくらい知っているか',
    topics: '前回話していたこと:',
    lastConversation: '前回の会話:',
    tags: 'この人について:',
    personality: '人柄:',
    and: '、',
    quoted: (text: string) => `「${text}」`,
  },
} as const

/** Without the name: a heading is the prompt's, and nobody writes in it by what they are called. */
export function titleIn(locale: Locale): string {
  return WORDS[locale].title
}

/** A line for each thing that is known; none for what is not. */
export function knownLines({ topics, lastConversation = '', tags = [], personality = '' }: Profile, locale: Locale): string {
  const words = WORDS[locale]
  const list = (given: readonly string[]) =>
    given
      .map(one => quoted(safeName(one)))
      .filter(Boolean)
      .join(words.and)
  const lines = [
    [words.topics, list(topics)],
    [words.lastConversation, quoted(lastConversation)],
    [words.tags, list(tags)],
    [words.personality, quoted(personality)],
  ] as const
  return lines.flatMap(([label, value]) => (value === '' ? [] : `- ${label} ${value}`)).join('\n')

  /** On one line, without what would end the quotation. */
  function quoted(text: string): string {
    const plain = safeText(text)
      .replace(/\s*\n\s*/g, ' / ')
      .replace(/[“”「」]/g, '"')
    const characters = [...plain]
    if (characters.length === 0) return ''
    return words.quoted(characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : plain)
  }
}
