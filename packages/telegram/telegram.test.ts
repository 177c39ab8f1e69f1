/** A whole bot on the emulator of Telegram, with the real grammY. */
import { Channels, definePlugin, Files } from 'kikimimi'
import { checkPlugin, type PlatformBotOptions, platformBot } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import telegram from './index.ts'
import { startTelegram, type TelegramEmulator } from './testing/index.ts'

let opened: AsyncDisposableStack
let server: TelegramEmulator
beforeEach(async () => {
  opened = new AsyncDisposableStack()
  server = opened.use(await startTelegram())
})
afterEach(() => opened.disposeAsync())

interface Given extends Partial<PlatformBotOptions> {
  readonly options?: Parameters<typeof telegram>[0]
}

async function start({ options, plugins = [], ...given }: Given = {}) {
  const platform = telegram({ token: server.token, apiUrl: server.apiUrl, ...options })
  return opened.use(await platformBot({ plugins: [platform, ...plugins], ...given }))
}

const texts = () => server.posted.map(({ text }) => text)
const until = (holds: () => boolean | Promise<boolean>) => expect.poll(holds).toBe(true)

describe('an answer', () => {
  test('to a message in a topic stands in the topic, and has its name', async () => {
    const { turns } = await start()
    server.say('alice', '@kiki_bot hello', { where: 'plans' })
    await until(() => texts().length === 1)
    expect(server.posted).toMatchObject([{ where: 'plans', text: 'yes, alice' }])
    expect(turns[0]?.conversation).toMatchObject({ name: 'general', thread: '77', details: { threadName: 'plans' } })
  })

  test('waits as long as Telegram asks, and is posted once', async () => {
    const { bot } = await start()
    server.fail('sendMessage', { status: 429, retryAfter: 1 })
    server.say('alice', '@kiki_bot hello')
    const asked = performance.now()
    await until(() => texts().length === 1)
    expect(performance.now() - asked).toBeGreaterThan(990)
    await bot.drained()
    expect(texts()).toEqual(['yes, alice'])
    expect(server.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(2)
  })

  test.each(['before', 'after'] as const)('whose connection breaks %s it is posted is not posted twice', async cut => {
    const { bot, log } = await start()
    server.fail('sendMessage', { cut })
    server.say('alice', '@kiki_bot hello')
    await until(() => log.some(line => line.includes('could not send')))
    server.say('bob', '@kiki_bot and me?')
    await until(() => texts().includes('yes, bob'))
    await bot.drained()
    expect(texts()).toEqual([...(cut === 'after' ? ['yes, alice'] : []), 'yes, bob'])
  })

  test('is shown in a direct message while it is written', async () => {
    const TEXT = 'The first half of an answer is long enough to be shown, and then comes the second half of it.'
    const whole = Promise.withResolvers<void>()
    await start({
      async answer({ show }) {
        show?.({ kind: 'text', text: TEXT.slice(0, 60) })
        await whole.promise
        return { kind: 'text', text: TEXT }
      },
    })
    server.say('alice', 'tell me', { where: 'alice' })
    await until(() => texts().length === 1)
    expect(TEXT.startsWith(texts()[0] ?? 'nothing')).toBe(true)
    expect(texts()[0]).not.toBe(TEXT)
    whole.resolve()
    await until(() => texts()[0] === TEXT)
    expect(server.posted).toHaveLength(1)
  })

  test('with an emoji that Telegram does not have is left out', async () => {
    const { bot, log } = await start({ answer: ({ message }) => ({ kind: 'reaction', emoji: '🦄', to: message.id }) })
    server.say('alice', '@kiki_bot hello')
    await until(() => log.some(line => line.includes('REACTION_INVALID')))
    await bot.drained()
    expect([server.reactions, texts()]).toEqual([[], []])
  })
})

describe('a command', () => {
  test('is answered as a reply, and is no message', async () => {
    const { turns } = await start()
    const asked = server.say('alice', '/help@kiki_bot')
    await until(() => texts().length === 1)
    expect(server.posted[0]).toMatchObject({ where: 'general', replyTo: asked })
    expect(turns).toEqual([])
  })

  test('that only an admin may give asks Telegram who is one', async () => {
    await start()
    server.say('alice', '/kiki stop')
    await until(() => texts().length === 1)
    server.admins.add('alice')
    server.say('alice', '/kiki stop')
    await until(() => texts().length === 2)
    expect(texts()[0]).not.toBe(texts()[1])
    server.say('bob', '@kiki_bot hello')
    server.say('alice', '/kiki start')
    await until(() => texts().length === 3)
    server.say('bob', '@kiki_bot hello again')
    await until(() => texts().includes('yes, bob'))
    expect(texts()).toHaveLength(4)
  })

  test('for another bot is none, and a text after the name is a call', async () => {
    const { turns } = await start()
    server.say('alice', '/help@another_bot')
    server.say('alice', '/kiki what time is it?')
    await until(() => texts().length === 1)
    expect(turns[0]).toMatchObject({ addressed: 'mention', message: { text: 'what time is it?' } })
    expect(turns[0]?.history[0]?.text).toBe('/help@another_bot')
  })
})

test('a link has its address behind its words, and mentions stay', async () => {
  const { turns } = await start()
  const text = 'read this, @kiki_bot, and 日本語 that'
  const link = (words: string, url: string) => ({ type: 'text_link', offset: text.indexOf(words), length: words.length, url })
  const mention = { type: 'mention', offset: text.indexOf('@'), length: '@kiki_bot'.length }
  const entities = [link('this', 'https://example.com/a'), mention, link('that', 'https://example.com/b')]
  server.say('alice', text, { more: { entities } as never })
  await until(() => texts().length === 1)
  expect(turns[0]).toMatchObject({
    addressed: 'mention',
    message: { text: 'read this (https://example.com/a), @kiki_bot, and 日本語 that (https://example.com/b)' },
  })
})

describe('a connection', () => {
  test('that fails for a moment loses no message', async () => {
    const { unready, log } = await start()
    expect(await unready()).toBeUndefined()
    for (const status of [502, 409]) server.fail('getUpdates', { status, description: 'try later', retryAfter: 1 })
    server.say('alice', '@kiki_bot one')
    await until(async () => (await unready())?.includes('refused getUpdates') === true)
    await until(() => texts().length === 1)
    server.say('bob', '@kiki_bot two')
    await until(() => texts().length === 2)
    expect(texts()).toEqual(['yes, alice', 'yes, bob'])
    expect(await unready()).toBeUndefined()
    expect(log.join('\n')).toMatch(/502 try later(?:.|\n)*409 try later/)
    expect(log.join('\n')).not.toContain(server.token)
  })

  test('whose token was revoked ends the bot', async () => {
    const { bot } = await start()
    server.fail('getUpdates', { status: 401, description: 'Unauthorized' })
    server.say('alice', '@kiki_bot hello')
    await expect(bot.failed).rejects.toThrow(/TELEGRAM_TOKEN/)
  })

  test('is refused with a wrong token, and the error does not tell it', async () => {
    const begun = start({ options: { token: '2:wrong' } })
    await expect(begun).rejects.toThrow(/Unauthorized.*Check TELEGRAM_TOKEN/)
    await expect(begun).rejects.not.toThrow(/2:wrong/)
  })
})

describe('a message', () => {
  test('of an admin who writes as the group is by the group', async () => {
    const { turns } = await start()
    const group = { id: -100, type: 'supergroup', title: 'general' } as const
    server.say('GroupAnonymousBot', '@kiki_bot hello', { more: { sender_chat: group } })
    await until(() => texts().length === 1)
    expect(turns[0]?.message.author).toEqual({ id: '-100', name: 'general' })
  })

  test('has its file, whose address does not contain the token', async () => {
    server.file('abc', 'the key is under the mat')
    const read: string[] = []
    const reader = definePlugin({
      name: 'reader',
      needs: [Files],
      setup: ctx => ({
        context: async ({ conversation, message, signal }) => {
          const files = await ctx.use(Files).read(conversation, message.attachments, { signal })
          read.push(JSON.stringify([message.attachments, files]))
          return undefined
        },
      }),
    })
    await start({ plugins: [reader] })
    const document = { file_id: 'abc', file_unique_id: 'abc', file_name: 'note.txt', mime_type: 'text/plain' }
    server.say('alice', '', {
      more: { document, caption: '@kiki_bot what does it say?', text: undefined } as never,
      where: 'alice',
    })
    await until(() => read.length === 1)
    expect(read[0]).toContain('the key is under the mat')
    expect(read[0]).not.toContain('secret')
  })
})

test('check tells of privacy mode', async () => {
  expect(await checkPlugin(telegram({ token: server.token, apiUrl: server.apiUrl }))).toEqual([
    { what: 'telegram: the token is that of @kiki_bot' },
    { what: 'telegram: privacy mode is on', problem: expect.stringContaining('/setprivacy') },
  ])
})

/** Says a text after each answer, in the place and directly. */
const pinger = (text: string) =>
  definePlugin({
    name: 'pinger',
    needs: [Channels],
    setup: ctx => ({
      async after({ conversation, message }) {
        if (message.text.includes('quiet')) return
        const how = { sources: 'none', notify: [message.author] } as const
        await ctx.send(conversation, { kind: 'text', text }, how)
        const direct = await ctx.use(Channels).direct(conversation, message.author)
        if (direct) await ctx.send(direct, { kind: 'text', text }, how)
      },
    }),
  })

test('a message outside of a turn notifies the people whom its plugin names, and no other user name', async () => {
  await start({ plugins: [pinger('⏰ alice: write to @bob_smith, mail to a@b.example, `@x`')] })
  server.say('alice', '@kiki_bot hello')
  await until(() => texts().length === 3)
  const sent = server.calls.filter(({ method }) => method === 'sendMessage').map(({ params }) => params)
  const list = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)
  expect(sent[1]?.text).toBe('⏰ alice: write to @\u2060bob_smith, mail to a@b.example, `@x`')
  expect(list(sent[1]?.entities)).toMatchObject([{ type: 'text_mention', offset: 2, length: 5, user: { first_name: 'alice' } }])
  expect(list(sent[1]?.entities)[0].user.id).toBe(Number(sent[2]?.chat_id))
  expect(sent[2]).toMatchObject({ text: '⏰ alice: write to @bob_smith, mail to a@b.example, `@x`' })
  expect(sent[2]).not.toHaveProperty('entities')
  expect(sent[0]).not.toHaveProperty('entities')
})
