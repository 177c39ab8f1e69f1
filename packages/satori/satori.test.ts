/** A whole bot on a server of the Satori protocol, with the real client library. */

import { startTelegram } from '@kikimimi/telegram/testing'
import SatoriAdapter from '@satorijs/adapter-satori'
import TelegramAdapter from '@satorijs/adapter-telegram'
import { definePlugin, type Reply, type Turn } from 'kikimimi'
import { platformBot } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import satori, { type SatoriOptions } from './index.ts'
import { type SatoriServer, startSatori } from './testing/index.ts'

let opened: AsyncDisposableStack
let server: SatoriServer
beforeEach(async () => {
  opened = new AsyncDisposableStack()
  server = opened.use(await startSatori())
})
afterEach(() => opened.disposeAsync())

async function start(answer?: (turn: Turn) => string, more: SatoriOptions['adapters'][number][] = []) {
  const { endpoint, token } = server
  const settings = { endpoint, token, retryInterval: 1_000, retryLazy: 1_000 }
  const platform = satori({ adapters: [{ use: SatoriAdapter, with: settings }, ...more] })
  const reply = answer && ((turn: Turn): Reply => ({ kind: 'text', text: answer(turn) }))
  return opened.use(await platformBot({ plugins: [platform], answer: reply }))
}

const texts = () => server.lines.filter(({ author }) => author === 'kiki').map(({ content }) => content)
const until = (holds: () => boolean | Promise<boolean>) => expect.poll(holds, { timeout: 10_000 }).toBe(true)

describe('an answer', () => {
  test('waits as long as the network asks, is posted once, and contains no markup', async () => {
    const { bot } = await start(() => '<at type="all"/> & you')
    server.refuse('message.create', 429, 1)
    server.say('alice', `${server.mention} hello`)
    const asked = performance.now()
    await until(() => texts().length === 1)
    expect(performance.now() - asked).toBeGreaterThan(990)
    await bot.drained()
    expect(texts()).toEqual(['&lt;at type="all"/&gt; &amp; you'])
  })

  test('whose result is unknown is not posted again', async () => {
    const { bot, log } = await start()
    server.refuse('message.create', 502)
    server.say('alice', `${server.mention} hello`)
    await until(() => log.some(line => line.includes('could not send')))
    server.say('bob', `${server.mention} and me?`)
    await until(() => texts().length === 1)
    await bot.drained()
    expect(texts()).toEqual(['yes, bob'])
  })

  test('to a command quotes it', async () => {
    const { turns } = await start()
    const id = server.say('alice', '!kiki help')
    await until(() => texts().length === 1)
    expect(texts()[0]).toContain(`<quote id="${id}"/>`)
    expect(turns).toEqual([])
  })
})

test('a message has its names and files, and a place whose readers are not known is private', async () => {
  const { turns } = await start()
  server.say('bob', 'look: <img src="https://example.com/cat.png" title="cat.png"/><br/><at id="7" name="carol"/> <b>what</b>?')
  server.say('alice', `${server.mention} and you?`)
  await until(() => texts().length === 1)
  expect(turns[0]?.conversation).toMatchObject({ workspace: 'town:g1', visibility: 'private' })
  expect(turns[0]?.history[0]).toMatchObject({
    text: 'look: \n@carol what?',
    author: { id: 'town:101', name: 'bob' },
    mentions: [{ id: 'town:7', name: 'carol' }],
    attachments: [{ url: 'https://example.com/cat.png', name: 'cat.png' }],
  })
})

test.each([
  ['<at id="7" name="carol"/>\nplease list:\n1. tea\n2. milk', '@carol\nplease list:\n1. tea\n2. milk'],
  ['shopping <at id="7" name="carol"/>\ntea\n<img src="https://example.com/1.png"/>\nmilk', 'shopping @carol\ntea\n\nmilk'],
  ['one&#10;<b>two</b>', 'one\ntwo'],
  ['see <a href="https://example.com/p">the page</a>', 'see the page (https://example.com/p)'],
  ['<a href="https://example.com/p">https://example.com/p</a>', 'https://example.com/p'],
])('a message has its lines and addresses: %j', async (content, text) => {
  const { turns } = await start()
  server.say('bob', content)
  server.say('alice', `${server.mention} and you?`)
  await until(() => texts().length === 1)
  expect(turns[0]?.history[0]?.text).toBe(text)
})

test('a connection that is cut comes back, with what was said meanwhile', async () => {
  const { unready } = await start()
  expect(await unready()).toBeUndefined()
  server.say('alice', `${server.mention} one`)
  await until(() => texts().length === 1)
  server.cut()
  server.say('bob', `${server.mention} two`)
  await until(async () => (await unready()) === 'not connected: town:1')
  await until(() => texts().length === 2)
  expect(texts()).toEqual(['yes, alice', 'yes, bob'])
  expect(await unready()).toBeUndefined()
})

test('an adapter that runs in the bot brings another network', async () => {
  const telegram = opened.use(await startTelegram())
  const settings = { protocol: 'polling', token: telegram.token, endpoint: telegram.apiUrl }
  const { turns, unready } = await start(undefined, [{ use: TelegramAdapter, with: settings }])
  await until(async () => (await unready()) === undefined)
  telegram.say('carol', '@kiki_bot hello')
  server.say('alice', `${server.mention} hello`)
  await until(() => telegram.posted.length === 1 && texts().length === 1)
  expect([telegram.posted[0]?.text, texts()[0]]).toEqual(['yes, carol', 'yes, alice'])
  const [said] = telegram.posted
  telegram.say('carol', 'really?', { replyTo: said?.id ?? '' })
  await until(() => telegram.posted.length === 2)
  expect(turns.at(-1)).toMatchObject({ addressed: 'reply', message: { text: 'really?', author: { name: 'carol' } } })
})

test('a message outside of a turn mentions the people whom its plugin names, and no others', async () => {
  const { endpoint, token } = server
  const platform = satori({ adapters: [{ use: SatoriAdapter, with: { endpoint, token } }] })
  const pinger = definePlugin({
    name: 'pinger',
    setup: ctx => ({
      async after({ conversation, message }) {
        const reply = { kind: 'text', text: '⏰ alice: <at type="all"/>' } as const
        await ctx.send(conversation, reply, { sources: 'none', notify: [message.author] })
      },
    }),
  })
  opened.use(await platformBot({ plugins: [platform, pinger] }))
  server.say('alice', `${server.mention} hello`)
  await until(() => texts().length === 2)
  expect(texts()[1]).toMatch(/^⏰ <at (?=[^>]*id="[^"]+")(?=[^>]*name="alice")[^>]*\/>: &lt;at type="all"\/&gt;$/)
})
