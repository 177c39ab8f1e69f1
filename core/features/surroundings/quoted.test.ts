/** The messages that others answer. */
import { describe, expect, it } from 'vitest'
import { optedOut, past, surrounded } from '../../testing/surrounded.ts'

const to = (id: string) => ({ replyTo: { id } })

describe.each(['memory', 'pglite'] as const)('what a message answers, with messages in %s,', storage => {
  it('comes from the database, when working memory does not hold it, for every turn', async () => {
    await using here = await surrounded({ storage, memory: { ttl: '5m' } })
    const { bot, ids } = here
    await bot.say('carol', 'it is 300 m', { id: 'old' })
    await bot.pass('20m')
    await bot.say('dave', 'hmm, really?', to('old'))
    await bot.pass('10s')
    expect(ids()).toEqual({ quoted: ['old'], earlier: [] })
    await bot.remove('old')
    await bot.say('dave', '@kiki is that correct?', to('old'))
    expect(ids()).toEqual({ quoted: [], earlier: [] })
    expect((await bot.trace()).surroundings).toBeUndefined()
  })

  it('is in working memory and not twice', async () => {
    await using here = await surrounded({ storage })
    const { bot, turns } = here
    await bot.say('carol', 'it is 300 m', { id: 'old' })
    await bot.say('dave', '@kiki is that correct?', to('old'))
    expect(turns[0]?.history.map(({ id }) => id)).toEqual(['old', 'm1'])
    expect(turns[0]?.surroundings).toBeUndefined()
  })
})

describe('what a message answers', () => {
  it('takes the answer with it that was made from it', async () => {
    await using here = await surrounded({ storage: 'pglite', memory: { ttl: '5m' } })
    const { bot, ids } = here
    const answers = async () =>
      (await bot.db.query<{ text: string }>('select text from kikimimi_v1.message where own and deleted_at is null')).rows
    await bot.say('carol', 'it is 300 m', { id: 'old' })
    await bot.pass('20m')
    await bot.say('dave', '@kiki is that correct?', to('old'))
    expect(ids().quoted).toEqual(['old'])
    expect(await answers()).toHaveLength(1)
    await bot.remove('old')
    expect(await answers()).toEqual([])
  })

  it('comes from the event, without a request, and not after it was deleted or edited', async () => {
    const old = past('old', 'it is 300 m', 90)
    const answers = { replyTo: { id: 'old', author: 'carol', message: old } }
    await using here = await surrounded({ platform: { past: [] } })
    const { bot, seen, ids } = here
    await bot.say('dave', 'hmm, really?', answers)
    await bot.pass('10s')
    expect(seen().quoted).toMatchObject([{ id: 'old', text: 'it is 300 m', own: false }])
    await bot.edit('old', 'it is 301 m')
    await bot.say('dave', 'hmm, sure?', to('old'))
    await bot.pass('10s')
    expect(seen().quoted).toMatchObject([{ text: 'it is 301 m' }])
    await bot.remove('old')
    await bot.say('dave', 'hmm, how?', to('old'))
    await bot.pass('10s')
    expect(ids().quoted).toEqual([])
    expect(bot.platform.reads).toEqual([])
  })

  it('is not taken from an event that carries something else', async () => {
    await using here = await surrounded()
    const { bot, ids } = here
    await bot.say('dave', '@kiki?', { replyTo: { id: 'old', message: past('other', 'a lie', 9) } })
    expect(ids().quoted).toEqual([])
    await bot.say('dave', '@kiki?', { replyTo: { id: 'far', message: past('far', 'elsewhere', 9, { in: { channel: 'else' } }) } })
    expect(ids().quoted).toEqual([])
    const secret = past('secret', 'in private', 9, { in: { thread: 'secret' } })
    await bot.say('dave', 'look', { thread: 'secret', replyTo: { id: 'secret', message: secret } })
    await bot.say('dave', '@kiki?', to('secret'))
    expect(ids().quoted).toEqual([])
  })

  it('is followed up to three links, through working memory too', async () => {
    const chain = ['a', 'b', 'c', 'd', 'e'].map((id, index, all) =>
      past(id, id, 90 - index, index === 0 ? {} : to(all[index - 1] ?? '')),
    )
    await using here = await surrounded({ platform: { past: chain, history: async () => [] } })
    const { bot, ids } = here
    await bot.say('dave', '@kiki?', to('e'))
    expect(ids().quoted).toEqual(['c', 'd', 'e'])
    await bot.say('dave', 'x', { id: 'x', thread: 't', ...to('b') })
    await bot.say('dave', '@kiki?', { id: 'y', thread: 't', ...to('x') })
    expect(ids().quoted).toEqual(['a', 'b'])
    expect((await bot.trace()).surroundings).toMatchObject({ quoted: 2 })
  })

  it('may be a circle, or the message itself', async () => {
    const circle = [past('a', 'a', 9, to('b')), past('b', 'b', 8, to('a'))]
    await using here = await surrounded({ platform: { past: circle, history: async () => [] } })
    const { bot, ids } = here
    await bot.say('dave', '@kiki?', to('a'))
    expect(ids().quoted).toEqual(['a', 'b'])
    await bot.say('dave', '@kiki?', { id: 'self', channel: 'two', ...to('self') })
    expect(ids().quoted).toEqual([])
  })

  it('costs five requests at most, for a call, each once in ten minutes', async () => {
    await using here = await surrounded({ platform: { message: async () => undefined } })
    const { bot, ids } = here
    for (let index = 0; index < 9; index++) await bot.say('dave', 'so', { id: `s${index}`, ...to(`t${index}`) })
    await bot.pass('1m')
    expect(bot.platform.reads).toEqual([])
    await bot.say('dave', '@kiki?', to('t9'))
    expect(bot.platform.reads.map(one => one.kind === 'message' && one.id)).toEqual(['t9', 't8', 't7', 't6', 't5'])
    await bot.say('dave', '@kiki!', to('t9'))
    expect(bot.platform.reads).toHaveLength(8)
    expect(ids().quoted).toEqual([])
  })

  it('and cannot be read is left out, and the trace says why', async () => {
    await using here = await surrounded({ platform: { message: () => Promise.reject(new Error('Missing Access')) } })
    const { bot, seen } = here
    await bot.say('dave', '@kiki?', to('hidden'))
    expect(seen()).toEqual({ quoted: [], earlier: [], problem: 'quoted: Missing Access' })
    await bot.say('dave', '@kiki?', to('hidden'))
    expect(bot.platform.reads).toHaveLength(1)
    expect((await bot.trace()).surroundings?.problem).toBe('quoted: the platform did not give it')
  })

  it('is not shown when its author opted out, even meanwhile, or is being forgotten', async () => {
    const people: string[] = []
    const known = ['carol', 'erin'].map(name => past(name, `by ${name}`, 9, { author: { id: name, name } }))
    await using here = await surrounded({ plugins: [optedOut(people)], platform: { past: known, history: async () => [] } })
    const { bot, ids, forget } = here
    await bot.say('dave', '@kiki?', to('carol'))
    expect(ids().quoted).toEqual(['carol'])
    people.push('carol')
    await bot.say('dave', '@kiki?', to('carol'))
    expect(ids().quoted).toEqual([])
    await bot.say('dave', '@kiki?', to('erin'))
    expect(ids().quoted).toEqual(['erin'])
    await forget('erin')
    await bot.say('dave', '@kiki?', to('erin'))
    expect(ids().quoted).toEqual([])
  })

  it('was recorded from somebody who is forgotten now, and is not read again', async () => {
    const platform = { past: [past('c', 'my secret', 9)], history: async () => [] }
    await using here = await surrounded({ storage: 'pglite', platform })
    const { bot, ids, forget } = here
    await bot.say('carol', 'my secret', { id: 'c' })
    await forget('carol')
    await bot.pass('10m')
    await bot.say('dave', '@kiki?', to('c'))
    expect(ids().quoted).toEqual([])
    expect(bot.platform.reads).toEqual([{ kind: 'history', conversation: 'test/team/general', before: 'm1' }])
  })
})
