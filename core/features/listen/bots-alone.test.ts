/** Bots alone in a channel, on a network that does not say who is a bot. */
import { seededRandom, type TestBot, testBot, testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { definePlugin } from '../../api/index.ts'

const { rounds, seed } = testRounds({ few: 20, all: 1_000 })
const NAMES = ['hal', 'robo', 'max'] as const
/** More messages than that are no talk that ends. */
const MOST = 100

/** Bots that answer each other's names: each answer names another bot and comes after a while. */
async function talk(count: number, random: () => number, slowest: number): Promise<number> {
  const names = NAMES.slice(0, count)
  const anotherThan = (name: string) => {
    const others = names.filter(one => one !== name)
    return others[Math.floor(random() * others.length)] ?? ''
  }
  const answers = (name: string) =>
    definePlugin({
      name: 'answers',
      setup: () => ({
        respond: () => ({
          kind: 'text',
          text: `${anotherThan(name)}, ${'that is what I think too. '.repeat(1 + random() * 12)}`,
        }),
      }),
    })()
  await using scope = new AsyncDisposableStack()
  const bots = new Map<string, TestBot>()
  for (const name of names) bots.set(name, scope.use(await testBot({ plugins: [answers(name)] })))
  const waiting = [{ at: 0, from: 'alice', text: 'hal, what do you think, and what do the others say?' }]
  let said = 0
  for (let now = 0; waiting.length > 0 && said < MOST; ) {
    waiting.sort((one, other) => one.at - other.at)
    const { at, from, text } = waiting.shift() ?? { at: 0, from: '', text: '' }
    said++
    for (const [name, bot] of bots) {
      if (at > now) await bot.pass(`${at - now}ms`)
      if (name === from) continue
      const before = bot.sent.length
      await bot.say(from, text, { mentions: text.startsWith(name) ? [bot.platform.me] : [] })
      for (const answer of bot.sent.slice(before))
        waiting.push({ at: at + 200 + Math.floor(random() * slowest), from: name, text: answer })
    }
    now = Math.max(now, at)
  }
  return said
}

test.each([2, 3])('%d bots that name each other stop', async count => {
  for (let round = 0; round < rounds; round++) {
    const random = seededRandom(seed * 10_000 + round)
    const said = await talk(count, random, 1_000 + random() * 6_000)
    expect(said, `round ${round}`).toBeLessThan(MOST)
  }
})
