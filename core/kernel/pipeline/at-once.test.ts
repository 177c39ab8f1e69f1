import { expect, it } from 'vitest'
import { definePlugin, type Turn } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

it('the signal of a handler that is late aborts, and that of handlers that have answered does not', async () => {
  const signals: Record<string, AbortSignal> = {}
  const scorer = (name: string, answer: (turn: Turn) => Promise<undefined> | undefined) =>
    definePlugin({
      name,
      setup: () => ({
        score(turn) {
          signals[name] = turn.signal
          return answer(turn)
        },
      }),
    })
  const waits = scorer('waits', ({ message }) => (message.text === 'wait' ? new Promise(() => {}) : Promise.resolve(undefined)))
  await using bot = await testBot({ plugins: [scorer('one', () => undefined), waits, scorer('other', () => undefined)] })
  await bot.say('alice', 'hello')
  await bot.pass('30s')
  await bot.say('alice', 'wait')
  await bot.pass('30s')
  expect((await bot.trace()).problems).toMatchObject([{ plugin: 'waits', message: 'no answer within 5000 ms' }])
  expect([signals.one?.aborted, signals.other?.aborted]).toEqual([false, false])
  expect(signals.waits?.aborted).toBe(true)
})
