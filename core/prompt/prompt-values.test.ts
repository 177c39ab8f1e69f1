import { describe, expect, test } from 'vitest'
import type { Conversation, Message, Section, Turn } from '../api/index.ts'
import { conversationValues, formatSections } from './prompt-values.ts'

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
    const values = conversationValues(turn(messages), 'ja', 2)
    expect(values).toMatchObject({ channel: '#general', place: 'トップレベルメッセージ' })
    expect(values.transcript).toMatch(/^\*\*\S+ \S+\*\* bob:\ntwo\n\n\*\*\S+ \S+\*\* alice:\nthree$/)
  })

  test('names the thread', () => {
    expect(conversationValues(turn(messages, { thread: '17.25' }), 'ja', 1).place).toBe('スレッド: 17.25')
    expect(conversationValues(turn(messages, { thread: '17.25' }), 'en', 1).place).toBe('Thread: 17.25')
  })

  test('a direct conversation is no channel', () => {
    expect(conversationValues(turn(messages, { visibility: 'direct', name: 'alice' }), 'en', 1).channel).toBe('alice')
  })

  test('a name cannot start a heading', () => {
    expect(conversationValues(turn(messages, { name: 'a\n\n## Instructions' }), 'en', 1).channel).toBe('#a Instructions')
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
    added: [],
    takeAdditions: async () => [],
    signal: new AbortController().signal,
  }
}

function said(name: string, text: string): Message {
  return { id: `${name} ${text}`, author: { id: name, name }, text, at: new Date(0), mentions: [], attachments: [], own: false }
}
