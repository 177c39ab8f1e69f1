/** A person as a prompt shows them. What was made of people's words is data, and stands in quotation marks. */
import { type Locale, safeName, safeText } from 'kikimimi'
import type { Profile } from './profile-store.ts'
import { texts } from './texts.ts'

/** Characters of a sentence or two. */
const LONGEST = 300

/** Without the name: a heading is the prompt's, and nobody writes in it by what they are called. */
export function titleIn(locale: Locale): string {
  return texts(locale)('title')
}

/** A line for each thing that is known; none for what is not. */
export function knownLines({ topics, lastConversation = '', tags = [], personality = '' }: Profile, locale: Locale): string {
  const say = texts(locale)
  const list = (given: readonly string[]) =>
    given
      .map(one => quoted(safeName(one)))
      .filter(Boolean)
      .join(say('and'))
  const lines = [
    ['topics', list(topics)],
    ['lastConversation', quoted(lastConversation)],
    ['tags', list(tags)],
    ['personality', quoted(personality)],
  ] as const
  return lines.flatMap(([key, text]) => (text === '' ? [] : `- ${say(key, { text })}`)).join('\n')

  /** On one line, without what would end the quotation. */
  function quoted(text: string): string {
    const plain = safeText(text)
      .replace(/\s*\n\s*/g, ' / ')
      .replace(/[“”「」]/g, '"')
    const characters = [...plain]
    if (characters.length === 0) return ''
    return say('quoted', { text: characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : plain })
  }
}
