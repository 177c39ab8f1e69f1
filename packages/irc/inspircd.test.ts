/** A whole bot on a real InspIRCd: what ngIRCd does not have. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reply } from 'kikimimi'
import { type PlatformBotOptions, platformBot } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import irc from './index.ts'
import { inspircdProgram, startInspircd } from './testing/inspircd.ts'
import type { Ircd, Visitor } from './testing/ircd.ts'

const program = inspircdProgram()
if (!program) process.stderr.write('Not tried here: a bot on InspIRCd. Why: inspircd is not installed.\n')

let opened: AsyncDisposableStack
let server: Ircd
beforeEach(async () => {
  opened = new AsyncDisposableStack()
  if (program) server = opened.use(await startInspircd(program))
})
afterEach(() => opened.disposeAsync())

const answer: PlatformBotOptions['answer'] = ({ message }): Reply => ({ kind: 'text', text: `about ${message.text}` })

async function start([first = '', ...more]: readonly string[], database: string | false = false) {
  const at = { host: '127.0.0.1', port: server.port, tls: false, pause: '5ms' as const }
  return platformBot({ plugins: [irc({ ...at, channels: [first, ...more] })], answer, apology: false, database })
}

/** The bot has handled all before, because it answers in order. */
async function answered(person: Visitor, channel: string, word: string): Promise<void> {
  await person.send(`PRIVMSG ${channel} :kiki: ${word}`)
  await expect.poll(() => person.texts('kiki', channel).filter(text => text.endsWith(word)).length).toBe(1)
}

describe.skipIf(!program)('on InspIRCd', () => {
  test('the bot leaves a channel that it is forwarded to, and reads nothing there', async () => {
    const alice = await server.enter('alice', ['#full', '##over', '#general'])
    await alice.send('MODE #full +l 1', 'MODE #full +L ##over')
    await using bot = await start(['#general', '#full'])
    await expect.poll(() => alice.heard.some(line => /^:kiki!\S+ PART :?##over/.test(line))).toBe(true)
    await alice.send('PRIVMSG ##over :what a nice day', 'PRIVMSG ##over :kiki: are you there?')
    await answered(alice, '#general', 'hello')
    expect(alice.texts('kiki', '##over')).toEqual([])
    expect(bot.turns.map(({ conversation }) => conversation.channel)).toEqual(['#general'])
    expect(bot.log.join('\n')).toMatch(/##over/)
  })

  test('what is for the operators of a channel is neither answered nor kept', async () => {
    const alice = await server.enter('alice', ['#general'])
    const bob = await server.enter('bob', ['#general'])
    await using bot = await start(['#general'])
    await expect.poll(() => alice.heard.some(line => /^:kiki!\S+ JOIN/.test(line))).toBe(true)
    await alice.send('MODE #general +o kiki', 'PRIVMSG @#general :kiki: who is banned?')
    await answered(bob, '#general', 'hello')
    expect(bob.texts('kiki', '#general')).toEqual(['about kiki: hello'])
    expect(bot.turns.at(-1)?.history.map(({ text }) => text)).toEqual(['kiki: hello'])
  })

  test('the history of a channel is past, at its time and once, and only a call of meanwhile is answered', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-irc-'))
    const alice = await server.enter('alice', ['#general'])
    await alice.send('MODE #general +H 50:1h')
    {
      await using _bot = await start(['#general'], folder.path)
      await answered(alice, '#general', 'when is the meeting?')
    }
    await alice.send('PRIVMSG #general :it is at nine', 'PRIVMSG #general :kiki: and where?')
    await using bot = await start(['#general'], folder.path)
    await expect.poll(() => alice.texts('kiki', '#general')).toHaveLength(2)
    await answered(alice, '#general', 'hello')
    expect(alice.texts('kiki', '#general').map(text => text.replace(/^alice: /, ''))).toEqual([
      'about kiki: when is the meeting?',
      'about kiki: and where?',
      'about kiki: hello',
    ])
    const history = bot.turns.at(-1)?.history.filter(({ own }) => !own) ?? []
    expect(history.map(({ text }) => text)).toEqual([
      ...['kiki: when is the meeting?', 'it is at nine', 'kiki: and where?', 'kiki: hello'],
    ])
    expect(Number(history[1]?.at)).toBeLessThan(Number(bot.turns.at(-1)?.message.at))
  })
})
