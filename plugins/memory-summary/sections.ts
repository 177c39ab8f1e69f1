/** The sections with memories in a prompt, from wide to narrow. */
import { type Conversation, channelOf, type Locale, type Section, safeLine, safeName, safeText } from 'kikimimi'
import type { MemoryRow } from './storage/memories.ts'
import type { Readable, Shown } from './storage/readable.ts'
import { texts } from './texts.ts'

/**
 * Weights: without room for all, sections that are distant and old are dropped first. Sections of other plugins weigh 1.
 */
const WEIGHTS = { situation: 1.2, here: 1, whereabouts: 0.9, workspace: 0.8, thread: 0.7, elsewhere: 0.5 } as const

/** Maximum length of a mood, in characters. */
const MOOD = 80

/** Empty memories are left out with their heading. Summaries by a model are still data. */
export function sectionsOf({ workspace, channels, threads }: Readable, conversation: Conversation, locale: Locale): Section[] {
  const say = texts(locale)
  const here = channels.find(({ id }) => id === channelOf(conversation))
  // A direct conversation is not shown as a channel.
  const named = channels.filter(({ visibility }) => visibility !== 'direct')

  return [
    ...(workspace?.history ? [ofWorkspace(say('workspaceHistory'), workspace.history, workspace)] : []),
    ...(workspace?.recent ? [ofWorkspace(say('workspaceRecent'), workspace.recent, workspace)] : []),
    ...(named.some(one => one !== here) ? [whereabouts()] : []),
    ...named.flatMap((one, place) => ofChannel(one, place)),
    ...threads.flatMap((one, place) => ofThread(one, threads.length - place)),
    ...(here?.recent ? [situation(here)] : []),
  ]

  function ofWorkspace(title: string, text: string, { sources }: Shown): Section {
    return { place: 'workspace', title, text: safeText(text), weight: WEIGHTS.workspace, sources }
  }

  function whereabouts(): Section {
    const list = named.map(({ name }) => `- #${safeName(name)}`).join('\n')
    const where = conversation.visibility === 'direct' ? say('direct') : say('here', { name: safeName(conversation.name) })
    return {
      place: 'whereabouts',
      title: say('channels'),
      text: [say('among'), list, where].join('\n\n'),
      weight: WEIGHTS.whereabouts,
    }
  }

  function ofChannel(one: Shown, place: number): Section[] {
    const weight = one === here ? WEIGHTS.here : fading(WEIGHTS.elsewhere, place)
    // The recent events of this channel stand in its situation.
    const text = titled(one === here ? { ...one, recent: '' } : one)
    return text === '' ? [] : [{ place: 'channel', title: `#${safeName(one.name)}`, text, weight, sources: one.sources }]
  }

  function ofThread(one: Readable['threads'][number], place: number): Section[] {
    const { thread, history, recent, sources } = one
    const text = history && recent ? titled(one) : safeText(history || recent)
    if (text === '') return []
    const title = say('thread', { name: safeLine(thread) })
    return [{ place: 'thread', title, text, weight: fading(WEIGHTS.thread, place), sources }]
  }

  function titled({ history, recent }: MemoryRow): string {
    return [
      ...(history ? [`#### ${say('history')}`, safeText(history)] : []),
      ...(recent ? [`#### ${say('recent')}`, safeText(recent)] : []),
    ].join('\n\n')
  }

  function situation({ topics, mood, active_users, recent, sources }: Shown): Section {
    const names = (given: readonly string[]) => given.map(safeName).filter(Boolean).join(say('and'))
    const lines = [
      ['topics', names(topics)],
      ['mood', oneLine(mood, MOOD)],
      ['people', names(active_users.map(({ name }) => name))],
      ['flow', oneLine(recent)],
    ] as const
    const text = lines.flatMap(([key, text]) => (text === '' ? [] : say(key, { text }))).join('\n')
    return { place: 'situation', title: say('situation'), text, weight: WEIGHTS.situation, sources }
  }
}

/** Lowers the weight of equal sections with each position. */
function fading(weight: number, place: number): number {
  return weight - place / 1_000
}

function oneLine(text: string, length = Number.POSITIVE_INFINITY): string {
  const letters = [...safeText(text).replace(/\s+/g, ' ').trim()]
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : letters.join('')
}
