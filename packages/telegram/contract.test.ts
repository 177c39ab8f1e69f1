import { platformContract } from 'kikimimi/testing'
import telegram from './index.ts'
import { startTelegram } from './testing/index.ts'

platformContract('telegram', async () => {
  const server = await startTelegram({ typingMs: 300 })
  const seenReactions = new Map<string, readonly string[]>()
  const react = (author: string, message: string, next: (now: readonly string[]) => readonly string[]) => {
    const key = `${author} ${message}`
    const before = seenReactions.get(key) ?? []
    seenReactions.set(key, next(before))
    server.react(author, message, before, next(before))
  }
  return {
    plugin: telegram({ token: server.token, apiUrl: server.apiUrl }),
    places: { thread: 'plans', private: 'staff', direct: 'alice' },
    say: async (author, text, { mention, where = 'general' }) =>
      server.say(author, mention ? `@kiki_bot ${text}` : text, { where }),
    reply: async (author, text, replyTo) => server.say(author, text, { replyTo }),
    async share(author, text, { name, type, content }) {
      server.file('shared', content)
      const document = { file_id: 'shared', file_unique_id: 'shared', file_name: name, mime_type: type }
      const caption_entities = [{ type: 'mention', offset: 0, length: '@kiki_bot'.length }]
      server.say(author, '', {
        where: 'general',
        more: { document, caption: `@kiki_bot ${text}`, caption_entities, text: undefined } as never,
      })
    },
    edit: async (message, text) => server.edit(message, text),
    react: async (author, message, emoji) => react(author, message, now => [...now, emoji]),
    unreact: async (author, message, emoji) => react(author, message, now => now.filter(one => one !== emoji)),
    details: { workspaceName: 'general' },
    redeliver: async message => server.redeliver(message),
    seen: () =>
      server.posted.map(({ id, text, where, replyTo }) => ({
        id,
        text,
        ...(where !== 'general' && { where }),
        ...(replyTo !== undefined && { quotes: replyTo }),
      })),
    reactions: () => server.reactions.map(({ emoji }) => emoji),
    typing: server.typing,
    remembers: true,
    timesMs: 1_000,
    close: () => server[Symbol.asyncDispose](),
  }
})
