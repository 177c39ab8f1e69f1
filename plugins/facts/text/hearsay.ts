/** What a person says about another person. */
import { nameMatcher } from 'kikimimi'

/** Maximum confidence of a statement about another person than its author. */
export const HEARSAY = 0.6

/** Shorter names are words in lower case, such as `will` and `may`. */
const TELLING = 5

/** Letters of Cyrillic and Greek, and the Latin letters that look the same. https://www.unicode.org/reports/tr39/#Confusable_Detection */
const LOOKS = 'АаВЕеЅѕІіЈјКкМНОоРрСсТУуХхԁԛԜԝһΑαΒΕεΖΗΙιΚκΜΝΟοΡρΤτΥυΧχνɑⅼ'
const LATIN = 'AaBEeSsIiJjKkMHOoPpCcTYyXxdqWwhAaBEeZHIiKkMNOoPpTtYuXxval'
const LOOK = new RegExp(`[${LOOKS}]`, 'gu')
const latin = new Map([...LOOKS].map((letter, at) => [letter, LATIN[at] ?? letter]))

/** The text in NFKC, without invisible characters, and with the Latin letter for each letter that looks like one. */
export function foldLookalikes(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(LOOK, letter => latin.get(letter) ?? letter)
}

/** Whether a text holds one of the names, also in letters that look like theirs. A long name also in lower case. */
export function namesOneOf(text: string, names: Iterable<string>): boolean {
  const plain = foldLookalikes(text)
  const folded = [...names].map(foldLookalikes)
  const long = folded.filter(name => name.length >= TELLING).map(name => name.toLowerCase())
  return nameMatcher(folded).test(plain) || nameMatcher(long).test(plain.toLowerCase())
}
