import { describe, expect, test } from 'vitest'
import { noted, remembering } from './test-memory.ts'

const soon = { everyMessages: 1, workspaceEvery: 1 } as const

/** Every memory contains a mark for each of its sources. */
const marks = ({ prompt }: { readonly prompt: string }) =>
  noted([...new Set(prompt.match(/mark-[\w-]+/g))].join(' ') || 'nothing', 'calm', ['trains'])

describe('/kiki summary', () => {
  test.each([
    ['en', 'Topics: trains', 'Recently:'],
    ['ja', '話題：trains', '最近のこと：'],
  ] as const)('tells what goes on where it is asked: %s', async (locale, topics, recent) => {
    await using m = await remembering(marks, soon, { locale })
    await m.bot.say('alice', 'I tell mark-general here')
    await m.bot.say('alice', 'I tell mark-thread here', { thread: 't1' })
    await m.bot.say('alice', 'I tell mark-random here', { channel: 'random' })
    await m.bot.pass('2m')
    const inChannel = await m.bot.command('bob', 'summary')
    expect(inChannel).toContain(topics)
    expect(inChannel).toContain(recent)
    expect(inChannel).toContain('mark-general')
    expect(inChannel).not.toContain('mark-random')
    expect(await m.bot.command('bob', 'summary', { thread: 't1' })).toMatch(/mark-thread/)
    expect(await m.bot.command('bob', 'summary', { thread: 't1' })).not.toMatch(/mark-general/)
  })

  test.each([
    ['en', 'I have not read enough here yet to write a summary.'],
    ['ja', 'まとめられるほどの会話を、まだ聞いていません。'],
  ] as const)('says when it knows nothing: %s', async (locale, nothing) => {
    await using m = await remembering(marks, soon, { locale })
    expect(await m.bot.command('bob', 'summary')).toBe(nothing)
  })

  test('shows nothing from private conversations elsewhere', async () => {
    await using m = await remembering(marks, soon)
    const hidden = { channel: 'hidden', visibility: 'private' } as const
    const aside = { visibility: 'private', thread: 't3' } as const
    await m.bot.say('alice', 'I tell mark-hidden here', hidden)
    await m.bot.say('alice', 'I tell mark-aside here', aside)
    await m.bot.say('alice', 'I tell mark-direct here', { channel: 'd1', visibility: 'direct' })
    await m.bot.pass('2m')
    expect(await m.bot.command('alice', 'summary', hidden)).toContain('mark-hidden')
    expect(await m.bot.command('alice', 'summary', aside)).toContain('mark-aside')
    for (const where of [{}, { thread: 't1' }, { channel: 'd2', visibility: 'direct' }] as const) {
      expect(await m.bot.command('alice', 'summary', where)).not.toMatch(/mark-/)
    }
  })
})
