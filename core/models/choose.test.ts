/** Which model is asked: through the whole bot. */
import { definePlugin } from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'

const named = (name: string): ChatModel => ({ name, generate: async () => ({ text: `It is ${name}.`, toolCalls: [] }) })

/** Answers with the text of the model for its role. */
const asks = (name: string, role: 'chat' | 'judge') =>
  definePlugin({
    name,
    setup: ({ models }) => ({
      respond: async ({ messages, signal }) => {
        if (!messages.some(({ text }) => text.includes(name))) return undefined
        return { kind: 'text', text: await models.text(role, { system: 'Answer.', messages: [], signal }) }
      },
    }),
  })

const bot = () =>
  testBot({
    models: {
      chat: named('chat'),
      judge: named('judge'),
      plugins: { second: { judge: named('second-judge') } },
      channels: { dev: { chat: named('dev-chat') }, '#quiet': { judge: named('quiet-judge') } },
    },
    plugins: [asks('first', 'chat'), asks('second', 'judge'), asks('third', 'judge')],
  })

describe('the model for a call', () => {
  test.each([
    ['first', 'general', 'It is chat.'],
    ['first', 'dev', 'It is dev-chat.'],
    ['second', 'general', 'It is second-judge.'],
    // A channel with a chat model has the usual judges.
    ['second', 'dev', 'It is second-judge.'],
    ['second', 'quiet', 'It is quiet-judge.'],
    ['third', 'general', 'It is judge.'],
    ['third', 'quiet', 'It is quiet-judge.'],
  ])('of the plugin %s in #%s', async (plugin, channel, text) => {
    await using kiki = await bot()
    await kiki.say('alice', `@kiki ${plugin}`, { channel })
    expect(kiki.sent).toEqual([text])
    expect((await kiki.trace()).models.map(({ model }) => `It is ${model}.`)).toEqual([text])
  })

  test('changes with a reload', async () => {
    await using kiki = await bot()
    await kiki.reload({ models: { chat: named('new'), plugins: { second: { judge: named('newer') } } } })
    await kiki.say('alice', '@kiki second')
    expect(kiki.sent).toEqual(['It is newer.'])
  })

  test('for a plugin that the bot does not have is refused at the start', async () => {
    const models = { chat: named('chat'), plugins: { secnd: { judge: named('typo') } } }
    await expect(testBot({ models, plugins: [asks('second', 'judge')] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/"secnd".*Did you mean "second"\?/),
    })
  })

  test('a role that does not exist is refused at the start', async () => {
    const broken = { chat: named('chat'), plugins: { second: { juge: named('typo') } } }
    await expect(testBot({ models: broken as never, plugins: [] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('juge'),
    })
  })
})
