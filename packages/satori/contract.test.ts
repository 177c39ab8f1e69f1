/** The contract through the real client library of Satori. */
import SatoriAdapter from '@satorijs/adapter-satori'
import { platformContract } from 'kikimimi/testing'
import satori from './index.ts'
import { startSatori } from './testing/index.ts'

platformContract('satori', async () => {
  const server = await startSatori()
  const { endpoint, token } = server
  const said = (author: string, text: string, where?: string) => server.say(author, text, where)
  return {
    plugin: satori({ adapters: [{ use: SatoriAdapter, with: { endpoint, token } }], publicChannels: ['general'] }),
    places: { private: 'staff', direct: 'alice' },
    say: async (author, text, { mention, where }) => said(author, mention ? `${server.mention} ${text}` : text, where),
    reply: async (author, text, to) => said(author, `<quote id="${to}"/>${text}`),
    edit: async (id, text) => server.edit(id, text),
    remove: async id => server.remove(id),
    react: async (author, id, emoji) => server.react(author, id, emoji),
    unreact: async (author, id, emoji) => server.react(author, id, emoji, true),
    redeliver: async id => server.redeliver(id),
    details: { workspaceName: 'the town' },
    seen: () =>
      server.lines
        .filter(({ author }) => author === 'kiki')
        .map(({ id, content, where }) => {
          const [, quotes] = /<quote id="([^"]+)"/.exec(content) ?? []
          const text = content.replace(/<quote[^>]*\/>/, '')
          return { id, text, ...(where !== 'general' && { where }), ...(quotes && { quotes }) }
        }),
    reactions: () => server.reactions.map(({ emoji }) => emoji),
    close: () => server[Symbol.asyncDispose](),
  }
})
