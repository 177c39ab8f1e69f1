/** A bot on Telegram, on Matrix and on IRC that is killed, with its data in a folder. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ngircdProgram, startNgircd } from '../packages/irc/testing/ngircd.ts'
import { calling, enter, startHomeserver } from '../packages/matrix/testing/index.ts'
import { startTelegram } from '../packages/telegram/testing/index.ts'
import { type BotProcess, startProcess } from './bot-process.ts'

const root = join(import.meta.dirname, '..')
const program = ngircdProgram()
if (!program) process.stderr.write('Not tried here: a bot on IRC that is killed. Why: ngircd is not installed.\n')

/** A platform as the test uses it. */
interface Scene extends AsyncDisposable {
  /** The entry in bot.config.ts, with its import. */
  readonly plugin: { readonly import: string; readonly call: string }
  ask(text: string): Promise<void>
  answers(): readonly string[]
  /** The next answer is posted, and the bot does not learn it. Absent: the platform cannot do that. */
  loseResult?(): void
  /** Whether people who write while the bot is away are answered. */
  readonly keeps: boolean
}

async function onTelegram(): Promise<Scene> {
  const server = await startTelegram()
  return {
    plugin: {
      import: `import telegram from '@kikimimi/telegram'`,
      call: `telegram({ token: '${server.token}', apiUrl: '${server.apiUrl}' })`,
    },
    ask: async text => void server.say('alice', `@kiki_bot ${text}`),
    answers: () => server.posted.map(({ text }) => text),
    loseResult: () => server.fail('sendMessage', { cut: 'after' }),
    keeps: true,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function onMatrix(): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startHomeserver())
  const alice = opened.use(await enter(server.url, 'alice'))
  const kiki = await enter(server.url, 'kiki', false)
  const room = await alice.create({ name: 'general' }, kiki)
  const scope = opened.move()
  return {
    plugin: {
      import: `import matrix from '@kikimimi/matrix'`,
      call: `matrix({ homeserver: '${server.url}', token: '${kiki.token}' })`,
    },
    ask: async text => void (await alice.send(room, calling(kiki, text))),
    answers: () => alice.seen.filter(({ sender, type }) => sender === kiki.id && type === 'm.room.message').map(textOf),
    loseResult: () => server.fail(kiki.id, /send/, { cut: 'after' }),
    keeps: true,
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

const textOf = ({ content }: { readonly content: Readonly<Record<string, unknown>> }) => String(content.body)

async function onIrc(): Promise<Scene> {
  const server = await startNgircd(program ?? '')
  const alice = await server.enter('alice')
  return {
    plugin: {
      import: `import irc from '@kikimimi/irc'`,
      call: `irc({ host: '127.0.0.1', port: ${server.port}, tls: false, channels: ['#general'] })`,
    },
    ask: async text => alice.send(`PRIVMSG #general :kiki: ${text}`),
    // The server may still show the nick of the killed process.
    answers: () => ['kiki', 'kiki_'].flatMap(nick => alice.texts(nick, '#general')),
    keeps: false,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe.each([
  { name: 'Telegram', open: onTelegram, there: true },
  { name: 'Matrix', open: onMatrix, there: true },
  { name: 'IRC', open: onIrc, there: program !== undefined },
])('on $name', ({ open, there }) => {
  test.runIf(there)('a bot that is killed answers no call twice, and loses none that the network has given it', async () => {
    await using opened = new AsyncDisposableStack()
    const scene = opened.use(await open())
    await mkdir(join(root, '.cache'), { recursive: true })
    const folder = opened.use(await mkdtempDisposable(join(root, '.cache/killed-')))
    const asked = join(folder.path, 'asked')
    await writeFile(
      join(folder.path, 'bot.config.ts'),
      `import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
${scene.plugin.import}
import { defineBot, definePlugin } from 'kikimimi'

const answer = definePlugin({
  name: 'answer',
  setup: () => ({
    async respond({ message, signal }) {
      writeFileSync(${JSON.stringify(asked)}, message.text)
      if (message.text.includes('slow')) await pause(1_500, undefined, { signal })
      return { kind: 'text', text: 'to ' + message.text.split(' ').at(-1) }
    },
  }),
})

export default defineBot({
  persona: { name: 'kiki' },
  database: ${JSON.stringify(join(folder.path, 'data'))},
  plugins: [${scene.plugin.call}, answer],
})
`,
    )
    const config = join(folder.path, 'bot.config.ts').slice(root.length)
    const start = async (): Promise<BotProcess> => {
      const bot = opened.use(startProcess({ PATH: process.env.PATH, HOME: folder.path, LOG_FORMAT: 'json' }, config))
      await bot.listening
      return bot
    }
    const until = (bot: BotProcess, ...answers: readonly string[]) =>
      bot.until(() => answers.every(one => scene.answers().includes(one)))

    // While it makes an answer.
    let bot = await start()
    await scene.ask('slow one')
    await bot.until(() => existsSync(asked))
    await bot.kill()
    expect(scene.answers()).toEqual([])
    if (scene.keeps) await scene.ask('two')
    bot = await start()
    await until(bot, 'to one', ...(scene.keeps ? ['to two'] : []))

    // When an answer is posted, and it has not learned that.
    scene.loseResult?.()
    await scene.ask('three')
    await until(bot, 'to three')
    await bot.kill()
    await rm(asked)
    bot = await start()
    await scene.ask('four')
    await until(bot, 'to four')
    expect(scene.answers().toSorted()).toEqual(['to four', 'to one', 'to three', ...(scene.keeps ? ['to two'] : [])])
  })
})
