import { promptOf } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { answer, reflecting, taker } from './test-bot.ts'

const soon = { lull: '1m', minMessages: 2, maxMessages: 10 } as const

const refusal = () => Object.assign(new Error('blocked'), { status: 400 })
const outage = () => Object.assign(new Error('overloaded'), { status: 503 })

/** The number of messages in batches that were skipped. */
const skipped = (r: Awaited<ReturnType<typeof reflecting>>) =>
  r.bot.log
    .join('\n')
    .matchAll(/skipped after repeated failures.*?messages=(\d+)/g)
    .reduce((sum, [, count]) => sum + Number(count), 0)

test('after a failure the same batch is read again, independent of new messages', async () => {
  await using r = await reflecting(shown => (shown.count === 1 ? refusal() : taker(shown)), soon)
  await r.talk(2)
  await r.bot.pass('90s')
  expect(r.model.asked).toHaveLength(1)
  await r.talk(1)
  await r.bot.pass('1m')
  expect(r.model.asked).toHaveLength(2)
  expect(promptOf(r.model.asked[1])).toBe(promptOf(r.model.asked[0]))
  expect(await r.contents()).toEqual(['I note 1', 'I note 2'])
  await r.talk(1)
  await r.bot.pass('3m')
  expect(await r.contents()).toEqual(['I note 1', 'I note 2', 'I note 3', 'I note 4'])
  expect(skipped(r)).toBe(0)
})

test('a batch that the model refuses twice is skipped, and the next one is read', async () => {
  await using r = await reflecting(shown => (shown.prompt.includes('poison') ? refusal() : taker(shown)), soon)
  await r.talk(2, {}, at => `poison ${at}`)
  await r.bot.pass('2m')
  await r.talk(2)
  await r.bot.pass('5m')
  expect(r.model.asked).toHaveLength(3)
  expect(await r.contents()).toEqual(['I note 3', 'I note 4'])
  expect(skipped(r)).toBe(2)
  expect(r.bot.log.join('\n')).toContain('skipped after repeated failures')
  expect(r.bot.log.join('\n')).not.toContain('poison')
})

test('an unreadable answer counts as a refusal', async () => {
  await using r = await reflecting(shown => (shown.prompt.includes('poison') ? 'I would rather not.' : taker(shown)), soon)
  await r.talk(2, {}, at => `poison ${at}`)
  await r.bot.pass('5m')
  expect(skipped(r)).toBe(2)
  await r.talk(2)
  await r.bot.pass('3m')
  expect(await r.contents()).toEqual(['I note 3', 'I note 4'])
})

test('one wrong fact in an answer does not affect the others', async () => {
  await using r = await reflecting(async shown => {
    const right = await taker(shown)
    const facts = typeof right === 'object' && 'value' in right ? right.value : undefined
    const made = facts as { facts: object[] }
    return { value: { facts: made.facts.map((fact, at) => (at === 0 ? { ...fact, quote: 'nobody said this' } : fact)) } }
  }, soon)
  await r.talk(3)
  await r.bot.pass('3m')
  expect(await r.contents()).toEqual(['I note 2', 'I note 3'])
})

test('a model that is down is called less and less often, and no batch is skipped', async () => {
  let down = true
  const times: number[] = []
  await using r = await reflecting(shown => {
    times.push(r.bot.clock.now())
    return down ? outage() : taker(shown)
  }, soon)
  await r.talk(2)
  await r.bot.pass('20m')
  // Three attempts each time, one run per minute.
  const asked = times.filter((time, at) => at === 0 || time - (times[at - 1] ?? 0) > 30_000)
  const pauses = asked.slice(1).map((time, at) => Math.round((time - (asked[at] ?? 0)) / 60_000))
  expect(pauses.length >= 3 && pauses.every((pause, at) => pause >= 2 ** at && pause <= 2 ** at + 2)).toBe(true)
  expect(skipped(r)).toBe(0)
  down = false
  await r.bot.pass('17m')
  expect(await r.contents()).toEqual(['I note 1', 'I note 2'])
})

test('a model that is down is not called for other places either', async () => {
  await using r = await reflecting(() => outage(), soon)
  for (const channel of ['a', 'b', 'c']) await r.talk(2, { channel })
  await r.bot.pass('90s')
  expect(new Set(r.model.asked.map(request => /#\w/.exec(promptOf(request))?.[0])).size).toBe(1)
})

test('a wrong key costs at most two batches', async () => {
  let wrong = true
  await using r = await reflecting(
    shown => (wrong ? Object.assign(new Error('API key not valid'), { status: 401 }) : taker(shown)),
    soon,
  )
  const channels = ['a', 'b', 'c', 'd', 'e']
  for (const channel of channels) await r.talk(2, { channel })
  await r.bot.pass('6m')
  wrong = false
  await r.bot.pass('20m')
  expect(skipped(r)).toBeLessThanOrEqual(4)
  expect((await r.contents()).length).toBeGreaterThanOrEqual(6)
})

test('a batch without remaining messages causes no wait', async () => {
  await using r = await reflecting(shown => (shown.count === 1 ? refusal() : taker(shown)), soon)
  const poison = await r.bot.say('alice', 'poison')
  const more = await r.bot.say('bob', 'more poison')
  await r.bot.pass('90s')
  expect(r.model.asked).toHaveLength(1)
  await r.bot.remove(poison)
  await r.bot.remove(more)
  await r.talk(2)
  await r.bot.pass('4m')
  expect(await r.contents()).toEqual(['I note 1', 'I note 2'])
})

test('a message that is deleted or edited during the model call is read again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await using r = await reflecting(async shown => {
    if (shown.count === 1) await promise
    return taker(shown)
  }, soon)
  const gone = await r.bot.say('alice', 'a note to delete')
  const changed = await r.bot.say('bob', 'a note to change')
  await r.talk(1)
  await r.bot.pass('150s')
  expect(r.model.asked).toHaveLength(1)
  await r.bot.remove(gone)
  await r.bot.edit(changed, 'a note that has changed')
  resolve()
  await r.bot.pass('1m')
  expect(r.model.asked).toHaveLength(2)
  expect(await r.contents()).toEqual(['a note that has changed', 'I note 1'])
})

test('an answer without facts is valid', async () => {
  await using r = await reflecting(() => answer([]), soon)
  await r.talk(2)
  await r.bot.pass('5m')
  expect(r.model.asked).toHaveLength(1)
})

test('a result that cannot be stored does not cost a call each minute', async () => {
  await using r = await reflecting(taker, soon)
  await r.bot.db.query(`alter table facts.fact add constraint no_poison check (content not like '%poison%')`)
  await r.talk(2, {}, at => `a note on poison ${at}`)
  await r.bot.pass('5m')
  expect(r.model.asked).toHaveLength(2)
  expect(skipped(r)).toBe(2)
  expect(r.bot.log.join('\n')).toMatch(/skipped after repeated failures.*23514/)
  expect(r.bot.log.join('\n')).not.toContain('a note on')
  await r.talk(2)
  await r.bot.pass('2m')
  expect(await r.contents()).toEqual(['I note 3', 'I note 4'])
})

test('after messages of bots only, the model is not called', async () => {
  await using r = await reflecting(shown => (shown.count === 1 ? refusal() : taker(shown)), soon, { listen: { bots: true } })
  const poison = await r.bot.say('alice', 'poison')
  const more = await r.bot.say('bob', 'more poison')
  await r.bot.say('robot', 'the build is green', { bot: true })
  await r.bot.say('alice', 'a third')
  await r.bot.pass('90s')
  expect(r.model.asked).toHaveLength(1)
  for (const message of [poison, more, 'm4']) await r.bot.remove(message)
  await r.talk(2)
  await r.bot.pass('4m')
  expect(r.model.asked).toHaveLength(2)
  expect(promptOf(r.model.asked[1])).not.toContain('the build is green')
})
