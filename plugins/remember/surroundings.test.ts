/** Messages that the bot reads from the platform for one answer are subject to opt-outs too. */
import type { IncomingMessage } from 'kikimimi'
import { expect, test } from 'vitest'
import { remembering } from './test-bot.ts'

const past = (author: string, id: string): IncomingMessage => ({
  id,
  conversation: { platform: 'test', workspace: 'team', channel: 'other', name: 'other', visibility: 'public' },
  author: { id: author, name: author },
  text: `said by ${author}`,
  at: new Date('2026-01-05T09:00:00Z'),
})

test('what somebody said before the opt-out, and before the bot came, is not read', async () => {
  await using m = await remembering({ platform: { past: [past('alice', 'a'), past('bob', 'b'), past('alice', 'c')] } })
  await m.bot.say('alice', "@kiki don't listen to me")
  await m.bot.say('carol', '@kiki what did I miss?', { channel: 'other', replyTo: { id: 'c' } })
  expect((await m.bot.trace()).surroundings).toMatchObject({ earlier: 1, quoted: 0 })
  await m.bot.say('alice', '@kiki you can listen to me again')
  await m.bot.say('carol', '@kiki what did I miss?', { channel: 'other', replyTo: { id: 'c' } })
  expect((await m.bot.trace()).surroundings).toMatchObject({ earlier: 2, quoted: 1 })
})

test('what somebody asked not to remember is not read from the history of the platform', async () => {
  const secret = { ...past('alice', 'c'), text: 'off the record: my pin is 4821' }
  await using m = await remembering({ platform: { past: [past('alice', 'a'), past('bob', 'b'), secret] } })
  await m.bot.say('carol', '@kiki what did I miss?', { channel: 'other', replyTo: { id: 'c' } })
  expect((await m.bot.trace()).surroundings).toMatchObject({ earlier: 2, quoted: 0 })
  await m.bot.say('alice', 'my cat is called Momo', { channel: 'other' })
  expect(await m.logged()).toContain('my cat is called Momo')
})
