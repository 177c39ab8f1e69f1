import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BotSettings, definePlugin, type SettableOption } from '../../api/index.ts'
import { VirtualClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { startBot } from '../../bot/bot.ts'
import type { Bot } from '../../bot/bot-type.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { testPlatform } from '../../testing/test-platform.ts'
import { defineBot } from './define-bot.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-settings-'))
  file = join(folder, 'bot.settings.json')
  await writeFile(file, '{}\n', { mode: 0o640 })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const telling = definePlugin({
  name: 'telling',
  options: z
    .strictObject({
      volume: z.int().min(0).max(11).default(3).describe('How loud.'),
      word: z.string().default('hello'),
      password: z.string().default('none'),
      check: z.custom<() => boolean>().optional(),
    })
    .prefault({}),
  scoped: ['volume'],
  setup: (_ctx, { word }) => {
    if (word === 'break') throw new Error('this word breaks')
    return { respond: () => ({ kind: 'text', text: word }) }
  },
})

async function start({ uses = true } = {}) {
  let service: BotSettings | undefined
  const reading = definePlugin({
    name: 'reading',
    needs: [BotSettings],
    setup: ctx => {
      service = ctx.use(BotSettings)
    },
  })
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const clock = new VirtualClock(new Date('2026-01-05T10:00:00Z'))
  const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock })
  const config = defineBot({
    persona: { name: 'kiki' },
    database: false,
    models: { chat: scriptedModel('hi') },
    plugins: [
      reading,
      telling({ password: 'swordfish', check: () => true }),
      { ...telling(), definition: { ...telling.definition, name: 'other' } },
    ],
    ...(uses && { settings: {} }),
  })
  const bot = await startBot(config, { clock, log, platforms: [platform], inMemory: true, project: pathToFileURL(`${folder}/`) })
  if (!service) throw new Error('the service is missing')
  return { bot, platform, settings: service, [Symbol.asyncDispose]: () => bot.stop() }
}

const VOLUME = ['plugins', 'telling', 'options', 'volume']
const WORD = ['plugins', 'telling', 'options', 'word']
const text = () => readFile(file, 'utf8')
const versionOf = async (settings: BotSettings) => (await settings.state()).version ?? ''
const optionAt = async (settings: BotSettings, path: readonly string[]): Promise<SettableOption | undefined> => {
  const { settings: own, plugins } = await settings.state()
  return [...own, ...plugins.flatMap(({ options }) => options)].find(one => one.path.join('.') === path.join('.'))
}
const nameOf = (bot: Bot) => bot.persona.name

describe('a change of bot.settings.json', () => {
  test('applies at once and is written, readable, with the rights of the file', async () => {
    await using kiki = await start()
    const version = await versionOf(kiki.settings)
    const changes = [
      { path: ['persona', 'name'], value: 'mimi' },
      { path: VOLUME, value: 7 },
    ]
    expect(await kiki.settings.change(version, changes)).toEqual([
      { path: ['persona', 'name'], after: 'mimi' },
      { path: VOLUME, after: 7 },
    ])
    expect(nameOf(kiki.bot)).toBe('mimi')
    expect(JSON.parse(await text())).toEqual({ persona: { name: 'mimi' }, plugins: { telling: { options: { volume: 7 } } } })
    expect((await text()).endsWith('}\n')).toBe(true)
    expect((await stat(file)).mode & 0o777).toBe(0o640)
    expect(await optionAt(kiki.settings, VOLUME)).toMatchObject({ value: 7, from: 'bot.settings.json', whole: true, most: 11 })

    // Back to bot.config.ts: nothing empty stays.
    const before = await kiki.settings.change(await versionOf(kiki.settings), [{ path: VOLUME }, { path: ['persona', 'name'] }])
    expect(before).toEqual([
      { path: VOLUME, before: 7 },
      { path: ['persona', 'name'], before: 'mimi' },
    ])
    expect([await text(), nameOf(kiki.bot)]).toEqual(['{}\n', 'kiki'])
  })

  test('on top of another one that the person has not seen is refused, and nothing is overwritten', async () => {
    await using kiki = await start()
    const version = await versionOf(kiki.settings)
    const both = [4, 5].map(value => kiki.settings.change(version, [{ path: VOLUME, value }]))
    const [first, second] = await Promise.allSettled(both)
    expect(first?.status).toBe('fulfilled')
    expect(second).toMatchObject({
      reason: { code: 'SETTINGS_CHANGED', message: expect.stringContaining('Nothing was overwritten') },
    })
    expect(await optionAt(kiki.settings, VOLUME)).toMatchObject({ value: 4 })
  })

  test.each([
    ['a value that the schema refuses', { path: VOLUME, value: 12 }, 'CONFIG_INVALID', /\[telling\] volume: .*got 12/],
    ['a secret', { path: ['plugins', 'telling', 'options', 'password'], value: 'x' }, 'CONFIG_INVALID', /It is a secret/],
    ['what only bot.config.ts has', { path: ['http'], value: '1' }, 'CONFIG_INVALID', /can only be set in bot\.config\.ts/],
    ['a plugin that does not start with it', { path: WORD, value: 'break' }, undefined, /this word breaks/],
    ['a name of no setting', { path: ['persona', '__proto__'], value: {} }, 'CONFIG_INVALID', /./],
  ])('with %s leaves the file and the bot as they were', async (_, change, code, message) => {
    await using kiki = await start()
    const refused = kiki.settings.change(await versionOf(kiki.settings), [{ path: ['persona', 'name'], value: 'mimi' }, change])
    await expect(refused).rejects.toMatchObject({ ...(code && { code }), message: expect.stringMatching(message) })
    expect([await text(), nameOf(kiki.bot)]).toEqual(['{}\n', 'kiki'])
  })

  test('turns a plugin off and on again', async () => {
    await using kiki = await start()
    const set = async (value?: boolean) =>
      kiki.settings.change(await versionOf(kiki.settings), [
        { path: ['plugins', 'other', 'enabled'], ...(value === false && { value }) },
      ])
    const isOn = async () => (await kiki.settings.state()).plugins.find(({ name }) => name === 'other')?.enabled
    await set(false)
    expect(await isOn()).toBe(false)
    await set()
    expect(await isOn()).toBe(true)
  })

  test('of a place concerns that place alone', async () => {
    await using kiki = await start()
    const path = ['plugins', 'telling', 'channels', 'c'.repeat(500), 'volume']
    await kiki.settings.change(await versionOf(kiki.settings), [{ path, value: 1 }])
    expect(await kiki.settings.inPlace('channels', 'c'.repeat(500))).toEqual([
      expect.objectContaining({ path, value: 1, from: 'bot.settings.json', does: 'How loud.' }),
      expect.objectContaining({ value: 3, from: 'default' }),
    ])
    expect(await kiki.settings.places('CCC')).toEqual({ found: [{ kind: 'channels', name: 'c'.repeat(500) }], all: 1 })
    expect(await kiki.settings.places('x')).toEqual({ found: [], all: 1 })
  })
})

describe('what cannot be set says why', () => {
  test('secrets, code, and what is opened once', async () => {
    await using kiki = await start()
    const state = await kiki.settings.state()
    expect(JSON.stringify(state)).not.toContain('swordfish')
    expect(await optionAt(kiki.settings, ['plugins', 'telling', 'options', 'password'])).toMatchObject({
      redacted: true,
      why: expect.stringContaining('It is a secret'),
    })
    expect(await optionAt(kiki.settings, ['plugins', 'telling', 'options', 'check'])).toMatchObject({
      why: expect.stringContaining('code'),
    })
    expect(await optionAt(kiki.settings, ['database'])).toMatchObject({ why: expect.stringContaining('opened once') })
    expect(await optionAt(kiki.settings, ['models', 'judge'])).toMatchObject({ takes: 'choice', choices: ['scripted'] })
  })

  test('a bot.config.ts that does not use the file', async () => {
    await using kiki = await start({ uses: false })
    expect((await kiki.settings.state()).problem).toContain("import settings from './bot.settings.json'")
    const refused = kiki.settings.change('', [{ path: VOLUME, value: 1 }])
    await expect(refused).rejects.toMatchObject({ code: 'SETTINGS_READ_ONLY' })
  })

  test('a file that somebody broke by hand: with its line, and it is not overwritten', async () => {
    await using kiki = await start()
    const version = await versionOf(kiki.settings)
    const broken = '{\n  "persona": { "name": "mimi" }\n  "locale": "en"\n}\n'
    await writeFile(file, broken)
    expect((await kiki.settings.state()).problem).toMatch(
      /bot\.settings\.json is no JSON: unexpected "\\"" in line 3, column 3\.$/,
    )
    await expect(kiki.settings.change(version, [{ path: VOLUME, value: 1 }])).rejects.toMatchObject({ code: 'CONFIG_BROKEN' })
    expect(await text()).toBe(broken)
    await rm(file)
    expect((await kiki.settings.state()).problem).toMatch(
      /There is no .*bot\.settings\.json\. Create it with the content \{\}\.$/,
    )
  })

  test('a folder that the bot cannot write', async () => {
    await using kiki = await start()
    const version = await versionOf(kiki.settings)
    await chmod(file, 0o444)
    await chmod(folder, 0o555)
    // Root may write everywhere.
    const isRoot = process.getuid?.() === 0
    if (isRoot) process.seteuid?.('nobody')
    try {
      // The question whether a file may be written is about the real user.
      const problem = isRoot
        ? undefined
        : expect.stringMatching(/^The bot cannot write .*EACCES.* Change the file where it is kept/)
      expect((await kiki.settings.state()).problem).toEqual(problem)
      const refused = kiki.settings.change(version, [{ path: ['persona', 'name'], value: 'mimi' }])
      await expect(refused).rejects.toMatchObject({
        code: 'SETTINGS_READ_ONLY',
        message: expect.stringMatching(/^The bot cannot write .*EACCES/),
      })
    } finally {
      if (isRoot) process.seteuid?.('root')
      await chmod(folder, 0o755)
    }
    expect([await text(), nameOf(kiki.bot)]).toEqual(['{}\n', 'kiki'])
  })
})
