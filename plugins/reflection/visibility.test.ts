import profiles from '@kikimimi/profiles'
import reply from '@kikimimi/reply'
import { conversationId } from 'kikimimi'
import type { Said } from 'kikimimi/testing'
import { promptOf } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { answer, place, reflecting, taker } from './test-bot.ts'

const soon = { lull: '1m', minMessages: 2 } as const

const PLACES: Readonly<Record<string, Pick<Said, 'channel' | 'thread' | 'visibility'>>> = {
  'a public channel': { channel: 'general' },
  'its thread': { channel: 'general', thread: 't1' },
  'a private thread of it': { channel: 'general', thread: 't2', visibility: 'private' },
  'a private channel': { channel: 'hidden', visibility: 'private' },
  'its own thread': { channel: 'hidden', thread: 't3', visibility: 'private' },
  'a direct message': { channel: 'd1', visibility: 'direct' },
}

/** Conversations that are processed together. */
const TOGETHER = [
  ['a public channel', 'its thread'],
  ['a private thread of it'],
  ['a private channel', 'its own thread'],
  ['a direct message'],
]

test('messages with different audiences are not processed together', async () => {
  await using r = await reflecting(taker, soon)
  for (const [name, where] of Object.entries(PLACES)) {
    for (const person of ['alice', 'bob']) await r.bot.say(person, `${person} takes note of ${name}.`, where)
  }
  await r.bot.pass('3m')
  const batches = r.model.asked.map(request =>
    [...new Set([...promptOf(request).matchAll(/^\w+ takes note of (.*)\.$/gm)].map(([, name = '']) => name))].sort(),
  )
  expect(batches.toSorted()).toEqual(TOGETHER.map(names => names.toSorted()).toSorted())

  for (const [name, where] of Object.entries(PLACES)) {
    const seen = [...new Set((await r.contents(where)).map(content => /of (.*)\.$/.exec(content)?.[1] ?? ''))]
    const own = TOGETHER.find(names => names.includes(name)) ?? []
    const open = TOGETHER[0] ?? []
    // A private thread of a public channel belongs to the readers of that channel too.
    expect([name, seen.toSorted()]).toEqual([name, [...new Set([...open, ...own])].toSorted()])
  }
})

test('a fact is stored for the place of its message', async () => {
  await using r = await reflecting(taker, soon)
  await r.talk(1)
  await r.talk(1, { thread: 't1' })
  await r.talk(2, { channel: 'hidden', visibility: 'private', thread: 't9' })
  await r.bot.pass('3m')
  expect((await r.facts()).map(({ visibility, channel }) => [visibility, channel])).toEqual([
    ['public', conversationId(place())],
    ['public', conversationId(place())],
  ])
  const hidden = await r.facts({ channel: 'hidden', visibility: 'private', thread: 't9' })
  expect(hidden.map(({ visibility }) => visibility).sort()).toEqual(['private', 'private', 'public', 'public'])
})

test('unread messages of a place that becomes public stay unread', async () => {
  await using r = await reflecting(taker, { lull: '2m', minMessages: 2 })
  await r.talk(2, { channel: 'hidden', visibility: 'private' }, at => `hidden note ${at}`)
  await r.bot.pass('61s')
  await r.talk(1, { channel: 'hidden' }, at => `a note on opening ${at}`)
  await r.bot.pass('61s')
  await r.talk(3, { channel: 'hidden' }, at => `open note ${at}`)
  await r.bot.pass('5m')
  expect(r.model.asked.some(request => promptOf(request).includes('hidden note'))).toBe(false)
  expect((await r.contents({ channel: 'hidden' })).filter(text => /^open/.test(text))).toHaveLength(3)
})

test('unread messages of a place that becomes private are stored for its readers', async () => {
  await using r = await reflecting(taker, { lull: '2m', minMessages: 2 })
  await r.talk(2, { channel: 'lounge' })
  await r.bot.pass('61s')
  await r.talk(1, { channel: 'lounge', visibility: 'private' })
  await r.bot.pass('5m')
  expect(await r.contents({ channel: 'lounge', visibility: 'private' })).toHaveLength(3)
  expect(await r.contents()).toEqual([])
})

test('the prompt of a public place shows no private fact', async () => {
  await using r = await reflecting(taker, soon)
  await r.talk(2, { channel: 'hidden', visibility: 'private' }, at => `the merger note ${at}`)
  await r.bot.pass('3m')
  await r.talk(2, {}, at => `a merger note of all ${at}`)
  await r.bot.pass('3m')
  const [, open] = r.model.asked
  expect(promptOf(open)).not.toContain('the merger note')
  await r.talk(2, { channel: 'hidden', visibility: 'private' }, at => `another merger note ${at}`)
  await r.bot.pass('3m')
  expect(promptOf(r.model.asked[2])).toMatch(/^- \[k\d\] .*the merger note/m)
  expect(promptOf(r.model.asked[2])).toMatch(/^- \[k\d\] .*a merger note of all/m)
})

test('a note from a private thread stays there when outsiders read its channel', async () => {
  const knows: typeof taker = ({ lines }) =>
    answer([], [{ name: lines[0]?.name ?? '', tags: [], personality: 'keeps bees', lastConversation: '' }])
  await using r = await reflecting(knows, soon, { also: [profiles(), reply()] })
  const where = { channel: 'board', visibility: 'private' } as const
  const inner = { ...where, thread: 'inner', readers: { own: true, outsiders: true } }
  const open = { ...where, thread: 'open', readers: { own: false, outsiders: true } }
  await r.talk(1, { ...where, readers: { outsiders: true } })
  await r.talk(2, inner)
  await r.bot.pass('3m')
  const asked = async (place: Said) => {
    await r.bot.say('alice', '@kiki who am I?', place)
    return promptOf(r.chat.asked.at(-1))
  }
  expect(await asked(open)).not.toContain('keeps bees')
  expect(await asked(inner)).toContain('keeps bees')
})
