/** What was said in one place is in no prompt for people who could not read it, and no command tells it to them. */
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { type Said, type TestBot, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { listeningModel } from './listening-model.ts'

type Where = Pick<Said, 'channel' | 'thread' | 'visibility' | 'readers'>

const square: Where = { channel: 'square' }
const shed: Where = { channel: 'shed', visibility: 'private' }
const inShed = (thread: string, own: boolean): Where => ({ ...shed, thread, readers: { own } })
const partners: Where = { channel: 'partners', readers: { outsiders: true } }
const direct: Where = { channel: 'dm-alice', visibility: 'direct' }

async function town(): Promise<TestBot & { asked(where: Where): Promise<string> }> {
  const { model, prompts } = listeningModel()
  const bot = await testBot({
    storage: 'pglite',
    plugins: [remember(), memorySummary({ everyMessages: 1 }), profiles(), facts({ limit: 20 }), reply()],
    models: { chat: model },
  })
  const asked = async (where: Where) => {
    prompts.splice(0)
    await bot.say('alice', '@kiki tell me about the surprise cake', where)
    return prompts.join('\n')
  }
  return Object.assign(bot, { asked })
}

test('a private thread in a private channel is read in the thread alone', async () => {
  await using bot = await town()
  await bot.say('alice', 'the surprise cake is made of marzipan', inShed('two of us', true))
  await bot.say('bob', '@kiki remember that the surprise cake has ninety candles', inShed('two of us', true))
  await bot.say('carol', 'the surprise cake is a rumour', shed)
  await bot.pass('1h')
  for (const where of [square, shed, inShed('open', false), inShed('three of us', true), direct]) {
    expect(await bot.asked(where), JSON.stringify(where)).not.toMatch(/marzipan|ninety/)
  }
  expect(await bot.asked(inShed('two of us', true))).toMatch(/marzipan[\s\S]*rumour|rumour[\s\S]*marzipan/)
  expect(await bot.asked(inShed('three of us', true))).toContain('rumour')
})

test('a channel that outsiders read is told nothing of the workspace, and the workspace is told of it', async () => {
  await using bot = await town()
  await bot.say('bob', 'the surprise cake is made of marzipan', square)
  await bot.say('bob', '@kiki remember that the surprise cake has ninety candles', square)
  await bot.say('carol', 'the surprise cake is delivered on Monday', partners)
  await bot.pass('1h')
  const told = await bot.asked(partners)
  expect(told).not.toMatch(/marzipan|ninety|square/)
  expect(told).toContain('Monday')
  expect(await bot.asked(shed)).toMatch(/marzipan[\s\S]*Monday|Monday[\s\S]*marzipan/)
})

test('a person who has left a private channel is told nothing of others from there', async () => {
  await using bot = await town()
  await bot.say('alice', 'good morning', shed)
  await bot.say('bob', '@kiki remember that @alice gets a surprise cake of marzipan', shed)
  await bot.say('bob', 'the surprise cake has ninety candles', shed)
  await bot.pass('1h')
  expect(await bot.asked(direct)).not.toMatch(/marzipan|ninety/)
  for (const command of ['summary', 'why', 'why 3']) {
    const given = bot.command('alice', command, { channel: 'dm-alice', visibility: 'direct' })
    expect(await given, command).not.toMatch(/marzipan|ninety/)
  }
  await bot.say('alice', 'what do you know about me?', direct)
  expect(bot.sent.join('\n')).not.toMatch(/marzipan|ninety|#shed/)
})
