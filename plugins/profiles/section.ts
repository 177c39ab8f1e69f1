/** Formats a profile for a prompt. Notes are data in quotation marks. */
import { type Locale, safeName, safeText } from 'kikimimi'
import type { Profile } from './profile-store.ts'
import { texts } from './texts.ts'

/** Maximum length of a note, in characters. */
const LONGEST = 300

/** Characters that it is made from: what is invisible is left out. */
const READ = 4_000

/** The heading has no name, because a name is chosen by its person and could contain instructions. */
export function titleIn(locale: Locale): string {
  return texts(locale)('title')
}

/** One line for each known part. */
export function knownLines({ topics, lastConversation = '', tags = [], personality = '' }: Profile, locale: Locale): string {
  const say = texts(locale)
  const list = (given: readonly string[]) =>
    given
      .map(one => quoted(safeName(one), locale))
      .filter(Boolean)
      .join(say('and'))
  const lines = [
    ['topics', list(topics)],
    ['lastConversation', quoted(lastConversation, locale)],
    ['tags', list(tags)],
    ['personality', quoted(personality, locale)],
  ] as const
  return lines.flatMap(([key, text]) => (text === '' ? [] : `- ${say(key, { text })}`)).join('\n')
}

/** The text on one line, without characters that would end the quotation. */
export function quoted(text: string, locale: Locale): string {
  const plain = safeText(text.slice(0, READ))
    .replace(/(?<!\s)\s*\n\s*/g, ' / ')
    .replace(/[“”「」]/g, '"')
  const characters = [...plain]
  if (characters.length === 0) return ''
  return texts(locale)('quoted', { text: characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : plain })
}
