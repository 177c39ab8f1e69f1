/** Buttons under answers, with the real client on the Discord emulator. */
import { type DiscordEmulator, type DiscordOptions, startDiscord } from '@kikimimi/discord/testing'
import reply from '@kikimimi/reply'
import { startBot } from 'kikimimi'
import { collectLog, freePort, promptOf, scriptedModel } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import discordPlugin from '../index.ts'
import { until } from '../test-bot.ts'

let discord: DiscordEmulator
let bot: Awaited<ReturnType<typeof startBot>>
let log: string[]
let prompts: string[]

async function start(buttons?: 'direct' | 'everywhere' | 'off', deadlines: DiscordOptions['deadlines'] = {}): Promise<void> {
  let count = 0
  log = []
  prompts = []
  const chat = scriptedModel(options => {
    prompts.push(promptOf(options))
    return `answer ${++count}`
  })
  discord = await startDiscord({ deadlines })
  const platform = discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout: '1s', ...(buttons && { buttons }) })
  bot = await startBot(
    {
      persona: { name: 'kiki' },
      database: false,
      models: { chat },
      pacing: { minWait: '50ms', jitter: 0 },
      http: `127.0.0.1:${await freePort()}`,
      plugins: [platform, reply()],
    },
    { env: {}, log: collectLog(log) },
  )
}
async function stop(): Promise<void> {
  await bot.stop()
  await discord.close()
}
beforeEach(() => start('everywhere'))
afterEach(stop)

async function ask(channel?: string): Promise<string> {
  const question = discord.say({ author: 'alice', text: '@kiki why?', ...(channel && { channel }) })
  await until(async () => (await bot.traces(1))[0]?.trigger === question)
  return discord.posted.at(-1)?.id ?? ''
}

/** What the person who pressed the button reads. */
async function press(...given: Parameters<DiscordEmulator['press']>): Promise<string | undefined> {
  const pressed = discord.press(...given)
  await discord.until(() => pressed.answers.length > 0)
  expect(pressed).toMatchObject({ ephemeral: true, deferred: false })
  return pressed.answers[0]
}

const texts = () => discord.posted.map(({ text }) => text)

describe('an answer', () => {
  test('has its buttons in rows of five, and the bot does not read them as its own text', async () => {
    await ask()
    const { body } = discord.calls.find(({ method, path }) => method === 'POST' && path.endsWith('/messages')) ?? {}
    const rows = (body as { components: { components: { custom_id: string }[] }[] }).components
    expect(rows.map(({ components }) => components.map(({ custom_id }) => custom_id))).toEqual([
      ['why', 'again', 'shorter', 'helpful', 'unhelpful'].map(name => `kiki:${name}`),
      ['kiki:delete'],
    ])
    expect(discord.posted[0]?.buttons).toContain('🔁 Again')
    await ask()
    expect(prompts.at(-1)).toContain('answer 1')
    expect(prompts.at(-1)).not.toContain('Again')
  })

  test('is written again and shorter in its place, and keeps its buttons', async () => {
    const id = await ask()
    expect(await press(id, 'alice', 'kiki:again')).toBe('I am writing it again.')
    await discord.until(() => texts()[0] === 'answer 2')
    await press(id, 'alice', 'kiki:shorter', { locale: 'ja' })
    await discord.until(() => texts()[0] === 'answer 3')
    expect(discord.posted).toMatchObject([{ id, buttons: expect.arrayContaining(['🔁 Again']) }])
  })

  test('is deleted by the person who asked and by moderators, and by nobody else', async () => {
    const id = await ask()
    expect(await press(id, 'bob', 'kiki:delete')).toContain('Only the person who asked')
    expect(await press(id, 'bob', 'kiki:delete', { locale: 'ja' })).toMatch(/[ぁ-ん]/)
    expect(texts()).toEqual(['answer 1'])
    expect(await press(id, 'alice', 'kiki:delete')).toBe('Deleted.')
    await discord.until(() => discord.posted.length === 0)
    const second = await ask()
    expect(await press(second, 'bob', 'kiki:delete', { moderator: true })).toBe('Deleted.')
    await discord.until(() => discord.posted.length === 0)
  })

  test('gets a vote, and tells why it was given', async () => {
    const id = await ask()
    expect(await press(id, 'bob', 'kiki:helpful')).toBe('Thank you. I learn from that.')
    expect(await press(id, 'bob', 'kiki:why')).toContain('addressed by mention')
  })
})

describe('a press', () => {
  test('of an unknown button is told so, and one of another program does nothing', async () => {
    const id = await ask()
    expect(await press(id, 'alice', 'kiki:no-such-command')).toContain('no longer exists')
    const strange = ['kiki:', 'kiki:delete everything', 'delete', '', 'other:delete'].map(one => discord.press(id, 'alice', one))
    const other = discord.say({ author: 'mallory', text: 'hello', bot: true })
    strange.push(discord.press(other, 'alice', 'kiki:delete'))
    await press(id, 'alice', 'kiki:why')
    expect(strange.map(({ answers, deferred }) => [answers, deferred])).toEqual(strange.map(() => [[], false]))
    expect(texts()).toEqual(['answer 1'])
  })

  test('twice at once makes one answer, and one that is delivered twice counts once', async () => {
    const id = await ask()
    await Promise.all([press(id, 'alice', 'kiki:again'), press(id, 'alice', 'kiki:again')])
    await discord.until(() => texts()[0] !== 'answer 1')
    expect(texts()).toHaveLength(1)
    const pressed = discord.press(id, 'alice', 'kiki:helpful')
    discord.redeliver(pressed.id)
    await press(id, 'bob', 'kiki:why')
    await discord.until(() => pressed.answers.length > 0)
    expect(pressed.answers).toHaveLength(1)
  })

  test('on an answer that an earlier press deletes is answered, too', async () => {
    const id = await ask()
    const pressed = [discord.press(id, 'alice', 'kiki:delete'), discord.press(id, 'alice', 'kiki:delete')]
    await discord.until(() => pressed.every(({ answers }) => answers.length === 1))
    expect(pressed[0]?.answers).toEqual(['Deleted.'])
    await discord.until(() => discord.posted.length === 0)
    expect(log.filter(line => line.includes('failed'))).toEqual([])
  })

  test('in a server that the bot has left breaks nothing', async () => {
    const id = await ask()
    discord.leave()
    expect(await press(id, 'alice', 'kiki:shorter')).toBeDefined()
    expect(discord.online).toBe(1)
  })

  test('whose time to answer has passed is logged', async () => {
    await stop()
    await start('everywhere', { answerMs: -1 })
    const id = await ask()
    const pressed = discord.press(id, 'alice', 'kiki:delete')
    await discord.until(() => log.some(line => line.includes('its time has passed')))
    expect(pressed.answers).toEqual([])
    await discord.until(() => discord.posted.every(one => one.id !== id))
  })
})

test.each([
  [undefined, 0, 6],
  ['off', 0, 0],
  ['everywhere', 6, 6],
] as const)('buttons stand where the option says: %s', async (buttons, inServer, inDirect) => {
  await stop()
  await start(buttons)
  await ask()
  expect(discord.posted.at(-1)?.buttons ?? []).toHaveLength(inServer)
  await ask(discord.direct('alice'))
  await expect.poll(() => discord.posted.at(-1)?.buttons ?? []).toHaveLength(inDirect)
})
