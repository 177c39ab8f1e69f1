/** What prompts about a conversation are filled in with. */
import type { Conversation, Section, Turn } from '../api/index.ts'
import type { Locale } from '../base/locale.ts'
import { safeName, transcript } from './transcript.ts'

/** `channel`, `place` and `transcript`: where people talk, and the last `length` messages. */
export function conversationValues({ conversation, history }: Turn, locale: Locale, length: number) {
  return {
    channel: `${conversation.visibility === 'direct' ? '' : '#'}${safeName(conversation.name)}`,
    place: placeOf(conversation, locale),
    transcript: transcript(history.slice(-length), { locale }),
  }
}

/** The sections under the headings of their places, wide to narrow as they come. A place without any has no heading. */
export function formatSections(sections: readonly Section[], locale: Locale): string {
  const places = Map.groupBy(sections, ({ place }) => place)
  return [...places]
    .flatMap(([place, inPlace]) => {
      const heading = HEADINGS[locale][place]
      const level = heading === undefined ? '##' : '###'
      const bodies = inPlace.map(section => `${headed(level, oneLine(section.title))}\n${section.text.trim()}`)
      return heading === undefined ? bodies : [`## ${heading}`, ...bodies]
    })
    .join('\n\n')
}

/** Sections elsewhere stand on their own. */
const HEADINGS: Readonly<Record<Locale, Readonly<Partial<Record<Section['place'], string>>>>> = {
  ja: {
    workspace: '記憶',
    channel: '各チャンネルの記憶',
    thread: '現在のスレッド一覧',
    person: '話している人',
    facts: '関連する過去の記憶',
  },
  en: {
    workspace: 'Memory',
    channel: 'Memory of the channels',
    thread: 'Current threads',
    person: 'Who is speaking',
    facts: 'Related memories',
  },
}

function headed(level: string, title: string): string {
  return /^【.*】$/.test(title) ? title : `${level} ${title}\n`
}

function placeOf({ thread }: Conversation, locale: Locale): string {
  if (thread === undefined) return locale === 'ja' ? 'トップレベルメッセージ' : 'Top level'
  return safeName(locale === 'ja' ? `スレッド: ${thread}` : `Thread: ${thread}`)
}

/** A title is a plugin's, and may have its own marks: `#general`. */
function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim()
}
