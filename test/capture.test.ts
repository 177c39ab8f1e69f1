/** Prompts are captured where the operator asks for it, and leave with what they were made from. */
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import type { BotConfig } from 'kikimimi'
import type { CapturedPrompt } from 'kikimimi/host'
import { scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exportTo } from '../packages/cli/data/export.ts'

const KEY = 'xoxb-123456789012-abcdefghijkl'

function capturing(config: Pick<BotConfig, 'capture' | 'retention'> = { capture: { channels: ['dev'] } }): Promise<TestBot> {
  return testBot({
    ...config,
    storage: 'pglite',
    plugins: [addressing(), reply()],
    model: scriptedModel('The train leaves at ten.'),
  })
}

async function prompts(bot: TestBot): Promise<readonly (CapturedPrompt & { readonly turn: string })[]> {
  const { rows } = await bot.db.query<{ turn: string; data: CapturedPrompt }>(
    'select turn, data from kikimimi_v1.prompt order by at, turn, call',
  )
  return rows.map(({ turn, data }) => ({ ...data, turn }))
}

test('the whole prompt and the raw output are kept beside the trace, in the named channels and their threads only', async () => {
  await using bot = await capturing()
  await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev' })
  await bot.say('bob', '@kiki and the bus?', { channel: 'dev', thread: 't1' })
  await bot.say('carol', '@kiki and the boat?')
  const [first, second, ...others] = await prompts(bot)
  expect(others).toEqual([])
  const traces = await bot.traces()
  expect([first?.turn, second?.turn]).toEqual(traces.slice(0, 2).map(({ turn }) => turn))
  expect(first).toMatchObject({ call: 0, system: expect.stringContaining('kiki'), output: 'The train leaves at ten.' })
  expect(JSON.stringify(first?.messages)).toContain('when does the train leave?')
  expect(traces.map(({ models }) => models.length)).toEqual([1, 1, 1])
  expect(traces.some(trace => 'prompts' in trace)).toBe(false)
})

test('nothing is captured without the setting', async () => {
  await using bot = await capturing({})
  await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev' })
  expect([bot.sent, await prompts(bot)]).toEqual([['The train leaves at ten.'], []])
})

test('keys that people paste are not captured', async () => {
  await using bot = await capturing()
  await bot.say('alice', `@kiki my key is ${KEY}, and https://me:hunter22@example.com is my page`, { channel: 'dev' })
  const all = JSON.stringify(await prompts(bot))
  expect(all).toContain('my key is [secret], and https://[secret]@example.com is my page')
  expect(all).not.toContain(KEY)
})

test('the calls of tools and a failed call are captured', async () => {
  await using bot = await testBot({
    capture: { channels: ['dev'] },
    storage: 'pglite',
    plugins: [
      addressing(),
      reply(),
      {
        definition: {
          name: 'trains',
          setup: () => ({
            tools: [{ name: 'trains', description: 'Trains.', schema: z.object({}), invoke: async () => '10:04' }],
          }),
        },
        options: undefined,
      },
    ],
    model: scriptedModel([{ toolCalls: [{ id: 'c', name: 'trains', args: { from: 'Ueno' } }] }, new Error('broken')]),
  })
  await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev' })
  // The model is tried again.
  await bot.pass('1m')
  const [asked, failed] = await prompts(bot)
  expect(asked?.output).toBe('{"tool":"trains","args":{"from":"Ueno"}}')
  expect(failed?.messages.at(-1)).toEqual({ role: 'tool', text: '10:04' })
  expect(failed).not.toHaveProperty('output')
})

describe('a captured prompt is deleted', () => {
  test('with a message that it shows, also an earlier one', async () => {
    await using bot = await capturing()
    const said = await bot.say('bob', 'the boat is blue', { channel: 'dev' })
    await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev' })
    expect(JSON.stringify(await prompts(bot))).toContain('the boat is blue')
    await bot.remove(said, { channel: 'dev' })
    expect(await prompts(bot)).toEqual([])
  })

  test('with an edit that takes words away', async () => {
    await using bot = await capturing()
    const said = await bot.say('alice', '@kiki when does the train to Ueno leave?', { channel: 'dev' })
    await bot.edit(said, '@kiki when does it leave?', { channel: 'dev' })
    expect(JSON.stringify(await prompts(bot))).not.toContain('Ueno')
  })

  test('when a person is forgotten whose name others wrote', async () => {
    await using bot = await capturing()
    await bot.say('zebedee', 'hello', { channel: 'other' })
    await bot.say('alice', '@kiki what does zebedee want?', { channel: 'dev' })
    await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev', thread: 't2' })
    await bot.bot.forget({ platform: 'test', id: 'zebedee' })
    expect((await prompts(bot)).filter(prompt => JSON.stringify(prompt).includes('zebedee'))).toEqual([])
    expect(await prompts(bot)).toHaveLength(1)
  })

  test('with the trace of its turn', async () => {
    await using bot = await capturing()
    await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev' })
    await bot.db.query('delete from kikimimi.trace')
    expect(await prompts(bot)).toEqual([])
  })

  test('within an hour of its retention, long before the trace', async () => {
    await using bot = await capturing()
    await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev' })
    await bot.pass('5h')
    await bot.say('alice', '@kiki and the bus?', { channel: 'dev' })
    await bot.pass('66h')
    expect(await prompts(bot)).toHaveLength(2)
    await bot.pass('2h')
    expect(await prompts(bot)).toHaveLength(1)
    await bot.pass('5h')
    expect([await prompts(bot), (await bot.traces()).length]).toEqual([[], 2])
  })
})

test('an export has captured prompts', async () => {
  await using bot = await capturing()
  await bot.say('alice', '@kiki when does the train leave?', { channel: 'dev' })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-capture-'))
  await exportTo(folder.path, bot.db, { clock: bot.clock })
  expect(await readFile(join(folder.path, 'kikimimi/prompt.jsonl'), 'utf8')).toContain('The train leaves at ten.')
})
