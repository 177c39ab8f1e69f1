/** The section of the prompt: passages with numbers, quoted as data. */
import { type Locale, type Section, safeLine, safeText } from 'kikimimi'
import type { Found } from '../search/search.ts'
import { texts } from '../texts.ts'
import { cited } from './citations.ts'

/** Characters of the name of a place. */
const LONGEST_PLACE = 200

/** @param onCited gets the indexes of the passages that the answer cites */
export function sectionOf(found: readonly Found[], locale: Locale, onCited: (passages: readonly number[]) => void): Section {
  const say = texts(locale)
  const passages = found.map((one, at) => `[${at + 1}] ${placeOf(one)}\n${quoted(one.text)}`)
  return {
    place: 'facts',
    title: say('title'),
    text: [say('note'), ...passages].join('\n\n'),
    sources: found.flatMap(({ from }) => from ?? []),
    finish(answer) {
      const { text, passages } = cited(answer, found.length)
      onCited(passages)
      const sources = passages.flatMap((index, at) => (found[index] ? [`[${at + 1}] ${cite(found[index])}`] : []))
      return sources.length === 0 ? text : `${text.trimEnd()}\n\n${sources.join('\n')}`
    },
  }
}

/** What the prompt has when no passage tells anything about the question. */
export function nothingFound(names: readonly string[], locale: Locale): Section {
  const say = texts(locale)
  return { place: 'facts', title: say('title'), text: say('nothing', { sources: names.map(safeLine).join(', ') }), weight: 0.5 }
}

/** `docs/scale.md › Large logs › Figures` */
export function placeOf({ path, title, headings }: Pick<Found, 'path' | 'title' | 'headings'>): string {
  // The first heading of a document is mostly its title, and a page or a message is known by its title rather than by its address.
  const name = /^(?:https?|message):/.test(path) && title !== '' ? title : path
  const below = headings.filter(heading => heading !== title)
  return safeLine([name, ...below].join(' › ')).slice(0, LONGEST_PLACE)
}

function cite(found: Found): string {
  return found.link === undefined ? placeOf(found) : `${placeOf(found)} ${found.link}`
}

/** Each line behind a mark, so that no line of a document looks like one of the prompt. */
function quoted(text: string): string {
  return safeText(text)
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n')
}
