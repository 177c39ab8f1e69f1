import { definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'

/** What a plugin receives of a message. */
async function received(text: string): Promise<string | undefined> {
  let seen: string | undefined
  const reader = definePlugin({
    name: 'reader',
    setup: () => ({
      score: ({ message }) => {
        seen = message.text
        return undefined
      },
    }),
  })
  await using bot = await testBot({ plugins: [reader] })
  await bot.say('alice', text)
  await bot.pass('60s')
  return seen
}

const FAMILY = '👨‍👩‍👧‍👦'

test('a message of the length that platforms allow is read whole', async () => {
  expect(await received('x'.repeat(40_000))).toBe('x'.repeat(40_000))
})

test.each([
  ['letters', 'x', 39_998],
  ['characters of two units', '😀', 39_998],
  ['emoji of several characters', FAMILY, FAMILY.length * Math.floor(39_998 / FAMILY.length)],
  ['one letter with accents without end', '\u0301', 39_998],
])('a longer message of %s is cut between two of them, with a mark', async (_what, unit, length) => {
  const text = unit.repeat(Math.ceil(50_000 / unit.length))
  expect(await received(text)).toBe(`${text.slice(0, length)} …`)
})
