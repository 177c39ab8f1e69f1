/** What people do with an answer of the bot, through the whole bot. */
import reply from '@kikimimi/reply'
import { describe, expect, test } from 'vitest'
import { definePlugin, type Turn } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import { promptOf, scriptedModel } from '../../testing/scripted-model.ts'
import { type TestBot, type TestBotOptions, testBot } from '../../testing/test-bot.ts'

const STORAGES = ['memory', 'pglite'] as const

/** A bot that numbers its answers. */
async function answering(options: TestBotOptions = {}) {
  let count = 0
  const model = scriptedModel(() => `answer ${++count}`)
  const bot = await testBot({ plugins: [reply()], model, ...options, platform: { showsHandles: true, ...options.platform } })
  return { bot, model }
}

const idOf = (bot: TestBot, at = -1) => {
  const post = bot.posted.filter(({ kind }) => kind === 'text').at(at)
  return post?.kind === 'text' ? post.id : ''
}

describe('buttons', () => {
  test('stand under an answer to a call, in its language', async () => {
    const { bot } = await answering()
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    expect(bot.posted).toMatchObject([{ handles: ['Why?', 'Again', 'Shorter', 'Helpful', 'Not helpful', 'Delete'] }])
    await using japanese = await testBot({ plugins: [reply()], model: '満員だからです。', platform: { showsHandles: true } })
    await japanese.say('alice', '@kiki どうして？')
    expect(japanese.posted).toMatchObject([{ handles: expect.arrayContaining(['もう一度', '短く', '削除']) }])
  })

  test('stand under the last part of a long answer, and not under what nobody asked for', async () => {
    const talkative = definePlugin({
      name: 'talkative',
      setup: () => ({
        decide: ({ addressed }) => (addressed ? undefined : { kind: 'full' as const, why: 'talkative' }),
        respond: () => ({ kind: 'text', text: 'one two three four' }),
      }),
    })
    await using bot = await testBot({ plugins: [talkative], platform: { showsHandles: true, textLength: 10 } })
    await bot.say('alice', '@kiki why?')
    expect(bot.posted.map(one => one.kind === 'text' && one.handles !== undefined)).toEqual([false, true])
    await bot.say('alice', 'it rains')
    await bot.pass('1m')
    expect(bot.posted.slice(2).map(one => one.kind === 'text' && one.handles !== undefined)).toEqual([false, false])
  })

  test('are not sent where the platform shows none', async () => {
    const { bot } = await answering({ platform: { showsHandles: false } })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    expect(bot.posted[0]).not.toHaveProperty('handles')
  })
})

describe.each(STORAGES)('an answer, with its data in %s,', storage => {
  test('is written again in its place', async () => {
    const { bot, model } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    await bot.say('bob', 'hm')
    expect(await bot.command('alice', 'again', { message: idOf(bot) })).toBe('I am writing it again.')
    expect(bot.sent).toEqual(['answer 2'])
    expect(promptOf(model.asked[1])).toContain('Your answer to this was:\n\nanswer 1')
    const { decision, outcome } = await bot.trace()
    expect([decision?.why, outcome]).toEqual(['asked for another answer (again)', 'replied'])
    await bot.command('alice', 'shorter')
    expect(bot.sent).toEqual(['answer 3'])
    expect(promptOf(model.asked[2])).toContain('half of the words')
    await bot.say('alice', '@kiki and now?')
    expect(promptOf(model.asked[3])).toContain('answer 3')
    expect(promptOf(model.asked[3])).not.toContain('answer 1')
  })

  test('is written again by a command that comes before the end of its turn', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    const message = idOf(bot)
    const { edit } = bot.platform
    if (!edit) return expect.unreachable()
    let told: Promise<string | undefined> | undefined
    bot.platform.edit = async (...given) => {
      const isEdited = await edit(...given)
      told ??= bot.command('alice', 'shorter', { message })
      return isEdited
    }
    await bot.command('alice', 'again', { message })
    await bot.pass('1s')
    expect(await told).toBe('I am writing it again.')
    expect(bot.sent).toEqual(['answer 3'])
  })

  test('is deleted by a command that comes before the end of its turn', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    const { send } = bot.platform
    let told: Promise<string | undefined> | undefined
    bot.platform.send = async (...given) => {
      const sent = await send(...given)
      told ??= bot.command('alice', 'delete', { message: sent?.id ?? '' })
      return sent
    }
    await bot.say('alice', '@kiki why?')
    expect(await told).toBe('Deleted.')
    expect(bot.sent).toEqual([])
  })

  test('loses the parts that the new one does not need, and gets those that it needs', async () => {
    const texts = ['one two three four five', 'six', 'seven eight nine ten']
    const model = scriptedModel(() => texts[model.asked.length - 1] ?? '')
    await using bot = await testBot({ storage, plugins: [reply()], model, platform: { textLength: 14 } })
    await bot.say('alice', '@kiki why?')
    expect(bot.sent).toEqual(['one two three', 'four five'])
    await bot.command('alice', 'again', { message: idOf(bot, 0) })
    expect(bot.sent).toEqual(['six'])
    await bot.command('alice', 'again', { message: idOf(bot) })
    expect(bot.sent).toEqual(['seven eight', 'nine ten'])
  })

  test('is deleted', async () => {
    const { bot, model } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    const answer = idOf(bot)
    expect(await bot.command('alice', 'delete', { message: answer })).toBe('Deleted.')
    expect(bot.sent).toEqual([])
    for (const name of ['delete', 'again', 'helpful'])
      expect(await bot.command('alice', name, { message: answer })).toMatch(/^I have no record of that answer/)
    await bot.say('alice', '@kiki hello')
    expect(promptOf(model.asked[1])).not.toContain('answer 1')
  })

  test('belongs to the person who asked, and to moderators', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    for (const name of ['again', 'shorter', 'delete'])
      expect(await bot.command('bob', name, { message: idOf(bot) })).toMatch(/^Only the person who asked/)
    expect(bot.sent).toEqual(['answer 1'])
    await bot.command('mallory', 'again', { message: idOf(bot), moderator: true })
    expect(bot.sent).toEqual(['answer 2'])
  })

  test('gets one vote of each person, which can change', async () => {
    const turns: Turn[] = []
    const seen = definePlugin({ name: 'seen', setup: () => ({ after: turn => void turns.push(turn) }) })
    const { bot } = await answering({ storage, plugins: [reply(), seen] })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    const message = idOf(bot)
    expect(await bot.command('bob', 'helpful', { message })).toBe('Thank you. I learn from that.')
    await bot.command('carol', 'helpful', { message })
    await bot.command('bob', 'unhelpful', { message })
    await bot.say('alice', '@kiki hello')
    expect(turns.at(-1)?.history.find(({ id }) => id === message)?.reactions).toEqual([
      { emoji: '👍', by: ['carol'] },
      { emoji: '👎', by: ['bob'] },
    ])
  })

  test('is explained', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    expect(await bot.command('bob', 'why', { message: idOf(bot) })).toContain('I answered.')
  })

  test('can be handled by reactions of the person who asked', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    const asked = await bot.say('alice', '@kiki why?')
    await bot.react('bob', idOf(bot), '🔁')
    await bot.react('alice', asked, '🔁')
    await bot.react('alice', idOf(bot), '🎉')
    expect(bot.sent).toEqual(['answer 1'])
    await bot.react('alice', idOf(bot), '🔁')
    expect(bot.sent).toEqual(['answer 2'])
    await bot.react('alice', idOf(bot), '🔁', { removed: true })
    await bot.react('alice', idOf(bot), '✂️')
    expect(bot.sent).toEqual(['answer 3'])
    await bot.react('alice', idOf(bot), '🗑️')
    expect(bot.sent).toEqual([])
  })

  test('stays as it is when the model fails', async () => {
    const model = scriptedModel(() => (model.asked.length === 1 ? 'answer 1' : new KikimimiError('MODEL_REFUSED', 'no')))
    await using bot = await testBot({ storage, plugins: [reply()], model })
    await bot.say('alice', '@kiki why?')
    await bot.command('alice', 'again', { message: idOf(bot) })
    await bot.pass('1m')
    expect(bot.sent).toEqual(['answer 1'])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed' })
  })

  test('that is asked for twice at once is written once', async () => {
    const { bot, model } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    const message = idOf(bot)
    await Promise.all([bot.command('alice', 'again', { message }), bot.command('alice', 'again', { message })])
    await bot.pass('1m')
    expect(bot.sent).toEqual([`answer ${model.asked.length}`])
    expect(model.asked.length).toBeLessThanOrEqual(3)
  })

  test('that is deleted after it was asked for again is not written anew', async () => {
    const { bot, model } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    const message = idOf(bot)
    await Promise.all([bot.command('alice', 'again', { message }), bot.remove(message)])
    await bot.pass('1m')
    expect(bot.sent.length).toBeLessThanOrEqual(1)
    bot.platform.posted.splice(0)
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual([`answer ${model.asked.length}`])
  })

  test('is not given other commands by a press', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    for (const name of ['stop', 'status', 'help', 'no-such-command'])
      expect(await bot.command('alice', name, { message: idOf(bot), admin: true })).toBeUndefined()
  })

  test('of a deleted question is not written again', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    const asked = await bot.say('alice', '@kiki why?')
    await bot.remove(asked)
    expect(await bot.command('alice', 'again', { message: idOf(bot), moderator: true })).not.toBe('I am writing it again.')
    expect(bot.sent).toEqual(['answer 1'])
  })

  test('in another workspace or of another bot is unknown', async () => {
    const { bot } = await answering({ storage })
    await using _ = bot
    const asked = await bot.say('alice', '@kiki why?')
    for (const given of [{ message: idOf(bot), workspace: 'other' }, { message: asked }, { message: 'forged"; drop table' }])
      expect(await bot.command('alice', 'delete', { ...given, moderator: true })).toMatch(/^I have no record/)
    expect(bot.sent).toEqual(['answer 1'])
  })
})

test('what a tool has done is not done again', async () => {
  const done: string[] = []
  const tool = { name: 'order', description: 'orders lunch', schema: {}, invoke: async () => `${done.push('lunch')}` }
  const model = scriptedModel(() =>
    model.asked.length === 1 ? { toolCalls: [{ id: '1', name: 'order', args: {} }] } : 'Ordered.',
  )
  await using bot = await testBot({ plugins: [definePlugin({ name: 'shop', setup: () => ({ tools: [tool] }) }), reply()], model })
  await bot.say('alice', '@kiki order lunch')
  expect(await bot.command('alice', 'again', { message: idOf(bot) })).toMatch(/^I cannot write that again/)
  expect([done, bot.sent]).toEqual([['lunch'], ['Ordered.']])
})

test('an answer that is shown while it is written has its buttons at the end', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const model = scriptedModel(request => {
    request.onText?.('The deploy failed because the disk was full.')
    return promise
  })
  await using bot = await testBot({ plugins: [reply()], model, platform: { streams: true, showsHandles: true } })
  await bot.say('alice', '@kiki why?')
  await bot.pass('1s')
  expect(bot.posted[0]).not.toHaveProperty('handles')
  resolve('The deploy failed because the disk was full.')
  await bot.pass('2s')
  expect(bot.posted).toMatchObject([{ text: 'The deploy failed because the disk was full.', handles: expect.any(Array) }])
})

test('a bot that ends before it has written again does so after its start', async () => {
  const { bot, model } = await answering({ storage: 'pglite' })
  await using _ = bot
  await bot.say('alice', '@kiki why?')
  bot.platform.faults.push(Object.assign(new KikimimiError('PLATFORM_REFUSED', 'rate limited'), { retryAfterMs: 60_000 }))
  await bot.command('alice', 'again', { message: idOf(bot) })
  expect(bot.sent).toEqual(['answer 1'])
  await bot.restart()
  await bot.pass('2m')
  expect(bot.sent).toEqual(['answer 2'])
  expect(model.asked).toHaveLength(2)
})
