import { startDiscord } from '@kikimimi/discord/testing'
import { platformContract } from 'kikimimi/testing'
import discordPlugin from './index.ts'

platformContract('discord', async () => {
  const details = { workspaceName: 'team', topic: 'all about ships' }
  const guilds = [{ name: details.workspaceName, channels: [{ name: 'general', topic: details.topic }] }]
  const discord = await startDiscord({ typingMs: 300, guilds })
  const staff = discord.channel({ name: 'staff', private: true })
  const places = {
    thread: discord.thread({ channel: 'general', name: 'plans' }),
    private: staff,
    privateThread: discord.thread({ channel: staff, name: 'two of us', private: true }),
    direct: discord.direct('alice'),
  }
  const besides = new Set(Object.values(places))
  return {
    plugin: discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }),
    places,
    say: async (author, text, { mention, where }) =>
      discord.say({ author, text: mention ? `@kiki ${text}` : text, channel: where ?? 'general' }),
    share: async (author, text, { name, type, content }) =>
      discord.say({
        author,
        text: `@kiki ${text}`,
        channel: 'general',
        attachments: [{ name, type, data: Buffer.from(content) }],
      }),
    reply: async (author, text, replyTo) => discord.say({ author, text, replyTo }),
    edit: async (message, text) => discord.edit(message, text),
    remove: async message => discord.delete(message),
    react: async (author, message, emoji) => discord.react(message, author, emoji),
    unreact: async (author, message, emoji) => discord.unreact(message, author, emoji),
    pin: async (author, message) => discord.pin(message, author),
    unpin: async message => discord.unpin(message),
    redeliver: async message => discord.redeliver(message),
    seen: () =>
      discord.posted.map(({ id, text, channel, replyTo }) => ({
        ...{ id, text },
        ...(besides.has(channel) && { where: channel }),
        ...(replyTo !== undefined && { quotes: replyTo }),
      })),
    reactions: () => discord.reactions.map(({ emoji }) => emoji),
    typing: () => discord.typing(),
    details,
    retitle: async topic => discord.change('general', { topic }),
    unheard: async (author, text, { where } = {}) => discord.say({ author, text, channel: where ?? 'general', unheard: true }),
    openThread: async (message, name) => discord.thread({ channel: 'general', name, from: message }),
    remembers: true,
    close: () => discord.close(),
  }
})
