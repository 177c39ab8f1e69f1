import { LANGUAGES, type Language } from './language.ts'

/** The reaction for a text: the first allowed one whose pattern matches, or else 👀, or else the first allowed one. */
export function chooseReaction(text: string, allowed: readonly string[]): string {
  const found = SIGNS.find(({ emoji, test }) => allowed.includes(emoji) && test(text))
  return found?.emoji ?? (allowed.includes(EYES) ? EYES : (allowed[0] ?? EYES))
}

const EYES = '👀'

/** A question, thanks and joy, agreement, an idea, news. */
const SIGNS: readonly { readonly emoji: string; readonly test: (text: string) => boolean }[] = [
  { emoji: '🤔', test: text => /[?？]\s*$/.test(text) },
  { emoji: '😊', test: says('joy') },
  { emoji: '👍', test: says('agreement') },
  { emoji: '💡', test: says('idea') },
  { emoji: '✨', test: says('news') },
]

function says(key: keyof Language): (text: string) => boolean {
  return text => LANGUAGES.some(language => language[key].test(text))
}
