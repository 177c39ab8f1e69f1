import { platformContract } from 'kikimimi/testing'
import { startDiscord } from 'kikimimi/testing/discord'
import discordPlugin from './index.ts'

platformContract('discord', async () => {
  const discord = await startDiscord({ typingMs: 300 })
  const places = {
    thread: discord.thread({ channel: 'general', name: 'plans' }),
    private: discord.channel({ name: 'staff', private: true }),
    direct: discord.direct('alice'),
  }
  const besides = new Set(Object.values(places))
  const said = new Map<string, Parameters<typeof discord.say>[0]>()
  const say = (what: Parameters<typeof discord.say>[0]): string => {
    const id = discord.say(what)
    said.set(id, { ...what, id })
    return id
  }
  return {
    plugin: discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }),
    places,
    say: async (author, text, { mention, where }) =>
      say({ author, text: mention ? `@kiki ${text}` : text, channel: where ?? 'general' }),
    reply: async (author, text, replyTo) => say({ author, text, replyTo }),
    edit: async (message, text) => discord.edit(message, text),
    remove: async message => discord.delete(message),
    redeliver: async message => void discord.say(said.get(message) ?? { author: 'alice', text: '' }),
    seen: () =>
      discord.posted.map(({ id, text, channel, replyTo }) => ({
        ...{ id, text },
        ...(besides.has(channel) && { where: channel }),
        ...(replyTo !== undefined && { quotes: replyTo }),
      })),
    reactions: () => discord.reactions.map(({ emoji }) => emoji),
    typing: () => discord.typing(),
    remembers: true,
    close: () => discord.close(),
  }
})
