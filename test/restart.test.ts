/** A bot that is stopped and started again, as in every update. */
import discordPlugin from '@kikimimi/discord'
import { startDiscord } from '@kikimimi/discord/testing'
import slackPlugin from '@kikimimi/slack'
import { startSlack } from '@kikimimi/slack/testing'
import { type Bot, definePlugin, startBot } from 'kikimimi'
import { openTestDatabase } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { silent, until } from './support.ts'

test('a mention during the stop, before the last answer, is answered by the next process', async () => {
  await using opened = new AsyncDisposableStack()
  const discord = opened.use(await startDiscord())
  const slack = opened.use(await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } }))
  const db = opened.adopt(await openTestDatabase(), one => one.close())

  let asked = 0
  let thinking = Promise.withResolvers<void>()
  const thinker = definePlugin({
    name: 'thinker',
    setup: () => ({
      async respond({ message }) {
        asked++
        await thinking.promise
        return { kind: 'text', text: `to ${message.text.replace('@kiki ', '')}` }
      },
    }),
  })
  const start = async (): Promise<Bot> => {
    const plugins = [
      discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }),
      slackPlugin({ botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }),
    ]
    return opened.use(await startBot({ persona: { name: 'kiki' }, plugins: [...plugins, thinker] }, { db, log: silent, env: {} }))
  }
  const say = (text: string) => {
    discord.say({ author: 'alice', text: `@kiki ${text}` })
    void slack.say({ author: 'alice', channel: 'general', text, mention: true })
  }
  const answers = () => [discord, slack].map(({ posted }) => posted.map(({ text }) => text))

  const first = await start()
  say('one')
  await until(() => asked === 2)
  const stopped = first.stop()
  say('two')
  thinking.resolve()
  await stopped
  expect(answers()).toEqual([['to one'], ['to one']])

  thinking = Promise.withResolvers()
  thinking.resolve()
  await start()
  await until(() => answers().every(({ length }) => length === 2))
  expect(answers()).toEqual([
    ['to one', 'to two'],
    ['to one', 'to two'],
  ])
})
