import { describe, expect, test } from 'vitest'
import { answer, found, type Reflecting, reflecting } from './test-bot.ts'

const soon = { lull: '1m', minMessages: 1 } as const

/** People make one statement after the other. The model makes a fact of each and replaces what `replaces` names. */
function changing(replaces: (shown: string) => readonly string[] = () => []) {
  return reflecting(({ lines, prompt }) => {
    const known = [...prompt.matchAll(/^- \[(k\d+)\] (.*)$/gm)]
    const labels = known.flatMap(([, label = '', text = '']) => (replaces(text).length > 0 ? label : []))
    return answer(lines.map(({ text, name, id = '' }) => found(text, { message: id, people: [name], replaces: labels })))
  }, soon)
}

async function say(r: Reflecting, who: string, text: string) {
  await r.bot.say(who, text)
  await r.bot.pass('150s')
}

const state = async (r: Reflecting) =>
  (await r.facts()).map(({ content, validTo }) => `${content}${validTo === undefined ? '' : ' (over)'}`)

test('a repeated statement has a higher confidence and both messages as sources', async () => {
  await using r = await changing()
  await say(r, 'alice', 'my cat is called Momo')
  await say(r, 'alice', 'My cat is called Momo!')
  expect(await r.facts()).toMatchObject([{ content: 'my cat is called Momo', confidence: 0.99, sources: [{}, {}] }])
})

test('a fact that the model replaces stays as history', async () => {
  await using r = await changing(text => (text.includes('Thursday') ? ['yes'] : []))
  await say(r, 'alice', 'the release is on Thursday')
  await say(r, 'alice', 'the release: Tuesday after all')
  expect(await state(r)).toEqual(['the release is on Thursday (over)', 'the release: Tuesday after all'])
})

test('without an answer of the model, a word of change decides', async () => {
  await using r = await changing()
  await say(r, 'alice', 'I live in Nakano, Tokyo')
  await say(r, 'alice', 'I moved and live in Ogikubo, Tokyo')
  expect(await state(r)).toEqual(['I live in Nakano, Tokyo (over)', 'I moved and live in Ogikubo, Tokyo'])
})

describe('other people', () => {
  test('cannot replace what a person said about themselves', async () => {
    await using r = await changing(() => ['yes'])
    await say(r, 'alice', 'my cat is called Momo')
    await say(r, 'mallory', "alice's cat is called Rex")
    expect(await state(r)).toEqual(['my cat is called Momo', "alice's cat is called Rex"])
  })

  test('not with a word of change either', async () => {
    await using r = await reflecting(
      ({ lines }) => answer(lines.map(({ text, id = '' }) => found(text, { message: id, people: ['alice'], kind: 'durable' }))),
      soon,
    )
    await say(r, 'alice', 'I live in Nakano, Tokyo')
    await r.bot.say('alice', 'hm')
    await say(r, 'mallory', 'alice moved and does not live in Nakano, Tokyo')
    expect((await state(r))[0]).toBe('I live in Nakano, Tokyo')
  })

  test('cannot replace what a person asked to remember', async () => {
    await using r = await changing(() => ['yes'])
    await say(r, 'alice', 'the key is under the mat')
    const [fact] = await r.facts()
    await r.store.pin(fact?.id ?? 0)
    await say(r, 'mallory', 'the key is under the stone')
    expect((await state(r))[0]).toBe('the key is under the mat')
    await say(r, 'alice', 'the key is in the box')
    expect((await state(r))[0]).toBe('the key is under the mat (over)')
  })
})

test('can replace plans', async () => {
  await using r = await reflecting(
    ({ lines, prompt }) =>
      answer(
        lines.map(({ text, name, id = '' }) =>
          found(text, { message: id, people: [name], kind: 'event', replaces: /\[k1\]/.test(prompt) ? ['k1'] : [] }),
        ),
      ),
    soon,
  )
  await say(r, 'alice', 'the release is on Thursday')
  await say(r, 'bob', 'the release is on Tuesday')
  expect(await state(r)).toEqual(['the release is on Thursday (over)', 'the release is on Tuesday'])
})

test('a label that was not shown replaces nothing', async () => {
  await using r = await reflecting(
    ({ lines }) => answer(lines.map(({ text, id = '' }) => found(text, { message: id, replaces: ['k9', '', 'all'] }))),
    soon,
  )
  await say(r, 'alice', 'the release is on Thursday')
  await say(r, 'alice', 'the release is on Tuesday')
  expect(await state(r)).toEqual(['the release is on Thursday', 'the release is on Tuesday'])
})
