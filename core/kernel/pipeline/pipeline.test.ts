import { beforeEach, describe, expect, it } from 'vitest'
import { type Context, type Drop, definePlugin, type Section, type Stages, type Trace } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

/** A plugin that fills the stages it is given. */
const plug = (name: string, stages: Stages) => definePlugin({ name, setup: () => stages })

const broken = () => {
  throw new Error('broken')
}
const hangs = () => new Promise<never>(() => {})
const answer = plug('answer', { respond: () => ({ kind: 'text', text: 'answer' }) })
const speak = plug('speak', { decide: () => ({ kind: 'full', why: 'always' }) })

/** Values that JavaScript can return and TypeScript refuses. */
const nonsense = (value: unknown) => () => value as never

describe('filter', () => {
  it('the first reason drops', async () => {
    const asked: string[] = []
    const first = plug('first', {
      filter: ({ text }) => {
        asked.push('first')
        return text.includes('spam') ? 'spam' : undefined
      },
    })
    const second = plug('second', { filter: () => void asked.push('second') })
    await using bot = await testBot({ plugins: [first, second, answer], logLevel: 'debug' })
    await bot.say('alice', '@kiki spam')
    expect(bot.sent).toEqual([])
    expect(bot.log.join('')).toContain('dropped: spam')
    await bot.say('alice', '@kiki eggs')
    expect(bot.sent).toEqual(['answer'])
    expect(asked).toEqual(['first', 'first', 'second'])
  })

  it.each([
    ['throws', broken],
    ['is nonsense', nonsense(42)],
  ])('one that %s drops', async (_, filter) => {
    await using bot = await testBot({ plugins: [plug('bad', { filter }), answer] })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual([])
  })

  it('one that hangs drops after its deadline', async () => {
    await using bot = await testBot({
      plugins: [plug('slow', { filter: ({ text }) => (text.includes('slow') ? hangs() : undefined) }), answer],
    })
    const said = bot.say('alice', '@kiki slow')
    await bot.pass('10s')
    await said
    expect(bot.sent).toEqual([])
    expect(bot.log.join('')).toContain('filter failed: no answer within 5000 ms')
  })
})

describe('onDropped', () => {
  const drops: Drop[] = []
  const listens = plug('listens', { onDropped: drop => void drops.push(drop) })
  const said = plug('said', { filter: ({ text }) => (text.startsWith('drop ') ? text.slice(5) : undefined) })
  beforeEach(() => void drops.splice(0))

  it('the report says where, when, why and by which plugin, without text and author', async () => {
    await using bot = await testBot({ plugins: [said, listens], listen: { except: ['off'] } })
    await bot.say('alice', 'drop is advertising')
    await bot.say('alice', 'hello', { channel: 'off' })
    const at = new Date('2026-01-05T10:00:00Z')
    expect(drops).toEqual([
      { platform: 'test', conversation: expect.objectContaining({ name: 'general' }), at, plugin: 'said', why: 'is advertising' },
      { platform: 'test', conversation: expect.objectContaining({ name: 'off' }), at, why: 'channel is excepted' },
    ])
    expect(JSON.stringify(drops)).not.toMatch(/alice|hello/)
  })

  it('a reason that names the author or is the text itself is redacted', async () => {
    const repeats = plug('repeats', { filter: ({ text }) => text })
    await using bot = await testBot({ plugins: [said, repeats, listens] })
    await bot.say('alice', 'drop alice does not want to be heard')
    await bot.say('alice', 'my secret is 1234')
    expect(drops.map(({ why }) => why)).toEqual(Array(2).fill('redacted: the reason names the author or quotes the message'))
  })

  it('the report of a direct conversation has only the platform, because a channel would identify the author', async () => {
    await using bot = await testBot({ plugins: [said, listens] })
    await bot.say('alice', 'drop opted out', { channel: 'alice', visibility: 'direct' })
    expect(drops).toEqual([{ platform: 'test', at: new Date('2026-01-05T10:00:00Z'), plugin: 'said', why: 'opted out' }])
  })

  it('the message does not wait for these handlers, and a failing handler affects no other', async () => {
    await using bot = await testBot({
      plugins: [said, plug('bad', { onDropped: broken }), plug('slow', { onDropped: hangs }), listens, answer],
    })
    await bot.say('alice', 'drop me')
    await bot.say('alice', '@kiki hello')
    expect(drops).toHaveLength(1)
    expect(bot.sent).toEqual(['answer'])
    await bot.pass('5s')
    expect(bot.log.join('')).toMatch(/\[bad\] onDropped failed: broken.*\[slow\] onDropped failed: no answer within 5000 ms/s)
  })
})

describe('address', () => {
  it('the first answer is used, and a failing handler gives none', async () => {
    await using bot = await testBot({
      plugins: [
        plug('bad', { address: broken }),
        plug('good', { address: () => 'name' }),
        plug('late', { address: () => 'direct' }),
        answer,
      ],
    })
    await bot.say('alice', 'hello')
    expect((await bot.trace()).addressed).toBe('name')
  })
})

describe('score', () => {
  it('points add up with their reasons, and stay from 0 to 100', async () => {
    await using bot = await testBot({
      plugins: [
        plug('a', {
          score: () => [
            { points: 70, why: 'x' },
            { points: 10, why: 'y' },
          ],
        }),
        plug('b', { score: () => ({ points: 60, why: 'z' }) }),
        plug('c', { score: () => undefined }),
      ],
    })
    await bot.say('alice', 'hello')
    await bot.pass('10s')
    expect((await bot.trace()).score).toEqual({
      points: 100,
      parts: [
        { points: 70, why: 'x', plugin: 'a' },
        { points: 10, why: 'y', plugin: 'a' },
        { points: 60, why: 'z', plugin: 'b' },
      ],
    })
  })

  it.each([
    ['throws', broken],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['gives points that are no number', nonsense({ points: Number.NaN, why: 'x' })],
    ['gives no reason', nonsense({ points: 10 })],
    ['gives a text', nonsense('10')],
  ])('a scorer that %s adds no points, and the others count', async (_, score) => {
    await using bot = await testBot({
      plugins: [plug('bad', { score }), plug('good', { score: () => ({ points: 20, why: 'good' }) })],
    })
    await bot.say('alice', 'hello')
    await bot.pass('10s')
    const trace = await bot.trace()
    expect(trace.score?.points).toBe(20)
    expect(trace.problems).toMatchObject([{ plugin: 'bad', stage: 'score' }])
  })

  it('all scorers run at once, and a hanging one delays the turn until its deadline at most', async () => {
    await using bot = await testBot({ plugins: [plug('slow', { score: hangs }), speak, answer] })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual([])
    await bot.pass('6s')
    expect(bot.sent).toEqual(['answer'])
    expect((await bot.trace()).problems).toEqual([{ plugin: 'slow', stage: 'score', message: 'no answer within 5000 ms' }])
  })
})

describe('decide', () => {
  it('the first decision is used', async () => {
    const passes = plug('passes', { decide: () => undefined })
    const says = plug('says', { decide: (_turn, { points }) => ({ kind: 'silent', why: `saw ${points}` }) })
    await using bot = await testBot({
      plugins: [plug('score', { score: () => ({ points: 30, why: 'x' }) }), passes, says, speak, answer],
    })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual([])
    expect((await bot.trace()).decision).toEqual({ kind: 'silent', why: 'saw 30', plugin: 'says' })
  })

  it.each([
    ['throws', broken],
    ['decides nonsense', nonsense({ kind: 'shout', why: 'x' })],
    ['answers with a text', nonsense('full')],
  ])('a decider that %s means silence', async (_, decide) => {
    await using bot = await testBot({ plugins: [plug('bad', { decide }), speak, answer] })
    await bot.say('alice', 'hello')
    await bot.pass('10s')
    expect(bot.sent).toEqual([])
    expect((await bot.trace()).decision).toEqual({ kind: 'silent', why: 'bad failed to decide', plugin: 'bad' })
  })

  it('a mention is answered although a decider fails', async () => {
    await using bot = await testBot({ plugins: [plug('bad', { decide: broken }), answer] })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['answer'])
    expect((await bot.trace()).problems).toMatchObject([{ plugin: 'bad', stage: 'decide' }])
  })

  it('a hanging decider means silence, and its signal is aborted', async () => {
    let signal: AbortSignal | undefined
    const slow = plug('slow', {
      decide: turn => {
        signal = turn.signal
        return hangs()
      },
    })
    await using bot = await testBot({ plugins: [slow, answer] })
    await bot.say('alice', 'hello')
    await bot.pass('30s')
    expect(signal?.aborted).toBe(false)
    await bot.pass('10s')
    expect(signal?.aborted).toBe(true)
    expect((await bot.trace()).decision?.kind).toBe('silent')
  })

  it('confidence is kept from 0 to 1', async () => {
    await using bot = await testBot({ plugins: [plug('sure', { decide: () => ({ kind: 'silent', why: 'x', confidence: 7 }) })] })
    await bot.say('alice', '@kiki hello')
    expect((await bot.trace()).decision?.confidence).toBe(1)
  })
})

describe('context', () => {
  const section = (title: string, place: Section['place'], words: number, weight?: number): Section => ({
    title,
    place,
    text: 'word '.repeat(words),
    ...(weight !== undefined && { weight }),
  })
  const reader = (seen: Context[]) =>
    plug('reader', {
      respond: (_turn, _decision, context) => {
        seen.push(context)
        return { kind: 'text', text: 'ok' }
      },
    })

  it('sections are sorted from wide to narrow, for any order of plugins', async () => {
    const seen: Context[] = []
    await using bot = await testBot({
      plugins: [
        plug('a', { context: () => [section('facts', 'facts', 1), section('workspace', 'workspace', 1)] }),
        plug('b', { context: () => section('channel', 'channel', 1) }),
        reader(seen),
      ],
    })
    await bot.say('alice', '@kiki hello')
    expect(seen[0]?.sections.map(({ title }) => title)).toEqual(['workspace', 'channel', 'facts'])
  })

  it('the heaviest that fit are kept, and the trace lists the dropped ones', async () => {
    const seen: Context[] = []
    await using bot = await testBot({
      contextTokens: 100,
      plugins: [
        plug('a', { context: () => [section('light', 'workspace', 60, 1), section('heavy', 'channel', 60, 3)] }),
        reader(seen),
      ],
    })
    await bot.say('alice', '@kiki hello')
    expect(seen[0]?.sections.map(({ title }) => title)).toEqual(['heavy'])
    expect((await bot.trace()).sections).toMatchObject([
      { title: 'light', kept: false },
      { title: 'heavy', kept: true },
    ])
  })

  it('a section rewrites the answer, and one that fails or leaves nothing changes nothing', async () => {
    const finishing = (title: string, finish: (answer: string) => string) => ({ ...section(title, 'facts', 1), finish })
    const answers = plug('answers', { respond: () => ({ kind: 'text', text: 'see [1]' }) })
    const finishes = plug('finishes', {
      context: () => [
        finishing('link', answer => answer.replace('[1]', 'page.md')),
        finishing('broken', () => {
          throw new Error('no idea')
        }),
        finishing('empty', () => ' '),
        finishing('wrong', () => 1 as never),
        { ...finishing('dropped', () => 'never'), text: 'word '.repeat(5_000), weight: 0.1 },
      ],
    })
    await using bot = await testBot({ plugins: [answers, finishes] })
    await bot.say('alice', '@kiki where?')
    expect(bot.sent).toEqual(['see page.md'])
    const { problems, reply, sections } = await bot.trace()
    expect(problems.map(({ plugin, stage, message }) => [plugin, stage, message])).toEqual([
      ['finishes', 'context', 'no idea'],
      ['finishes', 'context', expect.stringContaining('the result of finish')],
    ])
    expect(reply?.length).toBe('see page.md'.length)
    expect(sections.find(({ title }) => title === 'dropped')?.kept).toBe(false)
  })

  it('a failing provider is left out, and an empty section disappears', async () => {
    const seen: Context[] = []
    await using bot = await testBot({
      plugins: [
        plug('bad', { context: broken }),
        plug('empty', { context: () => ({ title: 'x', text: ' \n', place: 'facts' }) }),
        plug('good', { context: () => section('good', 'facts', 1) }),
        reader(seen),
      ],
    })
    await bot.say('alice', '@kiki hello')
    expect(seen[0]?.sections.map(({ title }) => title)).toEqual(['good'])
  })

  it('a decider can read it, and the responders get the same', async () => {
    const seen: Context[] = []
    let asked = 0
    const counts = plug('counts', {
      context: () => {
        asked++
        return section('good', 'facts', 1)
      },
    })
    const reads = (name: string) => plug(name, { decide: async (_turn, _score, { context }) => void seen.push(await context()) })
    await using bot = await testBot({ plugins: [counts, reads('one'), reads('two'), reader(seen)] })
    await bot.say('alice', '@kiki hello')
    expect(seen.map(({ sections }) => sections.map(({ title }) => title))).toEqual([['good'], ['good'], ['good']])
    expect(asked).toBe(1)
    const { sections, ms } = await bot.trace()
    expect(sections).toMatchObject([{ title: 'good', plugin: 'counts', kept: true }])
    expect(ms).toHaveProperty('context')
  })

  it('the trace of a silent turn has the sections that a decider read, and the next turn reads them again', async () => {
    let asked = 0
    const counts = plug('counts', { context: () => section(`${++asked}`, 'facts', 1) })
    const reads = plug('reads', {
      decide: async (_turn, _score, { context }) => {
        const { sections } = await context()
        return { kind: 'silent', why: `read ${sections.map(({ title }) => title)}` }
      },
    })
    await using bot = await testBot({ plugins: [counts, reads] })
    for (const text of ['hello', 'again']) {
      await bot.say('alice', text)
      await bot.pass('10s')
    }
    expect((await bot.traces()).map(({ decision, sections }) => [decision?.why, sections.length])).toEqual([
      ['read 1', 1],
      ['read 2', 1],
    ])
  })

  it('a decider can read it although providers fail', async () => {
    const reads = plug('reads', {
      decide: async (_turn, _score, { context }) => ({ kind: 'silent', why: `${(await context()).sections.length} sections` }),
    })
    await using bot = await testBot({ plugins: [plug('bad', { context: broken }), plug('slow', { context: hangs }), reads] })
    await bot.say('alice', 'hello')
    await bot.pass('20s')
    expect(await bot.trace()).toMatchObject({
      decision: { why: '0 sections', plugin: 'reads' },
      problems: [{ plugin: 'bad' }, { plugin: 'slow' }],
    })
  })

  it('is made only when the bot will speak, or when a decider reads it', async () => {
    let asked = 0
    await using bot = await testBot({ plugins: [plug('c', { context: () => void asked++ }), answer] })
    await bot.say('alice', 'hello')
    await bot.pass('10s')
    expect(asked).toBe(0)
  })
})

describe('respond', () => {
  it.each([
    ['throws', broken],
    ['has nothing', () => undefined],
    ['says nothing', nonsense({ kind: 'text', text: '   ' })],
    ['answers with a text', nonsense('hello')],
    ['answers with an unknown kind', nonsense({ kind: 'silent' })],
  ])('after a responder that %s, the next one runs', async (_, respond) => {
    await using bot = await testBot({ plugins: [plug('bad', { respond }), answer] })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['answer'])
  })

  it('a wrong kind stands in the trace, and no sentence', async () => {
    const plugins = [
      plug('bad', { respond: nonsense({ kind: 'react' }) }),
      plug('worse', { respond: nonsense({ kind: 'as bob said' }) }),
    ]
    await using bot = await testBot({ plugins: [...plugins, answer] })
    await bot.say('alice', '@kiki hello')
    expect((await bot.trace()).problems.map(({ message }) => message)).toEqual([
      'respond returned nonsense: expected kind to be text, reaction or silent, got "react".',
      'respond returned nonsense: expected kind to be text, reaction or silent, got string.',
    ])
  })

  it('the emoji of a decision to react is the reply when no responder has one', async () => {
    const cheers = plug('cheers', { decide: () => ({ kind: 'react', emoji: '🎉', why: 'a release' }) })
    await using bot = await testBot({ plugins: [cheers, plug('none', { respond: () => undefined })] })
    await bot.say('alice', 'version 2 is out')
    await bot.pass('10s')
    expect(bot.posted).toMatchObject([{ kind: 'reaction', emoji: '🎉' }])
    expect((await bot.trace()).reply).toMatchObject({ kind: 'reaction', plugin: 'cheers' })
  })

  it('a responder that chooses silence is the last one, and there is no apology', async () => {
    const silence = plug('silence', { respond: () => ({ kind: 'silent', why: 'better not' }) })
    await using bot = await testBot({ plugins: [silence, answer], apology: 'Sorry.' })
    await bot.say('alice', '@kiki hello')
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    const told = { why: 'better not', by: 'silence' }
    expect(await bot.traces()).toMatchObject([{ outcome: 'silent', ...told, decision: { kind: 'full' }, problems: [] }])
  })

  it('after the deadline of a hanging responder, the next one runs', async () => {
    await using bot = await testBot({ plugins: [plug('slow', { respond: hangs }), answer] })
    await bot.say('alice', '@kiki hello')
    await bot.pass('119s')
    expect(bot.sent).toEqual([])
    await bot.pass('2s')
    expect(bot.sent).toEqual(['answer'])
  })
})

describe('after', () => {
  it('runs after every turn, silent ones too, and its errors are only logged', async () => {
    const seen: Trace['outcome'][] = []
    await using bot = await testBot({
      plugins: [plug('bad', { after: broken }), plug('good', { after: (_turn, { outcome }) => void seen.push(outcome) }), answer],
    })
    await bot.say('alice', 'hello')
    await bot.pass('10s')
    await bot.say('alice', '@kiki hello')
    expect(seen).toEqual(['silent', 'replied'])
    expect(bot.log.join('')).toContain('[bad]')
  })
})

describe('a plugin that keeps failing', () => {
  it('is paused in that stage for a minute, then tried once, then paused longer', async () => {
    let asked = 0
    let fails = true
    const bad = plug('bad', {
      score: () => {
        asked++
        if (fails) throw new Error('broken')
        return { points: 10, why: 'well again' }
      },
    })
    await using bot = await testBot({ plugins: [bad, answer] })
    const turn = () => bot.say('alice', '@kiki hello')
    for (let i = 0; i < 5; i++) await turn()
    expect(asked).toBe(3)
    expect((await bot.trace()).problems).toMatchObject([
      { plugin: 'bad', stage: 'score', message: 'paused after repeated failures' },
    ])
    await bot.pass('61s')
    await turn()
    await turn()
    expect(asked).toBe(4)
    await bot.pass('61s')
    await turn()
    expect(asked).toBe(4)
    await bot.pass('61s')
    fails = false
    await turn()
    await turn()
    expect(asked).toBe(6)
    expect((await bot.trace()).score?.points).toBe(10)
    expect(bot.sent).toHaveLength(10)
  })

  it('still runs in its other stages', async () => {
    const mixed = plug('mixed', { score: broken, respond: () => ({ kind: 'text', text: 'still here' }) })
    await using bot = await testBot({ plugins: [mixed] })
    for (let i = 0; i < 4; i++) await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(Array(4).fill('still here'))
  })
})

it('the trace has the time of each stage and the plugin that answered', async () => {
  await using bot = await testBot({
    plugins: [
      plug('slow', {
        score: () => new Promise(resolve => bot.clock.setTimeout(() => resolve({ points: 5, why: 'thought' }), 2_000)),
      }),
      answer,
    ],
  })
  await bot.say('alice', '@kiki hello')
  await bot.pass('3s')
  expect(await bot.trace()).toMatchObject({
    ms: { score: 2_000 },
    reply: { kind: 'text', plugin: 'answer', length: 6 },
    outcome: 'replied',
  })
  expect(JSON.stringify(await bot.trace())).not.toContain('hello')
})
