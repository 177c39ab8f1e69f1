import { estimateTokens } from 'kikimimi'
import { promptOf } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { noted, remembering } from './test-memory.ts'
import { limit } from './update/limit.ts'

const soon = { everyMinutes: 3, foldAfter: '5m' } as const

test('recent events become history when they are old enough', async () => {
  await using m = await remembering(({ kind, count }) => noted(`${kind} ${count}`), soon)
  const { bot, summary, channel } = m
  await bot.say('alice', 'the first talk')
  await bot.pass('4m')
  expect(await channel()).toMatchObject({ recent: 'recent 1', history: '' })
  await bot.pass('2m')
  // There is no history yet to merge with.
  expect(await channel()).toMatchObject({ recent: '', mood: '', topics: [], activeUsers: [], history: 'recent 1' })
  expect(summary.asked).toHaveLength(1)

  await bot.say('bob', 'the second talk')
  await bot.pass('6m')
  expect(await channel()).toMatchObject({ recent: '', history: 'history 3' })
  expect(promptOf(summary.asked[2])).toContain('## History so far\n\nrecent 1\n\n## Recent events\n\nrecent 2\n')
  expect(promptOf(summary.asked[1])).toContain('## Notes so far\n\n(none yet)')
})

test('a conversation that goes on during the merge gets new recent events', async () => {
  await using m = await remembering(({ kind, count }) => noted(`${kind} ${count}`), soon)
  const { bot, channel } = m
  await bot.say('alice', 'the first talk')
  await bot.pass('4m')
  await bot.say('bob', 'it goes on')
  await bot.pass('4m')
  expect(await channel()).toMatchObject({ recent: 'recent 2', history: 'recent 1', activeUsers: [{ id: 'bob' }] })
})

test('if the model does not merge, no history is lost', async () => {
  const refusal = Object.assign(new Error('blocked'), { status: 400 })
  await using m = await remembering(({ kind, count }) => (kind === 'history' ? refusal : noted(`note ${count}`)), soon)
  const { bot, channel } = m
  await bot.say('alice', 'the first talk')
  await bot.pass('6m')
  await bot.say('alice', 'the second talk')
  await bot.pass('9m')
  expect(await channel()).toMatchObject({ recent: '', history: 'note 1\nnote 2' })
})

test('each memory keeps its token limit, and its newest part, if the model exceeds it', async () => {
  const long = (from: number) => Array.from({ length: 200 }, (_, at) => `Event ${from + at} happened here.`).join(' ')
  await using m = await remembering(({ count }) => noted(long(count * 1_000)), {
    ...soon,
    recentTokens: 60,
    historyTokens: 100,
  })
  const { bot, channel, store } = m
  for (const where of ['general', 'random']) await bot.say('alice', 'the first talk', { channel: where })
  await bot.pass('4m')
  const { recent } = await channel()
  expect(estimateTokens(recent)).toBeLessThanOrEqual(60)
  expect(recent).toMatch(/^Event \d+ happened here\. .*Event \d199 happened here\.$/)
  await bot.pass('2m')
  for (const where of ['general', 'random']) await bot.say('alice', 'the second talk', { channel: where })
  await bot.pass('6m')
  expect(estimateTokens((await channel()).history)).toBeLessThanOrEqual(100)
  expect(estimateTokens((await channel()).history)).toBeGreaterThan(60)
  const [workspace] = (await store().list()).workspaces
  expect(estimateTokens(`${workspace?.recent}${workspace?.history}`)).toBeLessThanOrEqual(160)
})

test('the memory of a workspace is made from its channels, at most as often as the option allows', async () => {
  await using m = await remembering(({ kind, count }) => noted(`${kind} ${count}`), {
    ...{ everyMessages: 1, workspaceEvery: '10m' },
  })
  const { bot, summary, asked, store } = m
  await bot.say('alice', 'about trains', { channel: 'general' })
  await bot.pass('2m')
  expect(asked('workspace')).toBe(0)
  await bot.say('alice', 'about lunch', { channel: 'random' })
  await bot.pass('2m')
  expect(asked('workspace')).toBe(1)
  expect(promptOf(summary.asked.at(-1))).toMatch(/### #(?:random|general)\n\nrecent \d\n\n### #(?:random|general)\n\nrecent \d\n/)
  expect((await store().list()).workspaces).toMatchObject([{ workspace: 'test/team', recent: 'workspace 3', history: '' }])

  await bot.say('alice', 'about trains again', { channel: 'general' })
  await bot.pass('7m')
  expect(asked('workspace')).toBe(1)
  await bot.pass('4m')
  expect(asked('workspace')).toBe(2)
  // Only new events.
  expect(promptOf(summary.asked.at(-1))).toContain('## Notes so far\n\nworkspace 3\n')
  expect(promptOf(summary.asked.at(-1))).toMatch(/### #general\n\nrecent 4\n\n---/)
})

test.each([
  ['One. Two. Three.', 3, 'Two. Three.'],
  ['一つ目。二つ目。三つ目。', 8, '二つ目。三つ目。'],
  ['a line\nanother line', 4, 'another line'],
  ['漢字漢字漢字漢字', 4, '…字漢字'],
  ['fits', 1, 'fits'],
  ['', 1, ''],
])('%j in %i tokens is %j', (text, tokens, cut) => {
  expect(limit(text, tokens)).toBe(cut)
  expect(estimateTokens(cut)).toBeLessThanOrEqual(tokens)
})

test('a long text without the end of a sentence is cut quickly', () => {
  expect(estimateTokens(limit('あ'.repeat(100_000), 300))).toBeLessThanOrEqual(300)
  expect(estimateTokens(limit('a. '.repeat(20_000), 300))).toBeLessThanOrEqual(300)
})
