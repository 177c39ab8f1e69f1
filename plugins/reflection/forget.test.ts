import profiles, { type ProfileStore, Profiles } from '@kikimimi/profiles'
import { definePlugin, Erasure, type PersonKey, type PluginEntry } from 'kikimimi'
import { promptOf } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { answer, found, place, reflecting, taker } from './test-bot.ts'

const soon = { lull: '1m', minMessages: 2 } as const

/** A bot with profiles that can erase people. */
async function knowing(
  thinker: Parameters<typeof reflecting>[0],
  options: Parameters<typeof reflecting>[1] = soon,
  also: PluginEntry[] = [],
) {
  let lent: ProfileStore | undefined
  let forget: ((person: PersonKey) => Promise<void>) | undefined
  const borrower = definePlugin({
    name: 'knows-people',
    needs: [Profiles],
    setup: ctx => {
      lent = ctx.use(Profiles)
      forget = async person => ctx.use(Erasure, 'optional')?.forget(person)
    },
  })
  // Shortly before midnight.
  const r = await reflecting(thinker, options, { also: [profiles(), borrower, also], at: new Date('2026-01-05T23:50:00Z') })
  return {
    r,
    profile: (id: string, where = place()) => lent?.get({ platform: 'test', id }, where),
    async forget(id: string) {
      await forget?.({ platform: 'test', id })
      await r.bot.pass('1s')
    },
    [Symbol.asyncDispose]: () => r[Symbol.asyncDispose](),
  }
}

const note = (name: string, more: object = {}) => ({ name, tags: [], personality: '', lastConversation: '', ...more })

test('notes on people are stored, for the readers of the place', async () => {
  await using k = await knowing(() =>
    answer(
      [],
      [
        note('alice', { tags: ['cats', '#tea', 'diabetes'], personality: 'Patient.', lastConversation: 'How to brew tea.' }),
        note('bob', { personality: 'He is in debt.' }),
        note('mallory', { tags: ['made up'] }),
      ],
    ),
  )
  await k.r.talk(2, { channel: 'hidden', visibility: 'private' })
  await k.r.talk(2, { channel: 'hidden', visibility: 'private', thread: 't1' })
  await k.r.bot.pass('3m')
  expect(k.r.model.asked[0]?.system).toContain('- profiles:')
  const here = place({ channel: 'hidden', visibility: 'private' })
  expect(await k.profile('alice', here)).toMatchObject({
    tags: ['cats', 'tea'],
    personality: 'Patient.',
    lastConversation: 'How to brew tea.',
    sources: [
      { conversation: here.id, first: 1, last: 2 },
      { conversation: `${here.id}/t1`, first: 3, last: 4 },
    ],
  })
  expect(await k.profile('bob', here)).not.toHaveProperty('personality')
  expect(await k.profile('mallory', here)).toBeUndefined()
  expect(await k.profile('alice')).toBeUndefined()
})

test('not if the option is off', async () => {
  await using off = await knowing(taker, { ...soon, profiles: false })
  await off.r.talk(2)
  await off.r.bot.pass('3m')
  expect(off.r.model.asked[0]?.system).not.toContain('profiles')
})

test('not without a plugin that stores them', async () => {
  await using alone = await reflecting(taker, soon)
  await alone.talk(2)
  await alone.bot.pass('3m')
  expect(alone.model.asked[0]?.system).not.toContain('profiles')
  expect(await alone.contents()).toHaveLength(2)
})

test('earlier messages of an erased person are not read any more, later ones are', async () => {
  await using k = await knowing(taker)
  const { r } = k
  await r.talk(4)
  await k.forget('alice')
  await r.bot.pass('3m')
  expect(await r.contents()).toEqual(['I note 2', 'I note 4'])
  await r.talk(2)
  await r.bot.pass('3m')
  expect(await r.contents()).toEqual(['I note 2', 'I note 4', 'I note 5', 'I note 6'])
  expect(r.model.asked.some(request => /^I note [13]$/m.test(promptOf(request)))).toBe(false)
})

test('a result that is made from their messages during the erasure is discarded', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await using k = await knowing(async shown => {
    if (shown.count === 1) await promise
    const facts = shown.lines.map(({ text, id = '' }) => found(text, { message: id }))
    return answer(facts, [note('alice', { tags: ['notes'] })])
  })
  const { r } = k
  await r.talk(4)
  await r.bot.pass('90s')
  expect(r.model.asked).toHaveLength(1)
  await k.forget('alice')
  resolve()
  await r.bot.pass('3m')
  expect(await r.contents()).toEqual(['I note 2', 'I note 4'])
  expect(await k.profile('alice')).toBeUndefined()
})

test('messages of others are not read before the erasure has ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = definePlugin({ name: 'slow', setup: () => ({ forget: () => promise }) })
  await using k = await knowing(taker, soon, [slow])
  const { r } = k
  await r.bot.say('alice', 'good morning')
  await r.bot.say('bob', 'alice has to note it')
  await r.bot.say('bob', 'I note 1')
  await k.forget('alice')
  await r.bot.pass('5m')
  expect(r.model.asked).toEqual([])
  resolve()
  await r.bot.pass('5m')
  expect(await r.contents()).toEqual(['alice has to note it', 'I note 1'])
})

test('messages after the request stay, even if a plugin fails to erase several times', async () => {
  const failing = definePlugin({
    name: 'failing',
    setup: () => ({
      forget() {
        throw new Error('the disk is full')
      },
    }),
  })
  await using k = await knowing(taker, soon, [failing])
  const { r } = k
  await r.talk(2)
  await k.forget('alice')
  await r.talk(2)
  await r.bot.pass('10m')
  expect(await r.contents()).toEqual(['I note 2', 'I note 3', 'I note 4'])
})
