/** The words that signs are made of, in each language. Texts come in half width (NFKC), with straight apostrophes. */
import { anyOf, languagesIn } from 'kikimimi'

export interface Language {
  /** Insults, contempt, anger. */
  readonly insults: RegExp
  /** Somebody is held to be at fault. */
  readonly blames: RegExp
  readonly contradicts: RegExp
  /** Somebody bristles, or has had it. */
  readonly bristles: RegExp

  /** Little words that two people who rub each other up use more of: the other. */
  readonly others: RegExp
  readonly denies: RegExp
  readonly demands: RegExp
  readonly rubs?: RegExp

  /** Takes the edge off. */
  readonly laughs: RegExp

  readonly misunderstands: RegExp
  readonly wonders: RegExp
  /** A discussion goes round in circles, or off. */
  readonly astray: RegExp
  /** Somebody asks whoever is there. */
  readonly asks: RegExp
}

const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]

/** Whether a text has one of these words, in any language. */
export function says(key: keyof Language): (text: string) => boolean {
  const flags = Map.groupBy(
    LANGUAGES.flatMap(language => language[key] ?? []),
    pattern => pattern.flags,
  )
  const patterns = [...flags.values()].map(anyOf)
  return text => patterns.some(pattern => pattern.test(text))
}
