import { platformContract } from 'kikimimi/testing'
import { describe } from 'vitest'
import irc from './index.ts'
import { ngircdProgram, startNgircd } from './testing/ngircd.ts'

const program = ngircdProgram()
if (!program) process.stderr.write('Not tried here: IRC. Why: ngircd is not installed.\n')

describe.skipIf(!program)('on ngIRCd', () => {
  platformContract('irc', async () => {
    const server = await startNgircd(program ?? '')
    const channels = ['#general', '#staff']
    const [alice, bob] = [await server.enter('alice', channels), await server.enter('bob', channels)]
    const topic = 'all about ships'
    await alice.send(`TOPIC #general :${topic}`)
    const people: Readonly<Record<string, typeof alice>> = { alice, bob }
    const { port } = server
    return {
      plugin: irc({ host: '127.0.0.1', port, tls: false, channels: ['#general', '#staff'], pause: '5ms' }),
      places: { private: '#staff', direct: 'kiki' },
      say: async (author, text, { mention, where = '#general' }) =>
        people[author]?.send(`PRIVMSG ${where} :${mention ? '@kiki ' : ''}${text}`),
      seen: () => [
        ...alice.texts('kiki', '#general').map(text => ({ text })),
        ...alice.texts('kiki', '#staff').map(text => ({ text, where: '#staff' })),
        ...alice.texts('kiki', 'alice').map(text => ({ text, where: 'kiki' })),
      ],
      details: { workspaceName: 'TestNet', topic },
      retitle: async news => alice.send(`TOPIC #general :${news}`),
      close: async () => server[Symbol.asyncDispose](),
    }
  })
})
