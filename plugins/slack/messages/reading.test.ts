/** Reading messages for an answer: one by its id, and what was said before. Somebody waits for it. */
import { describe, expect, test } from 'vitest'
import { mention, startWithPlatform, until } from '../test-bot.ts'

/** Bob has said things and has started a thread, and alice has asked the bot there. */
async function asked(slack: Parameters<typeof startWithPlatform>[0] = {}) {
  const on = await startWithPlatform(slack)
  const quietly = { author: 'bob', channel: 'general', quietly: true }
  const first = await on.slack.say({ ...quietly, text: 'good morning' })
  const root = await on.slack.say({ ...quietly, text: 'the frobnicator is broken' })
  const thread = root.ts
  const reply = await on.slack.say({ ...quietly, text: 'since Tuesday', thread })
  const question = await on.slack.say({ ...mention('can you help her?'), thread })
  await until(() => on.turns.length === 1)
  const [turn] = on.turns
  if (!turn) throw new Error('no turn')
  const { conversation, signal } = turn
  const { thread: _, id: __, ...channel } = conversation
  const inChannel = { ...channel, id: 'slack/TKIKIMIMI/CGENERAL' }
  return {
    ...on,
    ...{ first, root, reply, question },
    conversation,
    inChannel,
    message: (id: string, where = conversation) => on.platform.message(where, id, signal),
    before: (id: string, limit: number, where = conversation) => on.platform.history(where, { before: id, limit }, signal),
    reads: () => on.slack.calls.filter(({ method }) => /history|replies/.test(method)).map(({ method, args }) => [method, args]),
  }
}

const REPLIES = 'conversations.replies'
const HISTORY = 'conversations.history'

describe.concurrent('one message', () => {
  test('that begins the thread is read in the channel, with its author, by one small request', async () => {
    await using on = await asked()
    const before = on.reads().length
    expect(await on.message(on.root.ts)).toMatchObject({
      ...{ id: on.root.ts, text: 'the frobnicator is broken', author: { id: 'UBOB', name: 'bob' } },
      conversation: { channel: 'CGENERAL', name: 'general', details: { workspaceName: 'kikimimi' } },
    })
    expect((await on.message(on.root.ts))?.conversation).not.toHaveProperty('thread')
    expect(on.reads()[before]).toMatchObject([REPLIES, { ts: on.root.ts, limit: '1' }])
  })

  test('of the thread is read there, and one of the channel in the channel', async () => {
    await using on = await asked()
    expect(await on.message(on.reply.ts)).toMatchObject({ text: 'since Tuesday', conversation: { thread: on.root.ts } })
    expect(await on.message(on.first.ts)).toMatchObject({ text: 'good morning' })
    expect(await on.message(on.first.ts, on.inChannel)).toMatchObject({ text: 'good morning' })
    expect(
      on
        .reads()
        .map(([method]) => method)
        .slice(-3),
    ).toEqual([REPLIES, HISTORY, HISTORY])
  })

  test('that was deleted, never existed, or is a command is not there', async () => {
    await using on = await asked()
    await on.slack.delete('general', on.reply.ts)
    await on.slack.delete('general', on.first.ts)
    expect(await on.message(on.reply.ts)).toBeUndefined()
    expect(await on.message(on.first.ts, on.inChannel)).toBeUndefined()
    expect(await on.message('1.000001')).toBeUndefined()
    expect(await on.message(`${on.first.ts}-abcd1234`)).toBeUndefined()
    await on.slack.delete('general', on.root.ts)
    expect(await on.message(on.root.ts)).toBeUndefined()
  })

  test.each([
    ['missing_scope', 'Slack refused conversations.replies: missing_scope. Add the scope at https://api.slack.com/apps'],
    ['not_in_channel', 'Slack refused conversations.replies: not_in_channel. Invite the bot to the channel: /invite @bot.'],
    ['ratelimited', 'Slack refused conversations.replies: rate limited. It takes the next call in 5 s.'],
  ])('that cannot be read (%s) is refused at once with a sentence', async (error, sentence) => {
    await using on = await asked()
    on.slack.fail(REPLIES, { error })
    await expect(on.message(on.root.ts)).rejects.toMatchObject({
      code: 'PLATFORM_REFUSED',
      message: expect.stringContaining(sentence),
    })
  })

  test('under a rate limit is refused with the time to wait, and without further requests until then', async () => {
    await using on = await asked()
    on.slack.fail(REPLIES, { rateLimit: true, retryAfter: 30 })
    await expect(on.message(on.root.ts)).rejects.toMatchObject({
      message: 'Slack refused conversations.replies: rate limited. It takes the next call in 30 s.',
      cause: { code: 'ratelimited', retryAfterMs: 30_000 },
    })
    const before = on.reads().length
    await expect(on.message(on.root.ts)).rejects.toThrow(/rate limited\. It takes the next call in (30|29) s\./)
    expect(on.reads()).toHaveLength(before)
    expect(await on.message(on.first.ts)).toMatchObject({ text: 'good morning' })
  })
})

describe.concurrent('what was said before', () => {
  test('in a thread begins with its first message', async () => {
    await using on = await asked()
    const read = await on.before(on.question.ts, 50)
    // The first message belongs to the channel, which the thread hangs on.
    expect(read.map(({ text, conversation }) => [text, conversation.thread])).toEqual([
      ['the frobnicator is broken', undefined],
      ['since Tuesday', on.root.ts],
    ])
  })

  test('in a channel ends right before the point, without the threads', async () => {
    await using on = await asked()
    for (let index = 0; index < 30; index++) {
      await on.slack.say({ author: 'bob', channel: 'general', text: `line ${index}`, quietly: true })
    }
    const last = await on.slack.say({ author: 'bob', channel: 'general', text: 'the last', quietly: true })
    const read = await on.before(last.ts, 3, on.inChannel)
    expect(read.map(({ text }) => text)).toEqual(['line 27', 'line 28', 'line 29'])
    expect(on.reads().at(-1)).toMatchObject([HISTORY, { latest: last.ts }])
  })

  test('is what a distributed app gets with one call, and the next call is not made in vain', async () => {
    await using on = await asked({ slack: { historyEvery: 60 } })
    for (let index = 0; index < 30; index++) {
      await on.slack.say({ author: 'bob', channel: 'random', text: `line ${index}`, quietly: true })
    }
    const random = { ...on.inChannel, channel: on.slack.channel('random').id }
    const last = await on.slack.say({ author: 'bob', channel: 'random', text: 'the last', quietly: true })
    const read = await on.before(last.ts, 50, random)
    expect(read.map(({ text }) => text)).toEqual(Array.from({ length: 15 }, (_, index) => `line ${15 + index}`))
    const before = on.reads().length
    await expect(on.before(last.ts, 50, random)).rejects.toMatchObject({
      message: expect.stringMatching(/rate limited\. It takes the next call in (60|59) s\./),
      cause: { retryAfterMs: expect.any(Number) },
    })
    expect(on.reads()).toHaveLength(before)
  })
})
