/** Pictures in Slack, for a model with vision. */
import { createServer } from 'node:net'
import reply from '@kikimimi/reply'
import type { SlackFile } from '@kikimimi/slack/testing'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { startGemini } from 'kikimimi/testing/gemini'
import { describe, expect, test } from 'vitest'
import { isSlack } from './messages/files.ts'
import { type BotOptions, mention, startOnSlack, until } from './test-bot.ts'

const CAT = { name: 'cat.png', mimetype: 'image/png', content: Buffer.from('iVBORw0KGgo=', 'base64') }
const SEEN = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }]

async function looking(options: BotOptions = {}) {
  const gemini = await startGemini({ answer: 'What a cat!' })
  const { apiKey, baseUrl } = gemini
  const chat = new ChatGoogleGenerativeAI({ apiKey, baseUrl, model: 'gemini-flash-latest' })
  const on = await startOnSlack({ ...options, responder: reply(), config: { models: { chat } } })
  return {
    ...on,
    async show(file: SlackFile) {
      await on.slack.say({ ...mention('what is this?'), files: [file] })
      await until(() => on.texts().includes('What a cat!'))
    },
    /** The pictures in the request to the model. */
    seen: () => (gemini.calls.at(-1)?.body.contents ?? []).flatMap(({ parts }) => parts.flatMap(part => part.inlineData ?? [])),
    async [Symbol.asyncDispose]() {
      await on[Symbol.asyncDispose]()
      await gemini[Symbol.asyncDispose]()
    },
  }
}

test('a shared picture reaches the model', async () => {
  await using on = await looking()
  await on.show(CAT)
  expect(on.seen()).toEqual(SEEN)
})

test('a picture on another host of Slack does, too', async () => {
  await using on = await looking()
  const { files = [] } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a cat', files: [CAT] })
  on.slack.fail('url_private', { redirect: files[0]?.url_private ?? '' })
  await on.show(CAT)
  expect(on.seen()).toEqual(SEEN)
})

describe('a file of a channel that organizations share', () => {
  const file = { ...CAT, connected: true }

  test('is asked for, and a picture reaches the model', async () => {
    await using on = await looking()
    await on.show(file)
    expect(on.seen()).toEqual(SEEN)
  })

  test('without a word beside it is a message', async () => {
    await using on = await startOnSlack()
    await on.slack.say({ author: 'bob', channel: 'general', text: '', files: [file] })
    await on.slack.say(mention('what is this?'))
    await until(() => on.turns.length === 1)
    expect(on.turns[0]?.history[0]).toMatchObject({ text: '', attachments: [{ name: 'cat.png', type: 'image/png' }] })
  })

  test('that Slack does not show is a file all the same', async () => {
    await using on = await startOnSlack()
    on.slack.fail('files.info', { error: 'file_not_found' })
    await on.slack.say({ author: 'bob', channel: 'general', text: '', files: [file] })
    await on.slack.say(mention('what is this?'))
    await until(() => on.turns.length === 1)
    expect(on.turns[0]?.history[0]?.parts).toEqual([{ kind: 'card', text: '[a file that Slack does not show to the bot]' }])
  })
})

test('a token without files:read gets a login page: no picture, and a log line with the remedy', async () => {
  const scopes = ['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'users:read']
  await using on = await looking({ slack: { scopes } })
  await on.show(CAT)
  expect(on.seen()).toEqual([])
  expect(on.log.join('\n')).toMatch(/a file is left out: .* add the scope files:read at https:\/\/api\.slack\.com\/apps/)
})

test('a picture that Slack cannot deliver is left out, and the answer comes', async () => {
  await using on = await looking()
  on.slack.fail('url_private', { status: 500 })
  await on.show(CAT)
  expect(on.seen()).toEqual([])
  expect(on.log.join('\n')).toContain('a file is left out: its server answered with HTTP 500')
})

test('the number of redirects is limited', async () => {
  await using on = await looking()
  on.slack.fail('url_private', { redirect: '?again' }, 100)
  await on.show(CAT)
  expect(on.seen()).toEqual([])
  expect(on.log.join('\n')).toContain('Slack sends from one place to the next for it')
})

/** A foreign server that wants the token. */
async function elsewhere() {
  let visitors = 0
  const server = createServer(socket => {
    visitors++
    socket.destroy()
  })
  await new Promise<void>(listening => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    visitors: () => visitors,
    [Symbol.asyncDispose]: () => new Promise<void>(closed => void server.close(() => closed())),
  }
}

test('only Slack is asked for pictures', async () => {
  await using other = await elsewhere()
  await using on = await looking()
  await on.show({ name: 'cat.png', mimetype: 'image/png', url_private: `http://127.0.0.1:${other.port}/cat.png` })
  expect(on.seen()).toEqual([])
  expect(on.log.join('\n')).toContain('a file is left out: it is not kept in Slack')
  expect(other.visitors()).toBe(0)
})

test('the token is not sent to the target of a redirect', async () => {
  await using other = await elsewhere()
  await using on = await looking()
  on.slack.fail('url_private', { redirect: `http://127.0.0.1:${other.port}/cat.png` })
  await on.show(CAT)
  expect(on.seen()).toEqual([])
  expect(on.log.join('\n')).toContain('a file is left out: Slack sends elsewhere for it')
  expect(other.visitors()).toBe(0)
})

test('the token is in no log', async () => {
  await using on = await looking()
  on.slack.fail('url_private', { reset: true })
  await on.show(CAT)
  expect(on.log.join('\n')).toContain('a file is left out')
  expect(on.log.join('\n')).not.toMatch(/xoxb-1|xapp-1/)
})

test.each([
  ['https://files.slack.com/files-pri/T1-F1/cat.png', true],
  ['https://slack.com/files-pri/T1-F1/cat.png', true],
  ['https://slack-files.com/T1-F1-1/cat.png', true],
  ['https://files.slack-files.com/T1-F1-1/cat.png', true],
  ['https://proxy.example/slack/cat.png', true],
  ['http://files.slack.com/files-pri/T1-F1/cat.png', false],
  ['https://slack.com.example.net/cat.png', false],
  ['https://notslack.com/cat.png', false],
  ['https://files.slack.com@example.net/cat.png', false],
  ['https://example.net/https://files.slack.com/cat.png', false],
  ['http://proxy.example/slack/cat.png', false],
  ['https://proxy.example:8443/slack/cat.png', false],
])('%s belongs to Slack: %s', (url, expected) => {
  expect(isSlack(new URL(url), 'https://proxy.example/api/')).toBe(expected)
})
