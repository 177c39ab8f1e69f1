/** How words are shown: to people, and to the model as quoted data. */
import { ago, type Locale, type MessageSource, type Section, safeLine, safeName } from 'kikimimi'
import { hasWord } from './definitions.ts'
import type { Word } from './store.ts'
import { texts } from './texts.ts'

/** Characters of a turn in which words are looked for, the last ones. */
export const WITHIN = 8_000
/** Lines of a section. */
const LINES = 12
/** Explanations of one word, the latest. */
const OF_WORD = 3
/** Characters of a meaning in a prompt. */
const LONGEST = 200

/** What the words of a text mean. Undefined: it has none of them. */
export function sectionOf(
  words: readonly Word[],
  text: string,
  { locale, now }: { readonly locale: Locale; readonly now: number },
): Section | undefined {
  const found = latest(words.filter(({ word }) => hasWord(text, word))).slice(0, LINES)
  if (found.length === 0) return undefined
  const say = texts(locale)
  const lines = found.map(one => {
    const values = { word: quoted(one.word), name: safeName(one.authorName), age: ago(now - one.at.getTime(), locale) }
    const isNickname = one.person !== null
    const meaning = isNickname ? safeName(one.meaning) : quoted(one.meaning)
    return `- ${say(isNickname ? 'nickname' : 'means', { ...values, meaning })}`
  })
  return { place: 'other', title: say('title'), text: [say('note'), '', ...lines].join('\n'), sources: sourcesOf(found) }
}

/** What one word means, or several, for people. */
export function answer(words: readonly Word[], locale: Locale, now: number): string {
  return latest(words)
    .map(({ word, meaning, person, authorName: name, at }) =>
      texts(locale)(person === null ? 'means' : 'nickname', { word, meaning, name, age: ago(now - at.getTime(), locale) }),
    )
    .join('\n')
}

/** The entries, and the messages that they come from. */
export function sourcesOf(words: readonly Word[]): MessageSource[] {
  return words.flatMap(({ id, channel, message }) => [
    { conversation: 'words', first: id, last: id },
    { channel, messages: [message] },
  ])
}

function latest(words: readonly Word[]): readonly Word[] {
  return [...Map.groupBy(words, ({ word }) => word.toLowerCase()).values()].flatMap(same => same.slice(0, OF_WORD))
}

/** On one line, without characters that would end the quotation. */
function quoted(text: string): string {
  return safeLine(text.replace(/[“”「」]/g, '"').slice(0, LONGEST))
}
