/** A persona of a channel posts under its own name and picture. */
import { expect, test } from 'vitest'
import { type BotOptions, mention, startOnSlack, until } from './test-bot.ts'
import { startSlack } from './testing/index.ts'

const picture = 'https://pictures.test/mimi.png'
const config: BotOptions['config'] = {
  persona: { name: 'kiki', channels: { support: { name: 'Mimi', prompt: 'You are Mimi.', picture } } },
}

test('its name and picture stand above its messages, and a message of it is one of the bot', async () => {
  await using on = await startOnSlack({ config })
  await on.slack.say({ ...mention('hello'), channel: 'support' })
  await on.slack.say(mention('hello'))
  await until(() => on.texts().length === 2)
  const posts = on.slack.calls.filter(({ method }) => method === 'chat.postMessage').map(({ args }) => args)
  expect(posts.find(({ channel }) => channel === 'CSUPPORT')).toMatchObject({ username: 'Mimi', icon_url: picture })
  expect(posts.find(({ channel }) => channel === 'CGENERAL')?.username).toBeUndefined()

  const [first] = on.slack.posted.filter(({ channel }) => channel === 'support')
  await on.slack.say({ author: 'alice', channel: 'support', text: 'and you?', thread: first?.ts ?? '' })
  await until(() => on.turns.length === 3)
  expect(on.turns[2]).toMatchObject({ addressed: 'reply', persona: { name: 'Mimi', prompt: 'You are Mimi.' } })
  await on.slack.say({ ...mention('who are you?'), channel: 'support' })
  await until(() => on.turns.length === 4)
  expect(on.turns[3]?.history.filter(({ own }) => own).map(({ author }) => author.name)).toEqual(['Mimi'])
})

test('without the scope it posts under the name of the app, and the log says so once', async () => {
  const all = ['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'users:read']
  await using slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' }, scopes: all })
  await using on = await startOnSlack({ config, there: slack })
  await on.slack.say({ ...mention('hello'), channel: 'support' })
  await on.slack.say({ ...mention('hello again'), channel: 'support' })
  await until(() => on.texts().length === 2)
  expect(on.log.filter(line => line.includes('chat:write.customize'))).toHaveLength(1)
})
