import { type DiscordEmulator, startDiscord, type Used } from '@kikimimi/discord/testing'
import { chatCommand, definePlugin, type Plugin } from 'kikimimi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import judgeRules from '../../judge-rules/index.ts'
import { type Kiki, startKiki } from '../test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord()
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

const does = { en: 'does something', ja: '何かをします' }
const dice = definePlugin({
  name: 'dice',
  setup: () => ({
    commands: [
      chatCommand({
        name: 'roll',
        names: { en: 'roll', ja: 'サイコロ' },
        does,
        usage: '[sides] [times]',
        permission: 'everyone',
        args: z.tuple([z.coerce.number().int().min(2).max(100).default(6), z.coerce.number().default(1)]),
        run: ({ args: [sides, times] }) => `${times} of ${sides}`,
      }),
      { name: 'mood', does, usage: '[calm|wild]', permission: 'everyone', run: ({ text }) => `mood: ${text}` },
      { name: 'keep', does, usage: 'KEY VALUE', permission: 'everyone', run: ({ words }) => words.join('=') },
      {
        ...{ name: 'secret', does, usage: '[word]', permission: 'admin' as const, run: () => 'hush' },
        complete: ({ words }) => ['apple', 'apricot', 'x'.repeat(200)].filter(one => one.startsWith(words.at(-1) ?? '')),
      },
    ],
  }),
})

async function start(...plugins: readonly Plugin[]): Promise<void> {
  kiki = await startKiki(discord, { plugins })
  await discord.until(() => discord.commands.length > 0)
}
const subcommands = () => (discord.commands as { options: { name: string }[] }[])[0]?.options ?? []

async function ask(text: string, more: Partial<Used> = {}): Promise<string | undefined> {
  const asked = discord.command({ author: 'alice', name: 'kiki', text, ...more })
  await discord.until(() => asked.answers.length > 0)
  return asked.answers[0]
}
async function choices(text: string, more: Partial<Used> = {}): Promise<readonly string[] | undefined> {
  const typed = discord.command({ author: 'alice', name: 'kiki', text, typing: true, ...more })
  await discord.until(() => typed.choices !== undefined)
  return typed.choices
}

test('commands of plugins are subcommands with typed fields', async () => {
  await start(dice())
  expect(subcommands().filter(({ name }) => ['roll', 'mood', 'keep'].includes(name))).toMatchObject([
    {
      name: 'roll',
      name_localizations: { ja: 'サイコロ' },
      description_localizations: { ja: '何かをします' },
      options: [
        { name: 'sides', type: 4, required: false, min_value: 2, max_value: 100 },
        { name: 'times', type: 10, required: false },
      ],
    },
    { name: 'mood', options: [{ name: 'value', type: 3, choices: [{ value: 'calm' }, { value: 'wild' }] }] },
    {
      name: 'keep',
      options: [
        { name: 'key', required: true },
        { name: 'value', required: true },
      ],
    },
  ])
})

test.each([
  ['roll', '1 of 6'],
  ['roll 20 3', '3 of 20'],
  ['mood wild', 'mood: wild'],
  ['keep color dark green', 'color=dark=green'],
])('%s is answered as in a text', async (text, answer) => {
  await start(dice())
  expect(await ask(text)).toBe(answer)
  expect(kiki.turns).toEqual([])
})

test('any other text is a message to the bot', async () => {
  await start(dice())
  expect(await ask('when is lunch?')).toBe('> alice: when is lunch?\nyes, alice')
})

test('a bot with more commands than Discord allows takes the rest as a text', async () => {
  const many = definePlugin({
    name: 'many',
    setup: () => ({
      commands: Array.from({ length: 30 }, (_, index) => ({
        ...{ name: `command${index}`, does, permission: 'everyone' as const, run: () => `number ${index}` },
      })),
    }),
  })
  await start(many())
  expect(subcommands()).toHaveLength(25)
  expect(await ask('command29')).toBe('number 29')
})

describe('a client with another definition', () => {
  const sent = (name: string) => ({ fields: [{ type: 1, name, options: [] }] })

  test('of a subcommand that no longer exists gets an explanation', async () => {
    await start()
    expect(await ask('', sent('dance'))).toContain('“dance” no longer exists')
    expect(await ask('', { ...sent('dance'), locale: 'ja' })).toContain('コマンド「dance」はもうありません')
    expect(kiki.turns).toEqual([])
  })

  test('without subcommands is understood', async () => {
    await start()
    const fields = (value: string) => [{ type: 3, name: 'text', value }] as NonNullable<Used['fields']>
    expect(await ask('', { fields: fields('help') })).toContain('What you can tell me')
    expect(await ask('', { fields: fields('hello') })).toBe('> alice: hello\nyes, alice')
  })
})

describe('autocompletion', () => {
  test('suggests options and values of settings to admins', async () => {
    await start(judgeRules())
    const admin = { admin: true }
    expect(await choices('settings thre', admin)).toEqual(['judge-rules.threshold'])
    expect(await choices('settings li', admin)).toEqual(['listen'])
    expect(await choices('settings listen o', admin)).toEqual(['on', 'off'])
    expect(await choices('settings reset thre', admin)).toEqual(['judge-rules.threshold'])
    expect(await choices('settings thre')).toEqual([])
  })

  test('of a plugin is only for those who may use the command', async () => {
    await start(dice())
    expect(await choices('secret ap', { admin: true })).toEqual(['apple', 'apricot'])
    expect(await choices('secret x', { admin: true })).toEqual([])
    expect(await choices('secret ap')).toEqual([])
  })

  test.each(['a'.repeat(4_000), `settings ${'a'.repeat(4_000)}`])('of 4,000 characters suggests nothing', async text => {
    await start()
    expect(await choices(text, { admin: true })).toEqual([])
    expect(kiki.log.filter(line => line.includes('"level":"warn"'))).toEqual([])
  })
})

test('a setting holds in the whole server', async () => {
  await start(judgeRules())
  expect(await ask('settings threshold 70', { admin: true })).toBe('judge-rules.threshold is now 70 on this whole server.')
  expect(await ask('settings threshold 700', { admin: true })).toMatch(/^judge-rules\.threshold cannot be 700/)
  expect(await ask('settings threshold', { admin: true })).toContain('= 70 (set for the server by alice)')
  expect(await ask('settings')).toMatch(/^That is for those who may manage the whole workspace/)
})
