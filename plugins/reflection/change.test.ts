import { describe, expect, test } from 'vitest'
import { answer, found, type Reflecting, reflecting } from './test-bot.ts'

const soon = { lull: '1m', minMessages: 1 } as const

/** What the statements of these tests say, in parts. */
function partsOf(text: string, name: string) {
  const [, value = ''] = /(?:is on|the release:|live in|is called|the key is) (\w+(?: the \w+)?)/.exec(text) ?? []
  if (/release/.test(text)) return { subject: 'the release', relation: 'date', value }
  if (/live in/.test(text)) return { subject: name, relation: 'lives_in', value }
  if (/cat is called/.test(text)) return { subject: "alice's cat", relation: 'name', value }
  return /the key is/.test(text) ? { subject: 'key', relation: 'kept_at', value, single: true } : {}
}

/** People make one statement after the other. The model makes a fact of each and replaces what `replaces` names. */
function changing(replaces: (shown: string) => readonly string[] = () => []) {
  return reflecting(({ lines, prompt }) => {
    const known = [...prompt.matchAll(/^- \[(k\d+)\] (.*)$/gm)]
    const labels = known.flatMap(([, label = '', text = '']) => (replaces(text).length > 0 ? label : []))
    return answer(
      lines.map(({ text, name, id = '' }) =>
        found(text, { message: id, people: [name], replaces: labels, ...partsOf(text, name) }),
      ),
    )
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

test('a statement that was edited after it was read is read again', async () => {
  await using r = await changing()
  await say(r, 'alice', 'my cat is called Momo')
  await say(r, 'bob', 'nice')
  await r.bot.edit('m1', 'my cat is called Kuro')
  await r.bot.pass('150s')
  expect((await state(r)).filter(one => one.includes('cat'))).toEqual(['my cat is called Kuro'])
})

test('a fact that the model replaces stays as history', async () => {
  await using r = await changing(text => (text.includes('Thursday') ? ['yes'] : []))
  await say(r, 'alice', 'the release is on Thursday')
  await say(r, 'alice', 'the release: Tuesday after all')
  expect(await state(r)).toEqual(['the release is on Thursday (over)', 'the release: Tuesday after all'])
})

test('without a verdict of the model, nothing is replaced', async () => {
  await using r = await changing()
  await say(r, 'alice', 'I live in Nakano, Tokyo')
  await say(r, 'alice', 'I moved and live in Ogikubo, Tokyo')
  expect(await state(r)).toEqual(['I live in Nakano, Tokyo', 'I moved and live in Ogikubo, Tokyo'])
})

describe('other people', () => {
  test('cannot replace what a person said about themselves', async () => {
    await using r = await changing(() => ['yes'])
    await say(r, 'alice', 'my cat is called Momo')
    await say(r, 'mallory', "alice's cat is called Rex")
    expect(await state(r)).toEqual(['my cat is called Momo', "alice's cat is called Rex"])
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
          found(text, { message: id, kind: 'event', replaces: /\[k1\]/.test(prompt) ? ['k1'] : [], ...partsOf(text, name) }),
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
