/** Orders as slash commands, on an emulated Discord and Slack. Their answers are those of commands. */
import discord from '@kikimimi/discord'
import { startDiscord } from '@kikimimi/discord/testing'
import facts, { type FactStore, Facts } from '@kikimimi/facts'
import { definePlugin, type PersonKey, type Plugin } from 'kikimimi'
import { expect, test } from 'vitest'
import { startKiki } from '../discord/test-bot.ts'
import { overSocket, startOnSlack, until } from '../slack/test-bot.ts'
import remember from './index.ts'

/** A memory, and the texts that it keeps of the last author. */
function memory() {
  let store: FactStore | undefined
  let speaker: PersonKey = { platform: '', id: '' }
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Facts],
    setup: ctx => {
      store = ctx.use(Facts)
      return {
        score({ conversation: { platform }, message }) {
          speaker = { platform, id: message.author.id }
        },
      }
    },
  })
  const kept = async (person = speaker) => (await store?.export(person))?.map(({ content }) => content)
  return { plugins: [remember(), facts(), borrower()], kept }
}

test('on Discord', async () => {
  await using server = await startDiscord({ guilds: [{ name: 'team', channels: ['general'] }] })
  const { plugins, kept } = memory()
  const platform = discord({ token: server.token, apiUrl: server.apiUrl, timeout: '1s' })
  await using _kiki = await startKiki(server, {
    answer: () => undefined,
    config: { database: 'memory', plugins: [platform, ...plugins] },
  })
  let alice: PersonKey | undefined
  const ask = async (text: string) => {
    const asked = server.command({ author: 'alice', name: 'kiki', text })
    await server.until(() => asked.answers.length > 0 && !asked.deferred)
    alice = { platform: 'discord', id: asked.user.id }
    return asked.answers
  }
  // The answer to a command is visible to its author only, and no turn runs.
  expect(await ask('remember that my flight is on Friday')).toEqual(['I’ll remember that.'])
  expect(server.posted).toEqual([])
  expect(await kept(alice)).toEqual(['my flight is on Friday'])
  expect(await ask('forget about my flight')).toEqual(['> alice: forget about my flight\nForgotten: “my flight is on Friday”'])
  expect(await kept()).toEqual([])
  expect(await ask('forget me')).toEqual([expect.stringContaining('I am forgetting you')])
})

test('on Slack', async () => {
  const { plugins, kept } = memory()
  const all: Plugin[] = []
  await using on = await startOnSlack({
    config: { database: 'memory', plugins: all },
    before: slack => void all.push(overSocket(slack), ...plugins),
  })
  const ask = async (text: string) => {
    const before = on.texts().length
    await on.slack.command('alice', 'general', '/kiki', text)
    await until(() => on.texts().length > before)
    return on.texts().at(-1)
  }
  expect(await ask('金曜のフライトは10時って覚えておいて')).toBe('覚えておきます。')
  expect(await kept()).toEqual(['金曜のフライトは10時'])
  expect(await ask('フライトのことは忘れて')).toBe('忘れました：「金曜のフライトは10時」')
  expect(await kept()).toEqual([])
})
