/** What a bot with all plugins of bot.config.ts costs while nobody speaks. `npm run bench:idle` has two weeks of it. */
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import backup, { newKey } from '@kikimimi/backup'
import { freePort, scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import { shippedPlugins } from './shipped-plugins.ts'

test('an idle hour of all plugins costs no call of a model and less than three statements a minute', async () => {
  const model = scriptedModel('It is late.')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-idle-test-'))
  const { secret: key } = await newKey()
  const plugins = [...shippedPlugins(), backup({ to: folder.path, key, at: '03:30', timeZone: 'UTC' })]
  await using bot = await testBot({
    at: new Date('2026-01-05T10:00:00Z'),
    plugins,
    storage: 'pglite',
    model,
    http: `127.0.0.1:${await freePort()}`,
  })
  for (let at = 0; at < 12; at++) await bot.say('alice', `the train number ${at} is late`)
  await bot.pass('1m')
  // The first backup takes real time.
  await vi.waitFor(
    async () => {
      expect(await readdir(folder.path)).toEqual([expect.stringMatching(/\.age$/)])
      expect(await bot.bot.jobs.state()).toMatchObject({ active: 0 })
    },
    { timeout: 60_000 },
  )
  await bot.pass('2h')
  const [before, asked] = [bot.db.statements, model.asked.length]
  await bot.pass('1h')
  const statements = bot.db.statements - before
  expect({ statements, calls: model.asked.length - asked }).toEqual({ statements: expect.any(Number), calls: 0 })
  expect(statements).toBeLessThan(180)
}, 600_000)
