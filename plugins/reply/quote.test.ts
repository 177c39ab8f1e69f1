import type { Message } from 'kikimimi'
import { expect, test } from 'vitest'
import { quotes } from './quote.ts'

const trigger = said('alice', 'kiki?')
const own = { ...said('kiki', 'yes'), own: true }

test.each<[string, Message[], boolean]>([
  ['is not needed when nobody spoke since', [said('bob', 'before'), trigger], false],
  ['is not needed when the same person went on', [trigger, said('alice', 'are you there?')], false],
  ['is not needed for what the bot itself said', [trigger, own], false],
  ['is needed when somebody else spoke since', [trigger, said('bob', 'after')], true],
  ['is needed when the talk has gone far beyond', [said('bob', 'after')], true],
  ['is not needed four messages later', [trigger, own, own, said('alice', 'hm'), own], false],
  ['is needed when the question has scrolled away', [trigger, own, own, said('alice', 'hm'), own, own], true],
])('a quote %s', (_name, history, needed) => {
  expect(quotes(trigger, history)).toBe(needed)
})

function said(name: string, text: string): Message {
  return { id: `${name} ${text}`, author: { id: name, name }, text, at: new Date(0), mentions: [], attachments: [], own: false }
}
