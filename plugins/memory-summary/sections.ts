/** The memories as a prompt shows them, wide to narrow. */
import { type Conversation, channelOf, type Locale, type Section, safeName, safeText } from 'kikimimi'
import type { MemoryRow } from './storage/memories.ts'
import type { Readable } from './storage/readable.ts'

const WORDS = {
  ja: {
    workspaceHistory: 'ワークスペースの歴史',
    workspaceRecent: 'ワークスペースの最近の出来事',
    channels: 'チャンネル情報',
    among: 'あなたが参加しているチャンネルは以下です。',
    here: (name: string) => `現在、あなたは #${name} にいます。`,
    direct: '現在、あなたはダイレクトメッセージで話しています。',
    history: '歴史',
    recent: '最近の出来事',
    thread: 'スレッド: ',
    situation: '【このチャンネルの状況】',
    topics: '話題: ',
    mood: '雰囲気: ',
    people: '参加者: ',
    flow: '直近の流れ: ',
    and: '、',
  },
  en: {
    workspaceHistory: 'History of the workspace',
    workspaceRecent: 'Recent events in the workspace',
    channels: 'Channels',
    among: 'You are in these channels.',
    here: (name: string) => `Right now you are in #${name}.`,
    direct: 'Right now you are in a direct conversation.',
    history: 'History',
    recent: 'Recent events',
    thread: 'Thread: ',
    situation: '【What is going on in this channel】',
    topics: 'Topics: ',
    mood: 'Mood: ',
    people: 'People: ',
    flow: 'So far: ',
    and: ', ',
  },
} as const

/** Where there is no room for all, the first to go is what is far from here and long ago. Others' sections weigh 1. */
const WEIGHTS = { situation: 1.2, here: 1, whereabouts: 0.9, workspace: 0.8, thread: 0.7, elsewhere: 0.5 } as const

/** A few words. */
const MOOD = 80

/** What is empty is left out, heading and all. What a model has made of people's words is data still. */
export function sectionsOf({ workspace, channels, threads }: Readable, conversation: Conversation, locale: Locale): Section[] {
  const words = WORDS[locale]
  const here = channels.find(({ id }) => id === channelOf(conversation))
  // Nobody calls that a channel.
  const named = channels.filter(({ visibility }) => visibility !== 'direct')

  return [
    ...(workspace?.history ? [ofWorkspace(words.workspaceHistory, workspace.history)] : []),
    ...(workspace?.recent ? [ofWorkspace(words.workspaceRecent, workspace.recent)] : []),
    ...(named.some(one => one !== here) ? [whereabouts()] : []),
    ...named.flatMap((one, place) => ofChannel(one, place)),
    ...threads.flatMap((one, place) => ofThread(one, threads.length - place)),
    ...(here?.recent ? [situation(here)] : []),
  ]

  function ofWorkspace(title: string, text: string): Section {
    return { place: 'workspace', title, text: safeText(text), weight: WEIGHTS.workspace }
  }

  function whereabouts(): Section {
    const list = named.map(({ name }) => `- #${safeName(name)}`).join('\n')
    const where = conversation.visibility === 'direct' ? words.direct : words.here(safeName(conversation.name))
    return {
      place: 'whereabouts',
      title: words.channels,
      text: [words.among, list, where].join('\n\n'),
      weight: WEIGHTS.whereabouts,
    }
  }

  function ofChannel(one: MemoryRow, place: number): Section[] {
    const weight = one === here ? WEIGHTS.here : fading(WEIGHTS.elsewhere, place)
    const text = titled(one)
    return text === '' ? [] : [{ place: 'channel', title: `#${safeName(one.name)}`, text, weight }]
  }

  function ofThread(one: Readable['threads'][number], place: number): Section[] {
    const { thread, history, recent } = one
    const text = history && recent ? titled(one) : safeText(history || recent)
    if (text === '') return []
    return [{ place: 'thread', title: `${words.thread}${safeName(thread)}`, text, weight: fading(WEIGHTS.thread, place) }]
  }

  function titled({ history, recent }: MemoryRow): string {
    return [
      ...(history ? [`#### ${words.history}`, safeText(history)] : []),
      ...(recent ? [`#### ${words.recent}`, safeText(recent)] : []),
    ].join('\n\n')
  }

  function situation({ topics, mood, active_users, recent }: MemoryRow): Section {
    const names = (given: readonly string[]) => given.map(safeName).filter(Boolean).join(words.and)
    const lines = [
      [words.topics, names(topics)],
      [words.mood, oneLine(mood, MOOD)],
      [words.people, names(active_users.map(({ name }) => name))],
      [words.flow, oneLine(recent)],
    ] as const
    const text = lines.flatMap(([label, value]) => (value === '' ? [] : `${label}${value}`)).join('\n')
    return { place: 'situation', title: words.situation, text, weight: WEIGHTS.situation }
  }
}

/** Of several alike, those further back weigh a little less. */
function fading(weight: number, place: number): number {
  return weight - place / 1_000
}

function oneLine(text: string, length = Number.POSITIVE_INFINITY): string {
  const letters = [...safeText(text).replace(/\s+/g, ' ').trim()]
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : letters.join('')
}
