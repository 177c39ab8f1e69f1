import { mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { definePlugin } from '../api/index.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../testing/test-log.ts'
import { testPlatform } from '../testing/test-platform.ts'
import { startBot } from './bot.ts'

test('a start that fails after its migrations leaves the data folder to the earlier version, and later goes on', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'kikimimi-upgrade-'))
  const [first, second] = await Promise.all(
    ['create table notes.note (text text)', 'alter table notes.note rename column text to words'].map(async (_, index, all) => {
      const folder = join(home.path, `version-${index + 1}`)
      await mkdir(folder)
      for (const [at, step] of all.slice(0, index + 1).entries()) await writeFile(join(folder, `00${at + 1}-step.sql`), step)
      return pathToFileURL(`${folder}/`)
    }),
  )
  /** Starts a version of the bot and stops it. Returns what the query gives. */
  const run = async (migrations: URL | undefined, sql: string, setup: () => void = () => {}) => {
    const notes = definePlugin({ name: 'notes', ...(migrations && { migrations }), setup })
    const platforms = [testPlatform({ me: { id: 'bot', name: 'kiki' } })]
    await using bot = await startBot(
      { persona: { name: 'kiki' }, database: join(home.path, 'data'), plugins: [notes()] },
      { log: silentLog, clock: systemClock, platforms, env: {} },
    )
    return (await bot.db?.query(sql))?.rows
  }
  const failing = () => {
    throw new Error('the new version has a mistake')
  }

  await run(first, `insert into notes.note values ('kept')`)
  const before = await readdir(home.path)
  await expect(run(second, 'select 1', failing)).rejects.toThrow('[notes] failed to set up: the new version has a mistake')
  expect(await run(first, 'select text from notes.note')).toEqual([{ text: 'kept' }])
  expect(await run(second, 'select words from notes.note')).toEqual([{ words: 'kept' }])
  expect(await readdir(home.path)).toEqual(before)
})
