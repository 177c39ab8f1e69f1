/** Several personas in one bot: each speaks in its places, and remembers what was said there. */
import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import type { BotConfig } from 'kikimimi'
import { type TestBot, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { listeningModel } from '../listening-model.ts'

const MIMI = { name: 'Mimi', names: ['ミミ'], prompt: 'You are Mimi, of the support.' }
const persona: BotConfig['persona'] = { name: 'kiki', prompt: 'You are kiki.', channels: { support: MIMI, help: MIMI } }

async function town(
  of: BotConfig['persona'] = persona,
): Promise<TestBot & { asked(channel: string, name: string): Promise<string> }> {
  const { model, prompts } = listeningModel()
  const bot = await testBot({
    storage: 'pglite',
    persona: of,
    plugins: [addressing(), remember(), memorySummary({ everyMessages: 1 }), profiles(), facts({ limit: 20 }), reply()],
    models: { chat: model },
  })
  const asked = async (channel: string, name: string) => {
    prompts.splice(0)
    await bot.say('alice', `${name}, tell me about the surprise cake`, { channel })
    await bot.pass('10s')
    return prompts.join('\n')
  }
  return Object.assign(bot, { asked })
}

test('a channel has its own persona, with its name, its character and its own words', async () => {
  await using bot = await town()
  expect(await bot.asked('support', 'kiki')).toBe('')
  expect(await bot.asked('support', 'ミミ')).toContain('You are Mimi, of the support.')
  expect(await bot.asked('general', 'Mimi')).toBe('')
  expect(await bot.asked('general', 'kiki')).toContain('You are kiki.')
  const { rows } = await bot.db.query('select channel, author_name as name from kikimimi_v1.message where own order by seq')
  expect(rows).toMatchObject([
    { channel: expect.stringMatching(/support$/), name: 'Mimi' },
    { channel: expect.stringMatching(/general$/), name: 'kiki' },
  ])
  expect(await bot.asked('support', 'Mimi')).toMatch(/\*\* Mimi:/)
})

test('what was said to one persona is recalled in its channels alone, and goes with a channel to another', async () => {
  await using bot = await town()
  await bot.say('bob', 'Mimi, remember that the surprise cake has ninety candles', { channel: 'support' })
  await bot.say('bob', 'the surprise cake is made of marzipan', { channel: 'support' })
  await bot.say('carol', 'kiki, remember that the surprise cake is blue', { channel: 'general' })
  await bot.say('carol', 'the surprise cake is a rumour', { channel: 'random' })
  await bot.pass('2h')
  for (const channel of ['general', 'random']) {
    const prompt = await bot.asked(channel, 'kiki')
    expect(prompt).toMatch(/blue/)
    expect(prompt).not.toMatch(/ninety|marzipan/)
  }
  for (const channel of ['support', 'help']) {
    const prompt = await bot.asked(channel, 'Mimi')
    expect(prompt).toMatch(/ninety/)
    expect(prompt).not.toMatch(/blue|rumour/)
  }

  await bot.reload({ persona: { ...persona, channels: { help: MIMI } } })
  await bot.pass('2h')
  expect(await bot.asked('general', 'kiki')).toMatch(/ninety/)
  expect(await bot.asked('help', 'Mimi')).not.toMatch(/ninety|marzipan|blue|rumour/)
})

test('a persona that shares the memory of the bot recalls all of it', async () => {
  await using bot = await town({ ...persona, channels: { support: { ...MIMI, sharesMemory: true } } })
  await bot.say('bob', 'Mimi, remember that the surprise cake has ninety candles', { channel: 'support' })
  await bot.say('carol', 'kiki, remember that the surprise cake is blue', { channel: 'general' })
  await bot.pass('2h')
  expect(await bot.asked('general', 'kiki')).toMatch(/ninety/)
  expect(await bot.asked('support', 'Mimi')).toMatch(/blue/)
})

test('what a person asks to forget is forgotten for all personas', async () => {
  await using bot = await town()
  await bot.say('bob', 'Mimi, remember that the surprise cake has ninety candles', { channel: 'support' })
  await bot.say('bob', 'kiki, remember that the surprise cake is blue', { channel: 'general' })
  await bot.say('bob', 'kiki, forget me', { channel: 'general' })
  await bot.pass('2h')
  expect(await bot.asked('general', 'kiki')).not.toMatch(/blue/)
  expect(await bot.asked('support', 'Mimi')).not.toMatch(/ninety/)
})
