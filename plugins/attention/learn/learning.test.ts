import judgeRules from '@kikimimi/judge-rules'
import { type TestBot, testBot } from 'kikimimi/testing'
import { expect, it } from 'vitest'
import attention from '../index.ts'
import type { Options } from '../options.ts'

const HELPERS = ['bob', 'carol', 'dan'] as const
const MINUTE = 60_000

const kiki = (learn: Options['learn']) =>
  testBot({
    storage: 'pglite',
    persona: { name: 'kiki' },
    logLevel: 'info',
    plugins: [attention({ learn }), judgeRules({ preset: 'attention' })],
  })

/** A channel in which three people answer each question, which the shared weights do not expect. */
async function talk(bot: TestBot, rounds = 150): Promise<void> {
  const start = bot.clock.now() - rounds * 20 * MINUTE
  let count = 0
  const say = (author: string, text: string, at: number) =>
    bot.bot.receive(bot.platform, {
      ...{ id: `${start}-${count++}`, author: { id: author, name: author }, text, at: new Date(at) },
      conversation: { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
    })
  for (let round = 0; round < rounds; round++) {
    const at = start + round * 20 * MINUTE
    await say('alice', 'which train is it today?', at)
    for (const [index, helper] of HELPERS.entries()) await say(helper, 'alice: the one at nine', at + (index + 1) * 20_000)
    await say('erin', 'the weather is nice', at + 8 * MINUTE)
    await say('erin', 'and the coffee is hot', at + 14 * MINUTE)
  }
  await bot.pass('2m')
}

async function cli(bot: TestBot, ...args: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = []
  await bot.bot.command('attention', args, { json: false, print: line => void lines.push(line) })
  return lines
}

const moderator = { moderator: true }

it('a channel gets weights of its own, which a person applies and reverts', async () => {
  await using bot = await kiki('ask')
  await talk(bot)
  const [learned = ''] = await cli(bot, 'learn', 'general')
  expect(learned).toMatch(/^1 {2}\S+ {2}[0-9a-f]{12} {2}F1 [\d.]+ % → [\d.]+ %, .+ answers of 3 people$/)
  expect(bot.log.join('\n')).toContain('proposes weights')
  expect(await cli(bot, 'learn', 'general')).toEqual(['Nothing new: too little data, or no better weights.'])

  expect(await bot.command('erin', 'attention', moderator)).toContain('In use: the shared weights.')
  expect(await bot.command('erin', 'attention apply', moderator)).toBe('Version 1 is in use.')
  expect((await cli(bot, 'list', 'general'))[0]).toMatch(/in use$/)
  await bot.restart()
  expect(await bot.command('erin', 'attention', moderator)).toContain('In use: version 1.')

  expect(await cli(bot, 'revert', 'general')).toHaveLength(1)
  expect((await cli(bot, 'list', 'general'))[0]).toContain('shared weights')
  expect(bot.log.join('\n')).toContain('reverted weights')
  await expect(cli(bot, 'revert', 'general')).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
})

it('with `automatic`, better weights are applied in the night, and not again after a person reverted them', async () => {
  await using bot = await kiki('automatic')
  await talk(bot)
  await bot.pass('1d')
  expect((await cli(bot, 'list', 'general'))[0]).toMatch(/in use$/)
  expect(await bot.command('erin', 'attention revert', moderator)).toBe('Version 1 is no longer in use.')
  await talk(bot, 30)
  await bot.pass('1d')
  expect((await cli(bot, 'list', 'general'))[0]).toContain('shared weights')
})

it('a channel with few messages keeps the shared weights', async () => {
  await using bot = await kiki('automatic')
  await talk(bot, 8)
  expect(await cli(bot, 'learn', 'general')).toEqual(['Nothing new: too little data, or no better weights.'])
})

it('wrong arguments are refused with the usage', async () => {
  await using bot = await kiki('ask')
  for (const args of [[], ['learn'], ['list', 'nowhere'], ['apply', 'general', 'x'], ['list', 'a', 'b'], ['forget', 'general']]) {
    await expect(cli(bot, ...args)).rejects.toMatchObject({ code: 'USAGE' })
  }
  expect(await cli(bot, 'compare')).toEqual(['No answer has an outcome yet.'])
})
