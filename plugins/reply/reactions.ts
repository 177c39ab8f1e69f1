import { LANGUAGES, type Language } from './language.ts'

/** The reaction that suits a text, of those allowed: the first whose sign the text shows, or else a look, or else the first. */
export function chooseReaction(text: string, allowed: readonly string[]): string {
  const found = SIGNS.find(({ emoji, test }) => allowed.includes(emoji) && test(text))
  return found?.emoji ?? (allowed.includes(LOOK) ? LOOK : (allowed[0] ?? LOOK))
}

const LOOK = '👀'

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
