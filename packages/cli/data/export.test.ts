import { testBot } from 'kikimimi/testing'
import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import facts from '@kikimimi/facts'
import profiles from '@kikimimi/profiles'
import remember from '@kikimimi/remember'
import { readChatLog } from '@kikimimi/replay'
import { expect, test } from 'vitest'
import { exportTo } from './export.ts'

test('contains all readable data: channels, facts, people', async () => {
  await using bot = await testBot({ plugins: [facts(), profiles(), remember()] })
  await bot.say('alice', '@kiki remember that the key lies under the mat')
  await bot.say('bob', 'in a thread', { thread: 'm1' })
  const gone = await bot.say('bob', 'my password is 123')
  await bot.remove(gone)
  await bot.say('carol', 'a secret', { channel: '役員会', visibility: 'private' })
  await bot.pass('1h')

  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-export-'))
  const counts: number[] = []
  const files = await exportTo(folder.path, bot.db, { clock: bot.clock, progress: lines => counts.push(lines) })
  const read = async (path: string) =>
    (await readFile(join(folder.path, path), 'utf8')).split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))

  expect((await read('messages/test-general.jsonl')).map(({ text }) => text)).toEqual([
    '@kiki remember that the key lies under the mat',
    expect.any(String),
    'in a thread',
  ])
  expect(await read('messages/test-役員会.jsonl')).toMatchObject([{ text: 'a secret', author: { id: 'carol' } }])
  const log = await Array.fromAsync(readChatLog(join(folder.path, 'messages/test-general.jsonl')))
  expect(log).toHaveLength(3)

  expect(await read('facts/fact.jsonl')).toMatchObject([{ content: expect.stringContaining('the key lies under the mat') }])
  expect(Object.keys((await read('facts/item.jsonl'))[0])).not.toContain('tokens')
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['kikimimi/conversation.jsonl', 'profiles/activity.jsonl']),
  )
  // Numbers for the search, and data that is in `messages` already.
  expect(files.map(({ path }) => path).filter(path => /posting|vector|watermark|kikimimi\/message/.test(path))).toEqual([])

  const all = await readdir(folder.path, { recursive: true, withFileTypes: true })
  expect(all.filter(file => file.isFile())).toHaveLength(files.length + 1)
  expect(counts.at(-1)).toBe(files.reduce((sum, { lines }) => sum + lines, 0))
  const readme = await readFile(join(folder.path, 'README.md'), 'utf8')
  expect(readme).toContain('| messages/test-general.jsonl | 3 |')
  expect((await stat(join(folder.path, 'messages/test-general.jsonl'))).mode & 0o777).toBe(0o600)
})

test('what is counted of a person for the quotas is exported, and forgotten with the person', async () => {
  await using bot = await testBot({
    storage: 'pglite',
    access: { callsPerHour: 5 },
    budget: { channel: { hour: { tokens: 100_000 } } },
  })
  for (const person of ['alice', 'bob']) await bot.say(person, '@kiki hello')
  await bot.pass('1m')
  const counted = async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-export-'))
    await exportTo(folder.path, bot.db, { clock: bot.clock })
    const lines = (await readFile(join(folder.path, 'kikimimi/spending.jsonl'), 'utf8')).trim().split('\n')
    return lines.map(line => JSON.parse(line)).filter(({ scope }) => scope.includes('@'))
  }
  expect(await counted()).toContainEqual(expect.objectContaining({ scope: 'test@alice', calls: 1 }))
  await bot.bot.forget({ platform: 'test', id: 'alice' })
  expect((await counted()).map(({ scope }) => scope)).toEqual(['test@bob'])
})
