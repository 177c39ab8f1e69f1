/** Reloads bot.config.ts of this repository while the bot is connected to Discord and Slack. */
import { join } from 'node:path'
import discordPlugin from '@kikimimi/discord'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import quiet from '@kikimimi/quiet'
import slackPlugin from '@kikimimi/slack'
import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import { type Bot, type BotConfig, type PluginEntry, startBot } from 'kikimimi'
import { openTestDatabase, scriptedModel } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../core/bot/load-config.ts'
import { silent, until } from './support.ts'

describe('while the bot of this repository is in Discord and in Slack', () => {
  let opened: AsyncDisposableStack
  let discord: DiscordEmulator
  let slack: SlackEmulator
  let config: BotConfig
  let bot: Bot

  const inDiscord = (timeout: '10s' | '5s' = '10s') => discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout })
  const inSlack = (timeout: '10s' | '5s' = '10s') =>
    slackPlugin({ botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl, timeout })
  const identified = () => discord.calls.filter(({ method }) => method === 'IDENTIFY').length

  beforeEach(async () => {
    opened = new AsyncDisposableStack()
    discord = opened.use(await startDiscord())
    slack = opened.use(await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } }))
    const { config: ours } = await loadConfig(join(import.meta.dirname, '../bot.config.ts'))
    const plugins = ours.plugins.filter(plugin => nameOf(plugin) !== 'terminal')
    config = { ...ours, models: { chat: scriptedModel('Here.') }, plugins: [inDiscord(), inSlack(), ...plugins] }
    const db = await openTestDatabase()
    opened.defer(() => db.close())
    bot = opened.use(await startBot(config, { db, log: silent, env: {} }))
  })
  afterEach(() => opened.disposeAsync())

  async function answers(): Promise<void> {
    const said = [discord.posted.length, slack.posted.length]
    discord.say({ author: 'alice', channel: 'general', text: 'kiki, hello' })
    await slack.say({ author: 'alice', channel: 'general', text: 'kiki, hello' })
    await until(() => discord.posted.length > (said[0] ?? 0) && slack.posted.length > (said[1] ?? 0))
    expect([discord.posted.length, slack.posted.length]).toEqual(said.map(count => count + 1))
  }

  test('a new persona restarts every plugin, and the connections stay', async () => {
    await answers()
    const { restarted, ...rest } = await bot.reload({ ...config, persona: { name: 'kiki', names: ['Momo'] } })
    expect(restarted.toSorted()).toEqual(
      [
        'addressing',
        'digest',
        'eavesdrop',
        'facts',
        'judge-rules',
        'memory-summary',
        'proactive',
        'profiles',
        'promises',
        'quiet',
        'reflection',
        'remember',
        'replay',
        'reply',
      ].toSorted(),
    )
    expect(rest).toEqual({ started: [], stopped: [], applied: ['persona'], later: [] })
    await answers()
    expect({ identified: identified(), slack: slack.connections }).toEqual({ identified: 1, slack: 1 })
  })

  test('new options restart one plugin only, and removing one platform leaves the other', async () => {
    const plugins = config.plugins.map(plugin =>
      nameOf(plugin) === 'quiet' ? quiet({ hours: { from: '03:00', to: '03:01' } }) : plugin,
    )
    expect(await bot.reload({ ...config, plugins })).toMatchObject({ restarted: ['quiet'] })
    await answers()
    const rest = plugins.filter(plugin => nameOf(plugin) !== 'slack')
    expect(await bot.reload({ ...config, plugins: rest })).toMatchObject({ stopped: ['slack'], restarted: [] })
    await until(() => !slack.connected)
    expect(await bot.reload({ ...config, plugins })).toMatchObject({ started: ['slack'], restarted: [] })
    await answers()
    expect(identified()).toBe(1)
  })

  test('new options of a platform reconnect it, and messages meanwhile are answered once', async () => {
    await answers()
    const [, , ...rest] = config.plugins
    const reloading = bot.reload({ ...config, plugins: [inDiscord('5s'), inSlack('5s'), ...rest] })
    discord.say({ author: 'bob', channel: 'general', text: 'kiki, are you there?' })
    await slack.say({ author: 'bob', channel: 'general', text: 'kiki, are you there?' })
    expect(await reloading).toMatchObject({ restarted: ['discord', 'slack'] })
    await until(() => discord.posted.length === 2 && slack.posted.length === 2)
    await answers()
    expect({ identified: identified(), online: discord.online }).toEqual({ identified: 2, online: 1 })
    expect([discord.posted.length, slack.posted.length]).toEqual([3, 3])
  })
})

function nameOf(plugin: PluginEntry): string | undefined {
  return typeof plugin === 'object' && plugin !== null && 'definition' in plugin ? plugin.definition.name : undefined
}
