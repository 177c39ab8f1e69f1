/** Words of the signs, in each language. Texts come in half width (NFKC), with straight apostrophes. */
import { anyOf, languagesIn } from 'kikimimi'

export interface Language {
  /** Insults, contempt, anger. English has none: the model of speech acts finds them. */
  readonly insults?: RegExp
  /** Blames a person. */
  readonly blames: RegExp
  readonly contradicts: RegExp
  /** Defends against blame, or is fed up. */
  readonly bristles: RegExp

  /** Function words that two people use more often when they quarrel: about the other person. */
  readonly others: RegExp
  readonly denies: RegExp
  readonly demands: RegExp
  readonly rubs?: RegExp

  /** Relaxes the tone. */
  readonly laughs: RegExp

  readonly misunderstands: RegExp
  readonly wonders: RegExp
  /** The discussion goes in circles or off topic. */
  readonly astray: RegExp
  /** Asks everybody for help. */
  readonly asks: RegExp
}

const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]

/** Characters of a text that are read. */
const READ = 10_000

/** Whether a text contains one of these words, in any language. */
export function says(key: keyof Language): (text: string) => boolean {
  const flags = Map.groupBy(
    LANGUAGES.flatMap(language => language[key] ?? []),
    pattern => pattern.flags,
  )
  const patterns = [...flags.values()].map(anyOf)
  return text => {
    const read = text.slice(0, READ)
    return patterns.some(pattern => pattern.test(read))
  }
}
