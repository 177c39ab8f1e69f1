import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import Fastify from 'fastify'
import type { Plugin } from 'kikimimi'
import type { PlatformHooks } from 'kikimimi/platform'
import { type PlatformHarness, platformContract } from 'kikimimi/testing'
import slackPlugin from './index.ts'
import { emojiName, emojiNamed } from './messages/emoji.ts'

platformContract('slack, by socket', async () => {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  const { botToken, appToken, apiUrl } = slack
  return harness(slack, slackPlugin({ botToken, appToken, apiUrl }))
})

platformContract('slack, over HTTP', async () => {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  const { botToken, signingSecret, apiUrl } = slack
  const { definition, ...given } = slackPlugin({ botToken, signingSecret, apiUrl })
  // The bot of the contract would listen on the default port, which may be in use. Its routes go to another server.
  const setup: typeof definition.setup = async (ctx, options) => {
    const { routes, ...parts } = (await definition.setup(ctx, options)) as PlatformHooks
    const server = ctx.scope.adopt(Fastify({ forceCloseConnections: true }), opened => opened.close())
    await routes?.(server)
    slack.deliverTo(`${await server.listen({ host: '127.0.0.1', port: 0 })}/slack/events`)
    ctx.scope.defer(() => slack.deliverTo(undefined))
    return parts
  }
  return harness(slack, { ...given, definition: { ...definition, setup } })
})

async function harness(slack: SlackEmulator, plugin: Plugin): Promise<PlatformHarness> {
  const topic = 'the market on Saturday'
  slack.channel('staff', 'private')
  slack.channel('general').topic = topic
  /** Its first message was deleted. */
  const thread = '1767600000.000100'
  const threads = new Set([thread])
  const said = new Map<string, Parameters<SlackEmulator['say']>[0]>()

  async function say(what: Parameters<SlackEmulator['say']>[0]): Promise<string> {
    const { ts } = await slack.say(what)
    said.set(ts, { ...what, ts })
    return ts
  }
  const channelOf = (message: string) => said.get(message)?.channel ?? 'general'
  const placeOf = (where = 'general') => (threads.has(where) ? { channel: 'general', thread: where } : { channel: where })

  return {
    plugin,
    places: { thread, private: 'staff', direct: '@alice' },
    say: (author, text, { mention, where }) => say({ author, text, mention, ...placeOf(where) }),
    // Threads have one level: a reply to a message in a thread stays in the thread.
    reply: (author, text, to) =>
      say({ author, text, channel: 'general', thread: slack.posted.find(({ ts }) => ts === to)?.thread ?? to }),
    share: (author, text, { name, type, content }) =>
      say({ author, text, mention: true, channel: 'general', files: [{ name, mimetype: type, content: Buffer.from(content) }] }),
    edit: (message, text) => slack.edit(channelOf(message), message, text),
    remove: message => slack.delete(channelOf(message), message),
    details: { workspaceName: 'kikimimi', topic },
    retitle: news => slack.setTopic('alice', 'general', news),
    unheard: async (author, text, { where } = {}) => (await slack.say({ author, text, ...placeOf(where), quietly: true })).ts,
    async openThread(message) {
      threads.add(message)
      return message
    },
    namesThreads: false,
    react: (author, message, emoji) => slack.react(author, channelOf(message), message, emojiName(emoji)),
    unreact: (author, message, emoji) => slack.unreact(author, channelOf(message), message, emojiName(emoji)),
    pin: (author, message) => slack.pin(author, channelOf(message), message),
    unpin: async message => slack.unpin(channelOf(message), message),
    redeliver: async message => void (await slack.say(said.get(message) ?? { author: 'alice', channel: 'general', text: '' })),
    seen: () =>
      slack.posted.map(({ ts, channel, text, thread: under }) => ({
        id: ts,
        text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
        ...(under !== undefined && threads.has(under) ? { where: under } : channel !== 'general' && { where: channel }),
        ...(under !== undefined && !threads.has(under) && { quotes: under }),
      })),
    reactions: () => slack.reactions.map(emojiNamed),
    typing: () => slack.status('general') !== '',
    remembers: true,
    close: () => slack.close(),
  }
}
