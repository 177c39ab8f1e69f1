import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import type { BotConfig } from 'kikimimi'
import { planOf } from 'kikimimi/host'
import { silentLog, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { decisionsOn, differencesOf } from './decisions.ts'
import { type Recorded, readRecorded, recordedLines } from './recorded.ts'

const botWith = (threshold: number, more: BotConfig['plugins'] = []): BotConfig => ({
  persona: { name: 'kiki' },
  plugins: [addressing(), judgeRules({ threshold }), reply(), ...more],
})

async function decisionsOf(recorded: Recorded, config: BotConfig) {
  return decisionsOn(recorded, { plan: await planOf(config, undefined), log: silentLog })
}

test('what a bot heard lately is decided again as before, and another decision is found at its message', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-versions-'))
  const file = join(folder.path, 'recorded.jsonl')
  {
    await using bot = await testBot({ ...botWith(60), storage: 'pglite' })
    await bot.say('alice', 'this is older')
    await bot.pass('30m')
    await bot.say('alice', '@kiki when does the train leave?')
    await bot.pass('1m')
    await bot.say('bob', 'and the ferry, what do you think?')
    await bot.pass('1m')
    await bot.say('carol', 'the door is open', { channel: 'board', visibility: 'private' })
    await bot.pass('1m')
    await writeFile(file, (await Array.fromAsync(recordedLines(bot.db, 1 / 100))).join('\n'))
  }
  const recorded = await readRecorded(file)
  const heard = recorded.channels.map(({ lines }) => lines.map(({ text, context }) => (context ? `(${text})` : text)))
  expect(heard.flat()).toEqual(expect.arrayContaining(['(this is older)', 'the door is open']))

  const before = await decisionsOf(recorded, botWith(60))
  expect(before.map(({ kind }) => kind).toSorted()).toEqual(['full', 'silent', 'silent'])
  expect(differencesOf(before, await decisionsOf(recorded, botWith(60)))).toEqual([])

  const ferry = recorded.channels.flatMap(({ lines }) => lines).find(({ text }) => text.startsWith('and the ferry'))
  const found = differencesOf(before, await decisionsOf(recorded, botWith(1)))
  expect(found).toEqual([expect.objectContaining({ message: ferry?.id, before: expect.objectContaining({ kind: 'silent' }) })])
  expect(found[0]?.after?.kind).toBe('full')

  // A message that comes into no turn any more is a difference, if it had an answer.
  const dropped = before.filter(({ kind }) => kind === 'silent')
  expect(differencesOf(before, dropped).map(one => [one.before?.kind, one.after])).toEqual([['full', undefined]])
})
