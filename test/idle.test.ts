/** What a bot with all plugins of bot.config.ts costs while nobody speaks. */

import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import backup, { newKey } from '@kikimimi/backup'
import dashboard from '@kikimimi/dashboard'
import judgeLlm from '@kikimimi/judge-llm'
import type { PluginEntry } from 'kikimimi'
import { flattenPlugins } from 'kikimimi/host'
import { freePort, scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import config from '../bot.config.ts'
import { heapInUse } from './heap.ts'

/** Plugins that only a key, a password or a model adds. The test has a platform of its own instead of the terminal. */
async function pluginsOf(folder: string): Promise<readonly PluginEntry[]> {
  const { secret } = await newKey()
  const own = [
    dashboard({ password: 'a long enough password' }),
    backup({ key: secret, to: join(folder, 'backups') }),
    judgeLlm(),
  ]
  const shipped = flattenPlugins(config.plugins)
  const names = new Set(['terminal', ...own.map(({ definition }) => definition.name)])
  return [...own, ...shipped.filter(({ definition }) => !names.has(definition.name))]
}

const DAYS = 14
const MB = 1024 * 1024

test('two weeks in which nobody speaks cost no call of a model, few statements and no memory', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-idle-'))
  const model = scriptedModel('It is late.')
  const http = `127.0.0.1:${await freePort()}`
  await using bot = await testBot({ plugins: await pluginsOf(folder.path), storage: 'pglite', model, http })
  for (let at = 0; at < 12; at++) await bot.say('alice', `the train number ${at} is late`)
  // What follows from the talk: summaries and facts.
  await bot.pass('1d')
  const calls = model.asked.length
  const days: { readonly statements: number; readonly heap: number }[] = []
  for (let day = 0; day < DAYS; day++) {
    const before = bot.db.statements
    await bot.pass('1d')
    days.push({ statements: bot.db.statements - before, heap: heapInUse() })
  }
  const perHour = days.map(({ statements }) => statements / 24)
  const grown = (days.at(-1)?.heap ?? 0) - (days[0]?.heap ?? 0)
  process.stdout.write(`${bot.db.kind}: ${JSON.stringify({ calls: model.asked.length - calls, perHour, grown: grown / MB })}\n`)
  expect(model.asked.length - calls).toBe(0)
  expect(Math.max(...perHour)).toBeLessThan(180)
  expect(grown).toBeLessThan(MB)
}, 600_000)
