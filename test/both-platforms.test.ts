/** The bot of this repository on Discord and Slack at once. */
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import terminalPlugin from '@kikimimi/terminal'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { type Bot, definePlugin, type PluginEntry, startBot, type Turn } from 'kikimimi'
import { openTestDatabase } from 'kikimimi/testing'
import { type Gemini, startGemini } from 'kikimimi/testing/gemini'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../core/bot/load-config.ts'
import { silent, until } from './support.ts'

describe('the bot of this repository, with the tokens of both platforms in its environment', () => {
  let opened: AsyncDisposableStack
  let discord: DiscordEmulator
  let slack: SlackEmulator
  let gemini: Gemini
  let bot: Bot
  let turns: Turn[]

  beforeEach(async () => {
    opened = new AsyncDisposableStack()
    discord = opened.use(await startDiscord({ bot: { name: 'mimi' } }))
    slack = opened.use(await startSlack({ bot: { id: 'UMIMI', name: 'mimi' } }))
    gemini = opened.use(await startGemini({ answer: ({ number }) => `answer ${number}` }))
    turns = []
    bot = opened.use(await start())
  })
  afterEach(() => opened.disposeAsync())

  /** bot.config.ts with two changes: the address of Gemini is that of the test, and the terminal is left out. */
  async function start(): Promise<Bot> {
    vi.stubEnv('BOT_NAME', 'mimi')
    vi.stubEnv('DISCORD_TOKEN', discord.token)
    vi.stubEnv('DISCORD_API_URL', discord.apiUrl)
    vi.stubEnv('SLACK_BOT_TOKEN', slack.botToken)
    vi.stubEnv('SLACK_APP_TOKEN', slack.appToken)
    vi.stubEnv('SLACK_API_URL', slack.apiUrl)
    const { config, project } = await loadConfig(join(import.meta.dirname, '../bot.config.ts'))
    const chat = new ChatGoogleGenerativeAI({ baseUrl: gemini.baseUrl, apiKey: gemini.apiKey, model: 'gemini-2.5-flash' })
    const terminal = terminalPlugin({ input: new PassThrough(), output: new PassThrough() })
    const listener = definePlugin({ name: 'listener', setup: () => ({ after: turn => void turns.push(turn) }) })
    const plugins = config.plugins.map(plugin => (isConsole(plugin) ? terminal : plugin))
    const db = await openTestDatabase()
    opened.defer(() => db.close())
    return startBot({ ...config, models: { chat }, plugins: [...plugins, listener] }, { db, project, log: silent })
  }

  const inDiscord = (text: string) => discord.say({ author: 'alice', channel: 'general', text })
  const inSlack = (text: string) => slack.say({ author: 'alice', channel: 'general', text })
  /** What the model is told of people and of the conversation. */
  const prompt = (call: number) => JSON.stringify(gemini.calls[call]?.body.contents)

  test('one persona answers on both platforms, each question in its place', async () => {
    inDiscord('@mimi are you here?')
    await discord.until(() => discord.posted.length === 1)
    await inSlack('mimi, and here?')
    await until(() => turns.length === 2)
    expect(discord.posted).toMatchObject([{ text: 'answer 1' }])
    expect(slack.posted).toMatchObject([{ text: 'answer 2', channel: 'general' }])
    const [one, other] = gemini.calls.map(({ body }) => body.systemInstruction?.parts[0]?.text?.split('\n')[0])
    expect(one).toContain('mimi')
    expect(other).toBe(one)
    expect((await bot.traces()).map(({ conversation, outcome }) => [conversation.split('/')[0], outcome])).toEqual([
      ['slack', 'replied'],
      ['discord', 'replied'],
    ])
  })

  test('messages of one platform are unknown on the other, even in channels with the same name', async () => {
    inDiscord('the door code is 4711')
    await inSlack('the cake is in the cellar')
    await inSlack('mimi, what is the door code?')
    await until(() => slack.posted.length === 1)
    inDiscord('mimi, where is the cake?')
    await discord.until(() => discord.posted.length === 1)
    expect(prompt(0)).toContain('cellar')
    expect(prompt(0)).not.toContain('4711')
    expect(prompt(1)).toContain('4711')
    expect(prompt(1)).not.toContain('cellar')
    expect(prompt(1)).not.toContain('answer 1')
    await until(() => turns.length === 2)
    expect(turns.map(({ history }) => history.map(({ text }) => text))).toEqual([
      ['the cake is in the cellar', 'mimi, what is the door code?'],
      ['the door code is 4711', 'mimi, where is the cake?'],
    ])
  })

  test('the same id on both platforms is two people, and the activity of the bot is separate', async () => {
    inDiscord('mimi, hello')
    await until(() => turns.length === 1)
    const { author } = turns[0]?.message ?? {}
    const { id: channel } = slack.channel('general')
    const ts = (Date.now() / 1_000).toFixed(6)
    const event = { type: 'message', subtype: undefined, channel, channel_type: 'channel', ts, event_ts: ts } as const
    await slack.event({ ...event, user: author?.id ?? '', text: 'mimi, hello' })
    await until(() => turns.length === 2)
    const [one, other] = turns
    expect(other?.message.author.id).toBe(author?.id)
    expect(other?.conversation.id).not.toBe(one?.conversation.id)
    expect(other?.history).toHaveLength(1)
    expect(other?.lastReplyAt).toBeUndefined()
    expect(prompt(1)).not.toContain('alice')
  })

  test('the bot disconnects from both when it stops', async () => {
    expect([discord.online, slack.connected]).toEqual([1, true])
    await bot.stop()
    await discord.until(() => discord.online === 0)
    await until(() => !slack.connected)
    inDiscord('@mimi still there?')
    await inSlack('mimi, still there?')
    expect([discord.posted, slack.posted, turns]).toEqual([[], [], []])
  })
})

function isConsole(plugin: PluginEntry): boolean {
  return typeof plugin === 'object' && plugin !== null && 'definition' in plugin && plugin.definition.name === 'terminal'
}
