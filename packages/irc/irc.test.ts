/** A whole bot on a real ngIRCd. */
import { definePlugin, type Reply } from 'kikimimi'
import { freePort, type PlatformBotOptions, platformBot } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import irc from './index.ts'
import type { Ircd } from './testing/ircd.ts'
import { ngircdProgram, startNgircd } from './testing/ngircd.ts'

const program = ngircdProgram()
if (!program) process.stderr.write('Not tried here: a bot on IRC. Why: ngircd is not installed.\n')

let opened: AsyncDisposableStack
let server: Ircd
beforeEach(async () => {
  opened = new AsyncDisposableStack()
  if (program) server = opened.use(await startNgircd(program))
})
afterEach(() => opened.disposeAsync())

interface Given {
  readonly answer?: PlatformBotOptions['answer']
  readonly options?: Partial<Parameters<typeof irc>[0]>
}

async function start({ answer, options }: Given = {}) {
  const at = { host: '127.0.0.1', port: server.port, tls: false, pause: '5ms' as const }
  const platform = irc({ ...at, channels: ['#general', '#staff'], ...options })
  return opened.use(await platformBot({ plugins: [platform], answer, apology: false }))
}

const until = (holds: () => boolean | Promise<boolean>) => expect.poll(holds).toBe(true)
const text = (said: string): Reply => ({ kind: 'text', text: said })

describe.skipIf(!program)('on ngIRCd', () => {
  test('a channel whose name has brackets is a channel', async () => {
    const bot = await start({ options: { channels: ['#dev[jp]'] } })
    const alice = await server.enter('alice', ['#dev[jp]'])
    await alice.send('PRIVMSG #dev[jp] :what a nice day', 'PRIVMSG #dev[jp] :kiki: are you there?')
    await until(() => alice.texts('kiki', '#dev[jp]').length > 0)
    expect(bot.turns.map(({ message, conversation }) => [message.text, conversation.visibility, conversation.channel])).toEqual([
      ['kiki: are you there?', 'public', '#dev[jp]'],
    ])
  })

  test('a nick that the server does not take is told with the reason', async () => {
    await expect(start({ options: { nick: '9lives' } })).rejects.toThrow(/the nick 9lives is refused \(/)
  })

  describe('an answer', () => {
    test('that is long has whole characters and lines of 512 bytes at most', async () => {
      const sentence = '昨日の会議で決まったことを、もう一度まとめます。'
      await start({ answer: () => text(sentence.repeat(60)) })
      const alice = await server.enter('alice')
      await alice.send('PRIVMSG #general :kiki: what was decided?')
      await until(() => alice.texts('kiki', '#general').join('').length >= sentence.length * 60)
      expect(alice.texts('kiki', '#general').join('')).toBe(sentence.repeat(60))
      const lines = alice.heard.filter(line => line.startsWith(':kiki!'))
      expect(lines.length).toBeGreaterThan(10)
      expect(lines.filter(line => Buffer.byteLength(line) > 510)).toEqual([])
    })

    test('keeps the pace that the server allows', async () => {
      const lines = Array.from({ length: 7 }, (_, index) => `line ${index}`)
      await start({ answer: () => text(lines.join('\n')), options: { burst: 2, pause: '200ms' } })
      const alice = await server.enter('alice')
      const asked = performance.now()
      await alice.send('PRIVMSG #general :kiki: list them')
      await until(() => alice.texts('kiki', '#general').length === 7)
      expect(performance.now() - asked).toBeGreaterThan(5 * 200 - 10)
      expect(alice.texts('kiki', '#general')).toEqual(lines)
    })

    test('names the person whose message it quotes', async () => {
      await start({ answer: ({ message }) => ({ kind: 'text', text: 'that one', replyTo: message.id }) })
      const alice = await server.enter('alice')
      await alice.send('PRIVMSG #general :kiki: which one?')
      await until(() => alice.texts('kiki', '#general').length === 1)
      expect(alice.texts('kiki', '#general')).toEqual(['alice: that one'])
    })

    test('that the channel does not accept is given up, and the next one is sent', async () => {
      const op = await server.enter('op', ['#new'])
      const { log } = await start({ options: { channels: ['#new'] } })
      const alice = await server.enter('alice', ['#new'])
      // Only people with a voice may write.
      await op.send('MODE #new +mv alice')
      await alice.send('PRIVMSG #new :kiki: hello')
      await until(() => log.some(line => line.includes('could not send: IRC refused a message')))
      await op.send('MODE #new -m')
      await alice.send('PRIVMSG #new :kiki: and now?')
      await until(() => alice.texts('kiki', '#new').length > 0)
      expect(alice.texts('kiki', '#new')).toEqual(['yes, alice'])
    })

    test('to a person who has left is given up', async () => {
      const asked = Promise.withResolvers<void>()
      const gone = Promise.withResolvers<void>()
      const { log } = await start({
        async answer({ message }) {
          asked.resolve()
          if (message.author.name === 'alice') await gone.promise
          return text(`yes, ${message.author.name}`)
        },
      })
      const [alice, bob] = [await server.enter('alice'), await server.enter('bob')]
      await alice.send('PRIVMSG kiki :hello')
      await asked.promise
      alice.leave()
      await until(() => bob.heard.some(line => line.startsWith(':alice!') && line.includes(' QUIT ')))
      gone.resolve()
      await until(() => log.some(line => line.includes('could not send: IRC refused a message')))
      await bob.send('PRIVMSG kiki :hello')
      await until(() => bob.texts('kiki', 'bob').includes('yes, bob'))
    })
  })

  describe('a message', () => {
    test('is for the bot, for another person, an action, or none at all', async () => {
      const { turns } = await start()
      const [alice] = [await server.enter('alice'), await server.enter('bob')]
      await alice.send(
        'PRIVMSG #general :bob: \u0002look\u0002',
        'PRIVMSG #general :note: buy milk',
        'PRIVMSG #general :\u0001ACTION waves\u0001',
        'NOTICE #general :kiki: a notice is not answered',
        'PRIVMSG #general :kiki: hello',
      )
      await until(() => alice.texts('kiki', '#general').length === 1)
      expect(turns.at(-1)?.addressed).toBe('mention')
      expect(turns.at(-1)?.history.map(({ text, mentions }) => [text, mentions.map(({ name }) => name)])).toEqual([
        ['bob: look', ['bob']],
        ['note: buy milk', []],
        ['* alice waves', []],
        ['kiki: hello', ['kiki']],
      ])
    })

    test('by CTCP is answered by the client', async () => {
      const { turns } = await start()
      const alice = await server.enter('alice')
      await alice.send('PRIVMSG kiki :\u0001VERSION\u0001', 'PRIVMSG kiki :\u0001PING 123\u0001')
      await until(() => alice.texts('kiki', 'alice', 'NOTICE').length === 2)
      expect(alice.texts('kiki', 'alice', 'NOTICE')).toEqual(['\u0001VERSION kikimimi\u0001', '\u0001PING 123\u0001'])
      expect(turns).toEqual([])
    })
  })

  test('a command is answered to its author alone, and one that changes the channel needs an operator', async () => {
    const op = await server.enter('op', ['#new'])
    const { turns } = await start({ options: { channels: ['#new'] } })
    const alice = await server.enter('alice', ['#new'])
    await alice.send('PRIVMSG #new :!kiki stop')
    await until(() => alice.texts('kiki', 'alice', 'NOTICE').length === 1)
    await op.send('PRIVMSG #new :!kiki stop')
    await until(() => op.texts('kiki', 'op', 'NOTICE').length > 0)
    expect(op.texts('kiki', 'op', 'NOTICE')[0]).not.toBe(alice.texts('kiki', 'alice', 'NOTICE')[0])
    await op.send('PRIVMSG #new :!kiki start', 'PRIVMSG #new :!kiki what time is it?')
    await until(() => op.texts('kiki', '#new').length === 1)
    expect(turns.map(({ message }) => message.text)).toEqual(['what time is it?'])
  })

  describe('a nick', () => {
    test('that is taken gets an underscore, until it is free', async () => {
      const squatter = await server.enter('kiki')
      const { turns } = await start()
      const alice = await server.enter('alice')
      await squatter.send('PRIVMSG #general :I am somebody else')
      await alice.send('PRIVMSG #general :kiki_: hello')
      await until(() => alice.texts('kiki_', '#general').length === 1)
      expect(turns[0]?.history.map(({ own }) => own)).toEqual([false, false])
      squatter.leave()
      await until(() => alice.heard.some(line => /^:kiki_!\S+ NICK :?kiki$/.test(line)))
      await alice.send('PRIVMSG #general :kiki: hello again')
      await until(() => alice.texts('kiki', '#general').includes('yes, alice'))
    })
  })

  describe('a connection', () => {
    test('that is refused fails the start, and says what to check', async () => {
      const port = await freePort()
      await expect(start({ options: { port } })).rejects.toThrow(/ECONNREFUSED.*Check host, port, tls and password/)
    })

    test('that is lost comes back, and an answer of meanwhile is sent once', async () => {
      const asked = Promise.withResolvers<void>()
      const thought = Promise.withResolvers<void>()
      const { unready, bot } = await start({
        async answer({ message }) {
          asked.resolve()
          await thought.promise
          return text(`to ${message.text}`)
        },
      })
      const before = await server.enter('alice')
      await before.send('PRIVMSG #general :kiki: one')
      await asked.promise
      await server[Symbol.asyncDispose]()
      await until(async () => (await unready())?.includes('not connected') === true)
      thought.resolve()
      server = opened.use(await startNgircd(program ?? '', { port: server.port }))
      const alice = await server.enter('alice')
      await until(async () => (await unready()) === undefined)
      await until(() => alice.texts('kiki', '#general').length > 0)
      await alice.send('PRIVMSG #general :kiki: two')
      await until(() => alice.texts('kiki', '#general').length > 1)
      await bot.drained()
      expect(alice.texts('kiki', '#general')).toEqual(['to kiki: one', 'to kiki: two'])
    })

    test('in a network that splits goes on, on each side of the split', async () => {
      const peer = await freePort()
      await server[Symbol.asyncDispose]()
      server = opened.use(await startNgircd(program ?? '', { port: server.port, peer }))
      const other = () => startNgircd(program ?? '', { port: peer, number: 2, peer: server.port })
      const second = opened.use(await other())
      await start()
      const [alice, bob] = [await server.enter('alice'), await second.enter('bob')]
      // Linked: alice sees bob come.
      await until(() => alice.heard.some(line => line.startsWith(':bob!') && line.includes(' JOIN ')))
      await bob.send('PRIVMSG #general :kiki: can you hear me?')
      await until(() => bob.texts('kiki', '#general').length === 1)
      await second[Symbol.asyncDispose]()
      await until(() => alice.heard.some(line => line.startsWith(':bob!') && line.includes(' QUIT ')))
      await alice.send('PRIVMSG #general :kiki: still there?')
      await until(() => alice.texts('kiki', '#general').includes('yes, alice'))
      const again = opened.use(await other())
      const back = await again.enter('bob')
      await until(() => alice.heard.filter(line => line.startsWith(':bob!') && line.includes(' JOIN ')).length === 2)
      await back.send('PRIVMSG #general :kiki: here I am')
      await until(() => back.texts('kiki', '#general').length === 1)
      expect(alice.texts('kiki', '#general')).toEqual(['yes, bob', 'yes, alice', 'yes, bob'])
    })
  })
})

test.skipIf(!program)('a message outside of a turn has the nick of the person whom its plugin names', async () => {
  const platform = irc({ host: '127.0.0.1', port: server.port, tls: false, pause: '5ms', channels: ['#general'] })
  const pinger = definePlugin({
    name: 'pinger',
    setup: ctx => ({
      async after({ conversation, message }) {
        for (const said of ['⏰ alice: eat', 'eat'])
          await ctx.send(conversation, { kind: 'text', text: said }, { sources: 'none', notify: [message.author] })
      },
    }),
  })
  opened.use(await platformBot({ plugins: [platform, pinger] }))
  const alice = await server.enter('alice')
  await alice.send('PRIVMSG #general :kiki: hello')
  await until(() => alice.texts('kiki', '#general').length === 3)
  expect(alice.texts('kiki', '#general').slice(1)).toEqual(['⏰ alice: eat', 'alice eat'])
})
