import { expect, test } from 'vitest'
import { z } from 'zod'
import { chatCommand, definePlugin } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

const dice = definePlugin({
  name: 'dice',
  setup: () => ({
    commands: [
      chatCommand({
        name: 'roll',
        prefix: '!',
        does: { en: 'rolls a die' },
        usage: '[sides]',
        permission: 'everyone',
        args: z.tuple([z.coerce.number().int().min(2).default(6)]),
        run: ({ args: [sides], person }) => `${person.name}: a die with ${sides} sides`,
      }),
      { name: 'broken', prefix: '!', does: { en: 'fails' }, permission: 'everyone', run: () => Promise.reject(new Error('no')) },
    ],
  }),
})()

test('each message that calls a command gets its own answer', async () => {
  await using bot = await testBot({ plugins: [dice] })
  const said = ['!roll 6', '!roll', '!ROLL 20']
  await Promise.all(said.map((text, index) => bot.say(`p${index}`, text)))
  expect(bot.sent).toEqual(['p0: a die with 6 sides', 'p1: a die with 6 sides', 'p2: a die with 20 sides'])
  expect(bot.posted).toMatchObject([{ replyTo: 'm1' }, { replyTo: 'm2' }, { replyTo: 'm3' }])
  expect(await bot.trace()).toMatchObject({ addressed: 'command', decision: { why: 'the command !roll' } })
})

test('words that do not fit are answered with the usage, a failure with a sentence', async () => {
  await using bot = await testBot({ plugins: [dice], locale: 'ja' })
  await bot.say('alice', '!roll everything')
  await bot.say('alice', '!broken')
  expect(bot.sent).toEqual(['使い方: !roll [sides]', expect.stringContaining('うまくいきませんでした')])
})

test('other words that begin so are no call', async () => {
  await using bot = await testBot({ plugins: [dice] })
  for (const text of ['!rollover', 'roll 6', 'say !roll 6', '! roll', '！roll']) await bot.say('alice', text)
  await bot.pass('1m')
  expect(bot.sent).toEqual([])
})

test('help lists it as people write it, and the slash command runs it too', async () => {
  await using bot = await testBot({ plugins: [dice] })
  expect(await bot.command('alice', 'help')).toContain('!roll [sides]')
  expect(await bot.command('alice', 'roll 8')).toBe('alice: a die with 8 sides')
})

test.each([
  [{ prefix: '/' }, /prefix "\/": use one to three signs/],
  [{ prefix: 'kiki' }, /prefix "kiki"/],
  [{ prefix: '!', permission: 'admin' as const }, /A message does not tell the rights/],
])('a command that cannot work in messages is refused: %j', async (wrong, told) => {
  const command = { name: 'x', does: { en: 'x' }, permission: 'everyone' as const, run: () => 'x', ...wrong }
  const plugin = definePlugin({ name: 'wrong', setup: () => ({ commands: [command] }) })
  await expect(testBot({ plugins: [plugin()] })).rejects.toThrow(told)
})
