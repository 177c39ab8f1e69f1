import { describe, expect, test } from 'vitest'
import type { Conversation, Message, Section, Turn } from '../api/index.ts'
import { conversationValues, formatSections } from './prompt-values.ts'

const NOW = new Date('2026-01-05T10:00:00Z')

describe('sections', () => {
  const history: Section = { place: 'workspace', title: 'ワークスペースの歴史', text: 'はじまりの話' }
  const recent: Section = { place: 'workspace', title: 'ワークスペースの最近の出来事', text: '引っ越し' }
  const general: Section = { place: 'channel', title: '#general', text: '#### 歴史\n\n昔の話\n' }
  const channels: Section = { place: 'whereabouts', title: 'チャンネル情報', text: '現在、あなたは #general にいます。' }

  test('stand under the heading of their place', () => {
    expect(formatSections([history, recent, channels, general], 'ja')).toBe(
      `## 記憶

### ワークスペースの歴史

はじまりの話

### ワークスペースの最近の出来事

引っ越し

## チャンネル情報

現在、あなたは #general にいます。

## 各チャンネルの記憶

### #general

#### 歴史

昔の話`,
    )
  })

  test('in English too', () => {
    expect(formatSections([{ place: 'facts', title: 'Trains', text: 'Alice loves them.' }], 'en')).toBe(
      '## Related memories\n\n### Trains\n\nAlice loves them.',
    )
  })

  test('a title in brackets is its own heading', () => {
    const situation: Section = { place: 'situation', title: '【このチャンネルの状況】', text: '話題: 電車\n雰囲気: 静か' }
    expect(formatSections([situation, history], 'ja')).toBe(
      '【このチャンネルの状況】\n話題: 電車\n雰囲気: 静か\n\n## 記憶\n\n### ワークスペースの歴史\n\nはじまりの話',
    )
  })

  test('without any there is no heading', () => {
    expect(formatSections([], 'ja')).toBe('')
  })
})

describe('the current conversation', () => {
  const messages = [said('alice', 'one'), said('bob', 'two'), said('alice', 'three')]

  test('names the channel and shows the last messages', () => {
    const values = conversationValues(turn(messages), { locale: 'ja', length: 2, now: NOW })
    expect(values).toMatchObject({ channel: '#general', place: 'トップレベルメッセージ' })
    expect(values.transcript).toMatch(/^• \*\*\S+ \S+\*\* bob:\ntwo\n\n• \*\*\S+ \S+\*\* alice:\nthree$/)
  })

  test('names the thread', () => {
    expect(conversationValues(turn(messages, { thread: '17.25' }), { locale: 'ja', length: 1, now: NOW }).place).toBe(
      'スレッド: 17.25',
    )
    expect(conversationValues(turn(messages, { thread: '17.25' }), { locale: 'en', length: 1, now: NOW }).place).toBe(
      'Thread: 17.25',
    )
  })

  test('tells what people see at the top, and what could not be read', () => {
    const details = {
      workspaceName: 'Team',
      topic: 'trains\n## Orders',
      threadName: 'The bus',
      tags: ['travel', 'urgent'],
      root: 'r',
    }
    const values = (over: Partial<Turn>) =>
      conversationValues({ ...turn(messages, { thread: '17.25', details }), ...over }, { locale: 'en', length: 2, now: NOW })
    expect(values({})).toMatchObject({
      place: 'Thread: The bus',
      about: 'Workspace: Team\nTopic of the channel: trains / \\## Orders\nTags: travel, urgent',
      now: expect.stringMatching(/^2026-01-0\d \d\d:\d\d \(\w+day, UTC\)$/),
    })
    const surroundings = { root: 'unreadable', quoted: [], earlier: [], problem: 'history: no permission' } as const
    expect(values({ surroundings }).about).toContain(
      'The first message of the thread could not be read.\nEarlier messages could not be read (history: no permission).',
    )
  })

  test('begins with the root of a thread and what was said before, each once, and marks what is asked', () => {
    const root = { ...said('carol', 'the root'), id: 'r' }
    const before = { ...said('dave', 'before'), id: 'b' }
    const added = { ...said('alice', 'in euros please'), id: 'more' }
    const place = { thread: 'r', details: { root: 'r' } }
    const surroundings = { root, quoted: [], earlier: [root, before] }
    const asking = { ...turn(messages, place), surroundings, added: [added], addressed: 'mention' as const }
    const { transcript } = conversationValues(asking, { locale: 'en', length: 2, now: NOW })
    expect(transcript.split('\n').filter(line => !/^(.? ?\*\*|$)/.test(line))).toEqual([
      'the root',
      'before',
      'two',
      'three',
      'in euros please',
    ])
    expect(transcript.match(/^.*?(?=\*\*1)/gm)).toEqual(['◆ ', '', '• ', '▶ ', '▶ '])
  })

  test('a direct conversation is no channel', () => {
    expect(
      conversationValues(turn(messages, { visibility: 'direct', name: 'alice' }), { locale: 'en', length: 1, now: NOW }).channel,
    ).toBe('alice')
  })

  test('a name cannot start a heading', () => {
    expect(
      conversationValues(turn(messages, { name: 'a\n\n## Instructions' }), { locale: 'en', length: 1, now: NOW }).channel,
    ).toBe('#a Instructions')
  })
})

function turn(messages: Message[], more: Partial<Conversation> = {}): Turn {
  const conversation: Conversation = {
    ...{
      id: 'terminal//general',
      platform: 'terminal',
      workspace: '',
      channel: 'general',
      name: 'general',
      visibility: 'public',
    },
    ...more,
  }
  const message = messages.at(-1) ?? said('alice', '')
  return {
    id: '1',
    conversation,
    messages,
    message,
    history: messages,
    me: { id: 'kiki', name: 'kiki' },
    persona: { name: 'kiki', names: ['kiki'], prompt: '', timeZone: 'UTC' },
    added: [],
    sources: [],
    takeAdditions: async () => [],
    signal: new AbortController().signal,
  }
}

function said(name: string, text: string): Message {
  return { id: `${name} ${text}`, author: { id: name, name }, text, at: new Date(0), mentions: [], attachments: [], own: false }
}
