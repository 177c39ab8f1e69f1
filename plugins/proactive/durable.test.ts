/** State after a restart, a crash and an erasure. */
import { expect, test } from 'vitest'
import { CAMPING, woken } from './test-bot.ts'

const { fact, opener } = CAMPING.en

test('a plan survives a restart', async () => {
  await using w = await woken({}, { storage: 'pglite' })
  await w.know(fact)
  await w.bot.pass('2d')
  await w.bot.say('alice', opener)
  await w.bot.pass('10s')
  expect((await w.bot.trace()).outcome).toBe('delayed')
  await w.bot.restart()
  await w.bot.pass('1m')
  expect(w.broughtUp).toEqual([fact])
})

test('a process that dies between storing and sending does not send later: silence is better than a repetition', async () => {
  await using w = await woken({}, { storage: 'pglite' })
  const id = await w.know(fact)
  await w.bot.pass('2d')
  await w.bot.say('alice', opener)
  await w.bot.pass('10s')
  // The state after the crash: the decision, the plan, and the mark of the turn.
  await w.bot.db.query(
    `insert into proactive.shared (channel, fact, conversation, turn, at) values ('test/team/general', $1, 'test/team/general', 'dead', $2)`,
    [id, new Date(w.bot.clock.now())],
  )
  await w.bot.restart()
  await w.bot.pass('1m')
  expect(w.bot.sent).toEqual([])
  expect(await w.bot.trace()).toMatchObject({ outcome: 'silent', why: 'the fact is not for this talk any more' })
})

test('after an error of the platform the remark is not sent again, because it may have been posted', async () => {
  await using w = await woken({ interval: 0 })
  await w.know(fact)
  await w.bot.pass('2d')
  await w.bot.say('alice', opener)
  w.bot.platform.faults.push(new Error('503'))
  await w.bot.pass('1m')
  expect((await w.bot.trace()).outcome).toBe('failed')
  await w.bot.pass('2d')
  await w.say('alice', opener)
  expect(w.broughtUp).toEqual([])
})

test('a remark that was never sent counts neither as ignored nor as answered', async () => {
  await using w = await woken()
  await w.know(fact)
  await w.know('frank bought a stove for camping')
  await w.bot.pass('2d')
  await w.bot.say('alice', opener)
  w.bot.platform.faults.push(new Error('503'))
  await w.bot.pass('5h')
  await w.say('alice', opener)
  expect(w.broughtUp).toHaveLength(1)
})

test('no words are stored', async () => {
  await using w = await woken()
  await w.know(fact)
  await w.bot.pass('2d')
  await w.say('alice', opener)
  const { rows } = await w.bot.db.query<{ text: string }>(
    'select s::text as text from proactive.shared s union all select p::text from proactive.plan p',
  )
  expect(rows).toHaveLength(2)
  const kept = rows.map(({ text }) => text).join('\n')
  for (const word of ['camping', 'tent', 'erin', 'dave', 'alice']) expect(kept).not.toContain(word)
})

test('an erased person leaves no data here; a fact that another person told too is not repeated', async () => {
  await using w = await woken({ interval: 0 })
  await w.know(fact, { by: ['dave', 'carol'] })
  const gone = await w.know('dave bought a stove for camping', { people: ['dave'] })
  for (let day = 0; day < 2; day++) {
    await w.bot.pass('2d')
    await w.say('alice', opener)
  }
  expect(w.broughtUp).toHaveLength(2)
  await w.bot.bot.forget({ platform: 'test', id: 'dave' })
  const { rows } = await w.bot.db.query<{ fact: number }>(
    'select fact from proactive.shared union all select fact from proactive.plan where fact = $1',
    [gone],
  )
  expect(rows).toHaveLength(1)
  expect(rows).not.toContainEqual({ fact: gone })
  await w.bot.pass('2d')
  await w.say('alice', opener)
  expect(w.broughtUp).toHaveLength(2)
})
