/** A message outside of a turn notifies exactly the people that its plugin names. */
import { Channels, definePlugin, type Turn } from 'kikimimi'
import { expect, test } from 'vitest'
import { mention, startOnSlack, until } from './test-bot.ts'

const TEXT = '⏰ alice: **eat** <!everyone>, <@U123>, @here & more'
const SHOWN = ': *eat* &lt;!everyone&gt;, &lt;@U123&gt;, @here &amp; more'

/** Answers, then says the text in the place and directly, from `ready` on. */
const pinger = (turns: Turn[], ready?: Promise<void>) =>
  definePlugin({
    name: 'pinger',
    needs: [Channels],
    setup: ctx => ({
      respond: () => ({ kind: 'text', text: 'yes' }),
      async after(turn) {
        turns.push(turn)
        await ready
        const { conversation, message } = turn
        const how = { sources: 'none', notify: [message.author] } as const
        await ctx.send(conversation, { kind: 'text', text: TEXT }, how)
        const direct = await ctx.use(Channels).direct(conversation, message.author)
        if (direct) await ctx.send(direct, { kind: 'text', text: TEXT }, how)
      },
    }),
  })()

test('only the people to notify are mentioned, and in a direct message nobody', async () => {
  const turns: Turn[] = []
  await using on = await startOnSlack({ responder: pinger(turns) })
  await on.slack.say(mention('hi'))
  await until(() => on.texts().length >= 3)
  const posts = on.slack.calls.filter(({ method }) => method === 'chat.postMessage').map(({ args }) => args)
  const alice = turns[0]?.message.author.id
  expect(alice).toMatch(/^U/)
  expect(posts.slice(1).map(({ text }) => text)).toEqual([`⏰ <@${alice}>${SHOWN}`, `⏰ alice${SHOWN}`])
  expect(posts[2]?.channel).not.toBe(posts[1]?.channel)
  expect(posts.every(args => !('link_names' in args) && !('parse' in args))).toBe(true)
})

test('a mention whose post had no response is found by its text, and posted once', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  await using on = await startOnSlack({ responder: pinger([], ready), slack: { keepsMetadata: false } })
  await on.slack.say(mention('hi'))
  await until(() => on.texts().length === 1)
  on.slack.fail('chat.postMessage', { reset: true, done: true })
  resolve()
  await until(() => on.texts().length >= 3)
  await on.bot.drained()
  expect(on.texts()).toHaveLength(3)
})

test('without the scope for it no direct message is begun', async () => {
  const scopes = ['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'users:read']
  await using on = await startOnSlack({ responder: pinger([]), slack: { scopes } })
  await on.slack.say(mention('hi'))
  await until(() => on.log.some(line => line.includes('could not open a direct conversation')))
  await on.bot.drained()
  expect(on.texts()).toHaveLength(2)
})
