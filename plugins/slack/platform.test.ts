import Fastify from 'fastify'
import { definePlugin, type Plugin, type PluginParts } from 'kikimimi'
import { type PlatformHarness, platformContract } from 'kikimimi/testing'
import { type Slack, startSlack } from 'kikimimi/testing/slack'
import slackPlugin from './index.ts'

platformContract('slack, by socket', async () => {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  const { botToken, appToken, apiUrl } = slack
  return harness(slack, slackPlugin({ botToken, appToken, apiUrl }))
})

platformContract('slack, over HTTP', async () => {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  const { botToken, signingSecret, apiUrl } = slack
  const server = Fastify()
  const { definition, options } = slackPlugin({ botToken, signingSecret, apiUrl })
  // The contract's bot would listen on the default port, which may be taken: its routes go to a server of their own.
  const plugin = definePlugin({
    ...definition,
    async setup(app, given) {
      const { routes, ...parts } = (await definition.setup(app, given)) as PluginParts
      await routes?.(server)
      slack.deliverTo(`${await server.listen({ host: '127.0.0.1', port: 0 })}/slack/events`)
      return parts
    },
  })
  const { close, ...rest } = harness(slack, { ...plugin(), options })
  return {
    ...rest,
    async close() {
      await server.close()
      await close()
    },
  }
})

function harness(slack: Slack, plugin: Plugin): PlatformHarness {
  const ids = new Map<string, string>()
  return {
    plugin,
    async say(author, text, { mention = false, id } = {}) {
      const ts = id === undefined ? undefined : ids.get(id)
      const message = await slack.say({ author, channel: 'general', text, mention, ...(ts !== undefined && { ts }) })
      if (id !== undefined) ids.set(id, message.ts)
    },
    seen: () => slack.posted.map(({ text }) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')),
    reactions: () => slack.reactions.map(name => (name === '+1' ? '👍' : name)),
    typing: () => slack.status('general') !== '',
    redelivers: true,
    close: () => slack.close(),
  }
}
