import { expect, test } from 'vitest'
import { remembering } from './test-bot.ts'

const ORDERS = { access: { orders: ['person:ada'] } } as const

test('an order of a person who may not give it is not carried out, and gets an emoji', async () => {
  await using m = await remembering(ORDERS)
  await m.bot.say('bob', '@kiki remember that the key is under the pot')
  expect(m.bot.posted).toMatchObject([{ kind: 'reaction', emoji: '🚫' }])
  expect((await m.bot.trace()).decision).toMatchObject({ plugin: 'remember', why: 'access.orders: only one person, #general' })
  expect(await m.bot.command('bob', 'remember that the key is under the pot')).toMatch(/^You may not give me this order/)
  expect(await m.facts()).toEqual([])
  await m.bot.say('ada', '@kiki remember that the key is under the pot')
  expect(await m.facts()).toMatchObject([{ content: 'the key is under the pot' }])
  await m.bot.say('bob', '@kiki forget about the key')
  expect(await m.facts()).toHaveLength(1)
})

test('everybody may ask what is known about them, and be forgotten', async () => {
  await using m = await remembering({ access: { call: 'nobody', orders: 'nobody' } })
  expect(await m.bot.command('bob', 'what-do-you-know-about-me')).toMatch(/know/)
  expect(await m.bot.command('bob', 'opt-out')).not.toMatch(/^You may not/)
  expect(await m.bot.command('bob', 'opt-in')).not.toMatch(/^You may not/)
  expect(await m.bot.command('bob', 'forget-me')).not.toMatch(/^You may not/)
})
