import { promptOf } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { answer, found, type Reflecting, reflecting } from './test-bot.ts'

const soon = { lull: '1m', minMessages: 1 } as const

/** One message, one answer of the model, and the stored facts. */
async function kept(text: string, ...facts: readonly ReturnType<typeof found>[]) {
  await using r = await reflecting(() => answer(facts), soon)
  await r.bot.say('bob', 'hm', { id: 'm0' })
  await r.bot.say('alice', text, { id: 'm1', mentions: [{ id: 'u3', name: 'Carol' }] })
  await r.bot.pass('2m')
  return r.facts()
}

const cat = found('Alice has a cat called Momo', { message: '2', quote: 'my cat is called Momo', people: ['alice'] })

test('a fact has its source message with all data', async () => {
  const facts = await kept('look: my cat is called Momo', { ...cat, keywords: ['cat', '**Momo**'] })
  expect(facts).toMatchObject([
    {
      content: 'Alice has a cat called Momo',
      kind: 'durable',
      people: ['alice'],
      keywords: ['cat', 'Momo'],
      confidence: 0.9,
      shareable: false,
      at: new Date('2026-01-05T10:00:00Z'),
      sources: [{ message: 'm1', author: 'alice', quote: 'my cat is called Momo' }],
    },
  ])
})

describe('a quote', () => {
  /** Several messages, and the stored quote of each. */
  async function quotes(said: readonly { readonly text: string; readonly quote: string; readonly message?: string }[]) {
    await using r = await reflecting(
      () => answer(said.map(({ quote, message }, at) => found(`number ${at}`, { quote, message: message ?? String(at + 1) }))),
      soon,
    )
    for (const { text } of said) await r.bot.say('alice', text)
    await r.bot.pass('2m')
    return (await r.facts()).map(({ sources }) => sources[0]?.quote)
  }

  test('matches other widths, spaces, capitals and quotation marks, and is stored as in the message', async () => {
    expect(
      await quotes([
        { text: 'my cat\nis called Momo', quote: 'My Cat is called  Momo' },
        { text: 'ﾍﾟｯﾄのﾓﾓは3歳です', quote: 'ペットのモモは３歳' },
        { text: 'it’s "Momo", really', quote: "it's “Momo”" },
        { text: '# Momo is my cat', quote: '\\# Momo is my cat' },
      ]),
    ).toEqual(['my cat\nis called Momo', 'ﾍﾟｯﾄのﾓﾓは3歳', 'it’s "Momo"', '# Momo is my cat'])
  })

  test('is refused if it is in no message, in another one, empty, or only quoted there', async () => {
    const text = 'my cat is called Momo'
    expect(
      await quotes([
        { text: 'hello', quote: text },
        { text, quote: 'my dog is called Rex' },
        { text, quote: text, message: '1' },
        { text, quote: text, message: '70' },
        { text, quote: text, message: 'none' },
        { text, quote: '  ' },
        { text: `> ${text}\nnice`, quote: text },
        { text, quote: text },
      ]),
    ).toEqual([text])
  })
})

test('a fact has a text of limited length', async () => {
  const facts = await kept('my cat is called Momo', { ...cat, content: ' !? ' }, { ...cat, content: 'a'.repeat(401) })
  expect(facts).toEqual([])
})

test('confidence is limited to 0…1, and further for statements about others', async () => {
  const facts = await kept(
    'my cat is called Momo',
    { ...cat, content: 'one', confidence: 7 },
    { ...cat, content: 'two', confidence: -1 },
    { ...cat, content: 'three', people: ['bob'] },
  )
  expect(facts.map(({ confidence }) => confidence)).toEqual([1, 0, 0.6])
})

test('people are authors or mentioned people, by the names in the prompt', async () => {
  const people = ['Alice', '@bob', 'bobさん', 'carol', 'mallory', 'kiki', 'bob [1]']
  const [fact] = await kept('my cat is called Momo', { ...cat, people })
  expect(fact?.people.toSorted()).toEqual(['alice', 'bob', 'u3'])
})

test('two people with one name stay two', async () => {
  await using r = await reflecting(({ lines }) => {
    const [, second] = lines
    return answer([found('my cat is called Momo', { message: '2', people: [second?.name ?? ''] })])
  }, soon)
  const say = (id: string, text: string, thread: string) =>
    r.bot.bot.receive(r.bot.platform, {
      ...{ id: `of-${id}`, author: { id, name: 'sam' }, text, at: new Date(r.bot.clock.now()) },
      conversation: { platform: 'test', workspace: 'team', channel: 'general', thread, name: 'general', visibility: 'public' },
    })
  await say('u1', 'hello there', 't1')
  await say('u2', 'my cat is called Momo', 't2')
  await r.bot.pass('3m')
  expect(promptOf(r.model.asked[0])).toContain('** sam (2) [2]:')
  expect(await r.facts()).toMatchObject([{ people: ['u2'] }])
})

describe('no evidence', () => {
  async function take(say: (r: Reflecting) => Promise<unknown>) {
    await using r = await reflecting(
      ({ lines }) => answer(lines.map(({ text, id = '' }) => found(text, { message: id }))),
      soon,
      { listen: { bots: true } },
    )
    await say(r)
    await r.bot.say('bob', 'I see')
    await r.bot.pass('2m')
    expect(r.model.asked).toHaveLength(1)
    return { contents: await r.contents(), prompt: promptOf(r.model.asked[0]) }
  }

  test('words of the bot, such as its memories', async () => {
    const { contents, prompt } = await take(r =>
      r.bot.bot.receive(r.bot.platform, {
        ...{ id: 'own', author: r.bot.platform.me, text: 'alice likes tea', at: new Date(r.bot.clock.now()) },
        conversation: { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
      }),
    )
    expect(prompt).toContain('alice likes tea')
    expect(contents).toEqual(['I see'])
  })

  test('words of another bot', async () => {
    const { contents, prompt } = await take(r => r.bot.say('robot', 'the build is red', { bot: true }))
    expect(prompt).toContain('the build is red')
    expect(contents).toEqual(['I see'])
  })
})

describe('shareable', () => {
  /** The messages whose fact may be brought up. */
  async function shared(texts: readonly string[]) {
    await using r = await reflecting(
      ({ lines }) => answer(lines.map(({ text, id = '' }) => found(text, { message: id, shareable: true }))),
      soon,
    )
    for (const text of texts) await r.bot.say('alice', text)
    await r.bot.pass('2m')
    const facts = await r.facts()
    expect(facts).toHaveLength(texts.length)
    return facts.flatMap(({ content, shareable }) => (shareable ? content : []))
  }

  test('everyday statements', async () => {
    const texts = ['I have started to play the cello', 'the release is on Friday', 'うちの猫はモモ', '障害対応は斎藤さんが担当']
    expect(await shared(texts)).toEqual(texts)
  })

  test('not health, money, secrets or private trouble', async () => {
    expect(
      await shared([
        'I was diagnosed with diabetes',
        'my salary is not what it was',
        'I still owe them $300',
        "don't tell anyone, but I am leaving",
        'Acme and we merge, in confidence',
        '来月から入院します',
        '年収は600万円です',
        'ここだけの話、異動になりました',
        'まだ公表していないけど育休に入ります',
        '転職活動をしています',
      ]),
    ).toEqual([])
  })

  test('not a statement that the message marks as confidential', async () => {
    const quote = 'Dan moves to Oslo'
    const fact = found(quote, { message: '2', quote, shareable: true })
    expect(await kept(`between you and me: ${quote}`, fact)).toMatchObject([{ shareable: false }])
  })
})
