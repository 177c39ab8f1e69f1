import { describe, expect, it } from 'vitest'
import { definePlugin, type Stages } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

/** Longer than the longest deadline of a stage. */
const PAUSE = 150_000

const answer = definePlugin({ name: 'answer', setup: () => ({ respond: () => ({ kind: 'text', text: 'answer' }) }) })

type Stage = 'filter' | 'address' | 'score' | 'decide' | 'context' | 'respond'

/** The stages of a plugin that waits for an answer. */
const waiting: { readonly [S in Stage]: (wait: () => Promise<void>) => Stages } = {
  filter: wait => ({ filter: async () => void (await wait()) }),
  address: wait => ({ address: () => wait().then(() => 'name') }),
  score: wait => ({ score: () => wait().then(() => ({ points: 1, why: 'test' })) }),
  decide: wait => ({ decide: () => wait().then(() => ({ kind: 'full', why: 'test' })) }),
  context: wait => ({ context: () => wait().then(() => ({ place: 'facts', title: 'T', text: 'T' })) }),
  respond: wait => ({ respond: () => wait().then(() => ({ kind: 'text', text: 'answer' })) }),
}

/** A bot that is in a stage of a plugin, whose answer arrives with `arrive`. */
async function inStage(stage: Stage) {
  const begun = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const stages = waiting[stage](() => {
    begun.resolve()
    return answered.promise
  })
  const bot = await testBot({ plugins: [definePlugin({ name: 'slow', setup: () => stages })(), answer] })
  const said = bot.say('alice', stage === 'address' ? 'hello' : '@kiki hello')
  await begun.promise
  return Object.assign(bot, {
    async arrive() {
      answered.resolve()
      await said
    },
  })
}

describe('a plugin whose answer arrives while the process stands still', () => {
  it.each(Object.keys(waiting) as Stage[])('is not late in %s', async stage => {
    await using bot = await inStage(stage)
    bot.clock.stall(PAUSE)
    await bot.arrive()
    expect(bot.sent).toEqual(['answer'])
    expect((await bot.trace()).problems).toEqual([])
    expect(bot.log).toEqual([])
  })

  it('is not late after ten pauses', async () => {
    await using bot = await inStage('filter')
    for (let pause = 0; pause < 10; pause++) bot.clock.stall(PAUSE / 10)
    await bot.arrive()
    expect(bot.sent).toEqual(['answer'])
    expect(bot.log).toEqual([])
  })
})
