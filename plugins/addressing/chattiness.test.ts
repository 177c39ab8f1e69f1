import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import addressing from './index.ts'

const BOSS = { moderator: true }

const kiki = (locale: 'en' | 'ja' = 'en') => testBot({ plugins: [addressing()], locale, pacing: { minWait: 0 } })

test.each([
  ['en', 'quiet', 'I’ll join in less often here, and start no topics.', -20],
  ['en', 'Lively', 'I’ll join in more often here.', 15],
  ['en', 'normal', 'I’ll join in here as usual.', undefined],
  ['ja', 'quiet', 'ここでは口を挟むのを控え、自分からは話題を出しません。', -20],
  ['ja', 'lively', 'ここではもっと会話に加わります。', 15],
  ['ja', 'normal', 'ここではいつもどおりに話します。', undefined],
] as const)('%s: /kiki chattiness %s changes what it takes to speak there', async (locale, level, answer, points) => {
  await using bot = await kiki(locale)
  const partsIn = async (channel: string) => {
    await bot.say('alice', 'kikimimi is fun', { channel })
    return (await bot.trace()).score?.parts ?? []
  }
  const before = await partsIn('general')
  expect(await bot.command('alice', `chattiness ${level}`, BOSS)).toBe(answer)
  const why = points === -20 ? 'chattiness is quiet here' : 'chattiness is lively here'
  expect(await partsIn('general')).toEqual([...before, ...(points ? [{ plugin: 'addressing', points, why }] : [])])
  expect((await partsIn('dev')).filter(one => / here$/.test(one.why))).toEqual([])
})

test('messages that address the bot are answered as before', async () => {
  await using bot = await kiki()
  await bot.command('alice', 'chattiness quiet', BOSS)
  await bot.say('alice', '@kiki hello')
  expect((await bot.trace()).score?.parts.map(({ why }) => why)).not.toContain('chattiness is quiet here')
})

test('the command and the status show the level', async () => {
  await using bot = await kiki()
  expect(await bot.command('alice', 'chattiness', BOSS)).toBe('Chattiness here: normal.')
  await bot.command('alice', 'chattiness lively', BOSS)
  expect(await bot.command('alice', 'chattiness', BOSS)).toBe('Chattiness here: lively.')
  expect(await bot.command('bob', 'status')).toContain('Chattiness here: lively.')
  expect(await bot.command('bob', 'status', { locale: 'ja' })).toContain('ここでのおしゃべり度：lively')
})

test('only moderators set it, and only to a known level', async () => {
  await using bot = await kiki()
  expect(await bot.command('alice', 'chattiness quiet')).toMatch(/^That is for those who may manage/)
  expect(await bot.command('alice', 'chattiness of parrots', BOSS)).toBeUndefined()
  expect(await bot.command('alice', 'chattiness', BOSS)).toBe('Chattiness here: normal.')
})
