/** Values for prompts about a conversation. */
import type { Conversation, Section, Turn } from '../api/index.ts'
import { texts } from '../base/text/core-texts.ts'
import type { Locale } from '../base/text/texts.ts'
import { safeName, transcript } from './transcript.ts'

/** `channel`, `place` and `transcript`: the conversation, and its last `length` messages. */
export function conversationValues({ conversation, history }: Turn, locale: Locale, length: number) {
  return {
    channel: `${conversation.visibility === 'direct' ? '' : '#'}${safeName(conversation.name)}`,
    place: placeOf(conversation, locale),
    transcript: transcript(history.slice(-length), { locale }),
  }
}

/** The sections under the headings of their places, from wide to narrow. A place without sections has no heading. */
export function formatSections(sections: readonly Section[], locale: Locale): string {
  const places = Map.groupBy(sections, ({ place }) => place)
  return [...places]
    .flatMap(([place, inPlace]) => {
      const heading = headingOf(place, locale)
      const level = heading === undefined ? '##' : '###'
      const bodies = inPlace.map(section => `${headed(level, oneLine(section.title))}\n${section.text.trim()}`)
      return heading === undefined ? bodies : [`## ${heading}`, ...bodies]
    })
    .join('\n\n')
}

/** Sections of the place `other` have no heading of a place. */
function headingOf(place: Section['place'], locale: Locale): string | undefined {
  const isApart = place === 'whereabouts' || place === 'situation' || place === 'other'
  return isApart ? undefined : texts(locale)(`prompt.${place}`)
}

function headed(level: string, title: string): string {
  return /^【.*】$/.test(title) ? title : `${level} ${title}\n`
}

function placeOf({ thread }: Conversation, locale: Locale): string {
  const say = texts(locale)
  return thread === undefined ? say('prompt.topLevel') : safeName(say('prompt.inThread', { thread }))
}

/** A plugin sets the title. It can contain marks of its own: `#general`. */
function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim()
}
