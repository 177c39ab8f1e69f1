/** The message that a thread hangs on. */
import { describe, expect, it } from 'vitest'
import type { IncomingMessage } from '../../api/index.ts'
import { optedOut, past, surrounded, THREAD } from '../../testing/surrounded.ts'

const ROOT = past('root', 'The frobnicator is broken since Tuesday', 60)

describe.each(['memory', 'pglite'] as const)('the root of a thread, with messages in %s,', storage => {
  it('comes from the database, for a turn that nobody called for too', async () => {
    await using here = await surrounded({ storage, platform: { past: [] } })
    const { bot, seen, turns } = here
    await bot.say('carol', 'the frobnicator is broken', { id: 'root' })
    await bot.say('dave', 'hmm, again?', THREAD)
    await bot.pass('1m')
    expect(turns).toHaveLength(1)
    expect(seen()).toMatchObject({ root: { id: 'root', text: 'the frobnicator is broken', author: { id: 'carol' } } })
    expect(bot.platform.reads).toEqual([])
    expect((await bot.trace()).surroundings).toEqual({ earlier: 0, quoted: 0, requests: 0 })
  })

  it('is deleted when the bot knows that, without a request', async () => {
    await using here = await surrounded({ storage, platform: { past: [ROOT] } })
    const { bot, seen } = here
    await bot.say('carol', 'the frobnicator is broken', { id: 'root' })
    await bot.remove('root')
    await bot.say('dave', '@kiki help', THREAD)
    expect(seen().root).toBe('deleted')
    expect(bot.platform.reads.filter(({ kind }) => kind === 'message')).toEqual([])
  })
})

describe('the root of a thread', () => {
  it('comes from working memory, also when the bot itself wrote it', async () => {
    await using here = await surrounded({ platform: { past: [] } })
    const { bot, seen } = here
    await bot.say('dave', '@kiki start', { id: 'q' })
    const [own] = bot.posted
    const root = own?.kind === 'text' ? own.id : ''
    await bot.bot.receive(bot.platform, past(root, 'to q', 0, { author: bot.platform.me }))
    await bot.say('dave', '@kiki go on', { thread: 't2', details: { root } })
    expect(seen().root).toMatchObject({ id: root, own: true })
    const forum = { thread: 't3', details: { root: 'post' } }
    await bot.say('erin', 'How do I reset it?', { id: 'post', ...forum })
    await bot.say('dave', '@kiki do you know?', forum)
    expect(seen().root).toMatchObject({ id: 'post', text: 'How do I reset it?' })
    expect(seen().earlier).toEqual([])
  })

  it('is read once for a call, and then known for ten minutes', async () => {
    await using here = await surrounded({ platform: { past: [ROOT] } })
    const { bot, seen } = here
    await bot.say('dave', 'hmm', THREAD)
    await bot.pass('10s')
    expect(seen().root).toBe('unreadable')
    for (const text of ['@kiki help', '@kiki please']) {
      await bot.say('dave', text, THREAD)
      expect(seen().root).toMatchObject({ text: ROOT.text })
    }
    const messages = () => bot.platform.reads.filter(({ kind }) => kind === 'message')
    expect(messages()).toHaveLength(1)
    await bot.pass('11m')
    await bot.say('dave', '@kiki and now?', THREAD)
    expect(messages()).toHaveLength(2)
  })

  it.each([
    ['deleted', async () => undefined, undefined],
    ['unreadable', () => Promise.reject(new Error('no permission')), 'root: no permission'],
    ['unreadable', () => new Promise<undefined>(() => {}), 'root: no answer within 2 s'],
    ['unreadable', async () => past('other', 'a lie', 9), 'root: the platform gave another message'],
    ['unreadable', async () => past('root', 'a lie', 9, { in: { channel: 'else' } }), 'root: the platform gave another message'],
    ['unreadable', async () => ({ id: 'root' }) as IncomingMessage, 'root: the platform gave another message'],
    ['unreadable', async () => 'root' as never, 'root: the platform gave another message'],
    ['unreadable', async () => past('root', 'in secret', 9, { in: { thread: 'secret' } }), undefined],
  ])('is %s when the platform answers so', async (root, message, problem) => {
    await using here = await surrounded({ platform: { message } })
    const { bot, seen } = here
    await bot.say('dave', '@kiki help', THREAD)
    await bot.pass('5s')
    expect(seen().root).toBe(root)
    expect(seen().problem).toBe(problem)
    expect((await bot.trace()).surroundings).toMatchObject({ requests: 1, ...(problem && { problem }) })
    expect(bot.sent).toEqual(['to m1'])
  })

  it('is unreadable when the platform gives no messages, and absent outside of threads', async () => {
    await using here = await surrounded()
    const { bot, seen } = here
    await bot.say('dave', '@kiki help', THREAD)
    expect(seen()).toEqual({ root: 'unreadable', quoted: [], earlier: [] })
    await bot.say('dave', '@kiki help', { details: { root: 'root' } })
    await bot.say('dave', '@kiki help', { thread: 'no root known' })
    expect(seen()).toEqual({ quoted: [], earlier: [] })
  })

  it('of somebody who opted out is not shown; that of another bot is', async () => {
    const card = past('card', '', 9, { author: { id: 'ci', name: 'CI', bot: true }, parts: [{ kind: 'card', title: 'Build 7' }] })
    await using here = await surrounded({ plugins: [optedOut(['carol'])], platform: { past: [ROOT, card] } })
    const { bot, seen } = here
    await bot.say('dave', '@kiki help', THREAD)
    expect(seen().root).toBe('unreadable')
    await bot.say('dave', '@kiki what is this?', { thread: 't2', details: { root: 'card' } })
    expect(seen().root).toMatchObject({ parts: [{ kind: 'card', title: 'Build 7' }] })
  })
})
