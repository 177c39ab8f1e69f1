import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import judgeRules from './index.ts'

const BOSS = { moderator: true }

const kiki = (locale: 'en' | 'ja' = 'en') => testBot({ plugins: [judgeRules()], locale, pacing: { minWait: 0 } })

test.each([
  ['en', 'quiet', 'I’ll join in less often here, and bring nothing up myself.', -20],
  ['en', 'Lively', 'I’ll join in more often here.', 15],
  ['en', 'normal', 'I’ll join in here as usual.', undefined],
  ['ja', 'quiet', 'ここでは口を挟むのを控えて、自分からは話題を出さないね。', -20],
  ['ja', 'lively', 'ここではもっと会話に加わるね。', 15],
  ['ja', 'normal', 'ここではいつもどおりに話すね。', undefined],
] as const)('%s: /kiki chattiness %s changes what it takes to speak there', async (locale, level, answer, points) => {
  await using bot = await kiki(locale)
  const partsIn = async (channel: string) => {
    await bot.say('alice', 'kikimimi is fun', { channel })
    return (await bot.trace()).score?.parts ?? []
  }
  const before = await partsIn('general')
  expect(await bot.command('alice', `chattiness ${level}`, BOSS)).toBe(answer)
  const why = points === -20 ? 'is to talk less here' : 'may talk more here'
  expect(await partsIn('general')).toEqual([...before, ...(points ? [{ plugin: 'judge-rules', points, why }] : [])])
  expect((await partsIn('dev')).filter(one => / here$/.test(one.why))).toEqual([])
})

test('who calls is answered as before', async () => {
  await using bot = await kiki()
  await bot.command('alice', 'chattiness quiet', BOSS)
  await bot.say('alice', '@kiki hello')
  expect((await bot.trace()).score?.parts.map(({ why }) => why)).not.toContain('is to talk less here')
})

test('it tells how it is, there and in the status', async () => {
  await using bot = await kiki()
  expect(await bot.command('alice', 'chattiness', BOSS)).toBe('Chattiness here: normal.')
  await bot.command('alice', 'chattiness lively', BOSS)
  expect(await bot.command('alice', 'chattiness', BOSS)).toBe('Chattiness here: lively.')
  expect(await bot.command('bob', 'status')).toContain('Chattiness here: lively.')
  expect(await bot.command('bob', 'status', { locale: 'ja' })).toContain('ここでのおしゃべり度：lively')
})

test('nobody sets it who may not, nor to what it cannot be', async () => {
  await using bot = await kiki()
  expect(await bot.command('alice', 'chattiness quiet')).toMatch(/^That is for those who may manage/)
  expect(await bot.command('alice', 'chattiness of parrots', BOSS)).toBeUndefined()
  expect(await bot.command('alice', 'chattiness', BOSS)).toBe('Chattiness here: normal.')
})
