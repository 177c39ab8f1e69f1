import type { Message } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { CALM, TENSE } from '../fixtures/talks.ts'
import { signIn } from './signs.ts'

function said(...texts: readonly string[]): Message[] {
  return texts.map((text, at) => ({
    id: `m${at}`,
    author: { id: `p${at % 2}`, name: `p${at % 2}` },
    text,
    at: new Date(0),
    mentions: [],
    attachments: [],
    own: false,
  }))
}

/** The last of the texts is new. */
function sign(...texts: readonly string[]): string | undefined {
  const talk = said(...texts)
  return signIn(talk, new Set([talk.at(-1)?.id ?? '']))?.kind
}

describe('heat', () => {
  test.each([
    ['what is your problem', 'you started it, not me. pathetic'],
    ["that's not true", 'you always twist my words'],
    ['I did what we agreed', 'NO YOU DID NOT AT ALL'],
    ['I sent it on time', 'stop lying!!'],
    ['we all worked on it', 'your fault, and you know it!!'],
    ['それは違います', 'いつもそうやって逃げるな'],
    ['ちゃんと確認した', '嘘つくなよ'],
    ['昨日送りました', 'はあ？ 届いてないんですけど！！'],
    ['そちらのミスですよね', 'なんでこっちのせいになるの？'],
    ['もう直したって', 'いい加減にしてほしい'],
    ['その言い方は失礼では', '失礼なのはどっちだよ'],
  ])('%s / %s', (...texts) => {
    expect(sign(...texts)).toBe('heat')
  })

  test.each([
    ['I broke it lol', "you're an idiot haha 😂"],
    ['nice!!', 'wow!!'],
    ['no problem', 'no worries'],
    ['done', '```\nraise Stupid("wtf!!")\n```'],
    ['see below', '> you idiot\nthat is what he wrote?'],
    ['いいね！！', 'すごい！！'],
    ['また寝坊した', 'バカだなあ笑'],
    ['雨だ', 'いやあ、困らないけどね'],
  ])('not: %s / %s', (...texts) => {
    expect(sign(...texts)).not.toBe('heat')
  })

  test('needs two people: one person who curses the computer is no quarrel', () => {
    const alone = said('this printer is so stupid').map(message => ({ ...message, author: { id: 'a', name: 'a' } }))
    expect(signIn(alone, new Set(['m0']))).toBeUndefined()
  })

  test('that is over is not reported', () => {
    expect(sign('shut up', 'you idiot', 'fine', 'soup', 'bread', 'soup', 'cake', 'tea')).toBeUndefined()
    expect(sign('shut up', 'you idiot', 'soup')).toBeUndefined()
  })

  test('is stronger with more words', () => {
    const strength = (...texts: readonly string[]) => signIn(said(...texts), new Set([`m${texts.length - 1}`]))?.strength ?? 0
    expect(strength('shut up', 'you shut up', 'idiot!!')).toBeGreaterThan(strength('hm', 'no, that is wrong', 'you idiot'))
  })
})

describe('a misunderstanding', () => {
  test.each([
    ['so it is on Friday', 'wait, I thought it was Thursday'],
    ['the blue one', "that's not what I meant"],
    ['I sent the file', 'I think we are talking about different files, different things'],
    ['金曜に集合で', 'え、金曜はリリースの話だと思ってました'],
    ['青いほうです', 'そういう意味じゃなくて'],
    ['送りました', '認識がずれているかもしれません'],
  ])('%s / %s', (...texts) => {
    expect(sign(...texts)).toBe('misunderstanding')
  })
})

describe('a discussion without progress', () => {
  test.each([
    ['A or B', 'we are going round in circles'],
    ['A か B か', 'このままだと平行線ですね'],
  ])('%s / %s', (...texts) => {
    expect(sign(...texts)).toBe('astray')
  })
})

describe('a question without an answer', () => {
  test.each([
    ['morning', 'can anyone help me with the printer'],
    ['おはよう', 'プリンタの使い方、誰か教えて'],
    ['おはよう', '最近ずっと悩んでいて'],
  ])('%s / %s', (...texts) => {
    expect(sign(...texts)).toBe('question')
  })

  test('a question counts after its author has continued alone', () => {
    const talk = said('morning', 'does the printer work?', 'x').map((message, at) =>
      at === 2 ? { ...message, author: { id: 'p1', name: 'p1' } } : message,
    )
    expect(signIn(talk.slice(0, 2), new Set(['m1']))).toBeUndefined()
    expect(signIn(talk, new Set(['m2']))?.kind).toBe('question')
  })

  test('does not count if somebody has spoken since, or if it asks a certain person', () => {
    expect(sign('can anyone help me', 'sure')).toBeUndefined()
    const [first, second] = said('morning', 'any ideas')
    if (!first || !second) throw new Error('two were said')
    const asked = { ...second, mentions: [{ id: 'bob', name: 'bob' }] }
    expect(signIn([first, asked], new Set(['m1']))).toBeUndefined()
  })
})

test('most conversations with trouble give a sign, and few of the calm ones do', () => {
  expect(TENSE.filter(givesSign).length / TENSE.length).toBeGreaterThanOrEqual(0.8)
  expect(CALM.filter(givesSign).length / CALM.length).toBeLessThanOrEqual(0.05)
})

/** Checked after each message from the third on. */
function givesSign(written: string): boolean {
  const talk = written.split('\n').map((line, at): Message => {
    const [, name = '', text = ''] = /^(\w): (.*)$/.exec(line) ?? []
    return { id: `m${at}`, author: { id: name, name }, text, at: new Date(0), mentions: [], attachments: [], own: false }
  })
  return talk.slice(2).some((message, at) => signIn(talk.slice(0, at + 3), new Set([message.id])) !== undefined)
}

test.each([
  '!'.repeat(100_000),
  '?'.repeat(100_000),
  'a'.repeat(100_000),
  '\n'.repeat(100_000),
  '`'.repeat(100_000),
  'no '.repeat(40_000),
])('a long text takes no long time', text => {
  const begun = performance.now()
  sign('hello', text)
  expect(performance.now() - begun).toBeLessThan(2_000)
})
