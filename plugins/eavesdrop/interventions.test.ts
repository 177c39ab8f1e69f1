import { definePlugin } from 'kikimimi'
import { expect, test } from 'vitest'
import { type InterventionLog, Interventions } from './index.ts'
import { ADVICE, listening, mind, talk } from './test-listener.ts'

/** Represents the dashboard. */
function reader() {
  const read: { log?: InterventionLog } = {}
  const plugin = definePlugin({
    name: 'reader',
    needs: [Interventions],
    setup: ctx => {
      read.log = ctx.use(Interventions)
    },
  })
  return { read, plugin }
}

test('other plugins can read interventions and their effects', async () => {
  const { read, plugin } = reader()
  const judge = mind({ verdict: 'YES', state: 'MISUNDERSTANDING' })
  await using bot = await listening(judge, {}, { storage: 'pglite', plugins: [plugin] })
  await talk(bot, ADVICE)
  const [posted] = bot.posted
  if (posted?.kind !== 'text') throw new Error('it has said something')
  const said = { conversation: 'test/team/general', state: 'MISUNDERSTANDING', sent: [posted.id] }
  const [before] = (await read.log?.latest(10)) ?? []
  expect(before).toMatchObject(said)
  expect(before).not.toHaveProperty('effect')
  expect(before?.turn).toBe((await bot.trace()).turn)

  await bot.say('alice', 'that was it, thanks')
  await bot.say('bob', 'good to know', { replyTo: { id: posted.id, author: 'someone' } })
  await bot.say('carol', 'and there is soup')
  await bot.react('alice', posted.id, '👍')
  await bot.react('alice', posted.id, '🎉')
  await bot.react('carol', posted.id, '👍')
  await bot.restart()
  await bot.pass('11m')

  const [after] = (await read.log?.latest(10, 'test/team/general')) ?? []
  expect(after).toMatchObject({ ...said, effect: { messages: 2, people: 2, replies: 1, reactions: 2 } })
  expect(await read.log?.latest(10, 'test/team/dev')).toEqual([])
  expect(await read.log?.totals(new Date(0))).toEqual({ interventions: 1, wentOn: 1, repliedTo: 1, reactedTo: 1 })
  expect(await read.log?.totals(new Date(bot.clock.now()))).toMatchObject({ interventions: 0 })
})

test('silence is an effect too', async () => {
  const { read, plugin } = reader()
  await using bot = await listening(mind({ verdict: 'YES' }), {}, { plugins: [plugin] })
  await talk(bot, ADVICE)
  await bot.pass('11m')
  expect(await read.log?.totals(new Date(0))).toEqual({ interventions: 1, wentOn: 0, repliedTo: 0, reactedTo: 0 })
})
