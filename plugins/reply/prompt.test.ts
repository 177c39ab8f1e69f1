import type { Message, Turn } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { asked } from './prompt.ts'
import { quotes } from './quote.ts'

describe('the request to the model', () => {
  test('one message is passed on unchanged', () => {
    expect(asked(turn([said('alice', ' hello ')]), 'en')).toBe('hello')
  })

  test('several messages of one person are joined', () => {
    expect(asked(turn([said('alice', 'one'), said('alice', ''), said('alice', 'two')]), 'en')).toBe('one\ntwo')
  })

  test('messages of several people have their names', () => {
    expect(asked(turn([said('alice', 'one'), said('bob', 'two')]), 'en')).toMatch(/alice:\none\n\n.* bob:\ntwo$/)
  })

  test('a message without text still has its author', () => {
    expect(asked(turn([said('alice', '')]), 'en')).toMatch(/alice:$/)
  })
})

describe('a quote', () => {
  const trigger = said('alice', 'kiki?')

  test.each<[string, Message[], boolean]>([
    ['is not needed when nobody spoke since', [said('bob', 'before'), trigger], false],
    ['is not needed when the same person went on', [trigger, said('alice', 'are you there?')], false],
    ['is not needed for what the bot itself said', [trigger, { ...said('kiki', 'yes'), own: true }], false],
    ['is needed when somebody else spoke since', [trigger, said('bob', 'after')], true],
    ['is needed when the talk has gone far beyond', [said('bob', 'after')], true],
  ])('%s', (_name, history, needed) => {
    expect(quotes(trigger, history)).toBe(needed)
  })
})

function turn(messages: Message[]): Turn {
  const message = messages.at(-1) ?? said('alice', '')
  return {
    id: '1',
    conversation: {
      id: 'terminal//general',
      platform: 'terminal',
      workspace: '',
      channel: 'general',
      name: 'general',
      visibility: 'public',
    },
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
