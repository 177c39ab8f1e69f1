/** What a bot with all plugins of bot.config.ts costs while nothing happens. */

import addressing from '@kikimimi/addressing'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'

const plugins = [
  ...[quiet(), remember(), proactive(), eavesdrop({ channels: [] }), addressing(), judgeRules()],
  ...[memorySummary(), profiles(), facts(), reflection(), reply()],
]

test('an idle hour of all plugins costs less than three statements a minute', async () => {
  await using bot = await testBot({ plugins, storage: 'pglite' })
  for (let at = 0; at < 12; at++) await bot.say('alice', `the train number ${at} is late`)
  await bot.pass('2h')
  const before = bot.db.statements
  await bot.pass('1h')
  const statements = bot.db.statements - before
  expect(statements).toBeLessThan(180)
})
