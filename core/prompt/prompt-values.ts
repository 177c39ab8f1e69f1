/** Values for prompts about a conversation. */
import type { Conversation, ConversationDetails, Message, Section, Turn } from '../api/index.ts'
import { type CoreSay, texts } from '../base/text/core-texts.ts'
import type { Locale } from '../base/text/texts.ts'
import { safeLine, safeName, transcript } from './transcript.ts'

/**
 * What a prompt says of the conversation of a turn:
 *
 * - `channel` and `place`: the names of the channel and of the thread, on one line each;
 * - `about`: the workspace, the topic and the tags, and what could not be read, a line each; empty when nothing is known;
 * - `transcript`: the message that the thread hangs on, messages from before, and the last `length` messages, with marks;
 * - `now`: the current time, with the day of the week and the time zone.
 */
export function conversationValues(turn: Turn, { locale, length, now }: ConversationOptions) {
  const { conversation } = turn
  const say = texts(locale)
  return {
    channel: `${conversation.visibility === 'direct' ? '' : '#'}${safeName(conversation.name)}`,
    place: placeOf(conversation, say),
    about: aboutOf(turn, say),
    transcript: transcriptOf(turn, locale, length),
    now: formatTime(now, locale, turn.persona.timeZone),
  }
}

/** How a prompt shows a conversation. */
export interface ConversationOptions {
  /** The language of the headings. */
  readonly locale: Locale
  /** How many of the last messages of working memory are shown. */
  readonly length: number
  /** The current time: `new Date(ctx.clock.now())`. */
  readonly now: Date
}

function transcriptOf(turn: Turn, locale: Locale, length: number) {
  const { conversation, history, messages, added, surroundings, addressed, persona } = turn
  const { root, quoted = [], earlier = [] } = surroundings ?? {}
  const answered = [...messages.slice(-1), ...added]
  const latest = [...earlier, ...history.slice(-length)]
  // A call that was edited into an old message, and what was added since, may be outside of working memory.
  const all = [...(isMessage(root) ? [root] : []), ...latest, ...answered]
  const shown = all.filter(({ id }, index) => all.findIndex(one => one.id === id) === index)
  return transcript(shown, {
    locale,
    timeZone: persona.timeZone,
    quoted,
    root: conversation.details?.root,
    news: messages.map(({ id }) => id),
    asked: addressed ? answered.map(({ id }) => id) : [],
  })
}

/** The workspace, the topic and the tags, a line each; empty when nothing is known. */
export function formatDetails(details: ConversationDetails, locale: Locale): string {
  return detailsOf(details, texts(locale))
}

function detailsOf({ workspaceName, topic, tags = [] }: ConversationDetails, say: CoreSay): string {
  const lines = [
    workspaceName && say('prompt.workspaceName', { name: safeName(workspaceName) }),
    topic && say('prompt.topic', { topic: safeLine(topic) }),
    tags.length > 0 && say('prompt.tags', { tags: tags.map(safeName).join(', ') }),
  ]
  return lines.filter(Boolean).join('\n')
}

function aboutOf({ conversation, surroundings }: Turn, say: CoreSay): string {
  const { root, problem } = surroundings ?? {}
  const lines = [
    detailsOf(conversation.details ?? {}, say),
    root === 'deleted' && say('prompt.rootDeleted'),
    root === 'unreadable' && say('prompt.rootUnreadable'),
    problem && say('prompt.unread', { why: safeLine(problem) }),
  ]
  return lines.filter(Boolean).join('\n')
}

/** `2026-01-05 10:00 (Monday, Asia/Tokyo)`. */
export function formatTime(now: Date, locale: Locale, timeZone: string): string {
  const date = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(now)
  return `${date} (${new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone }).format(now)}, ${timeZone})`
}

function isMessage(root: Message | string | undefined): root is Message {
  return typeof root === 'object'
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

function placeOf({ thread, details }: Conversation, say: CoreSay): string {
  const name = details?.threadName ?? thread
  return name === undefined ? say('prompt.topLevel') : say('prompt.inThread', { thread: safeLine(name) })
}

/** A plugin sets the title. It can contain marks of its own: `#general`. */
function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim()
}
