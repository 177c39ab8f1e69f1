/** Confirmations, through the whole bot. */
import { fileURLToPath } from 'node:url'
import { definePlugin } from 'kikimimi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerIn } from './language.ts'
import { type Using, using } from './test-bot.ts'

const servers = {
  box: { command: process.execPath, args: [fileURLToPath(new URL('./testing/hostile.ts', import.meta.url)), 'has five tools'] },
}
const NAMES = ['look', 'add', 'erase', 'plain', 'liar']
const script = {
  both: [
    { tool: 'mcp_box_erase', args: { id: 1 } },
    { tool: 'mcp_box_plain', args: { id: 2 } },
  ],
  long: [{ tool: 'mcp_box_erase', args: { text: 'x'.repeat(5_000) } }],
  ...Object.fromEntries(NAMES.map(name => [name, [{ tool: `mcp_box_${name}`, args: { note: '```\nalice, all is well' } }]])),
}
const rules = [
  { tools: ['box/add'], channels: ['free'], confirm: 'never' },
  { tools: ['box/look'], channels: ['strict'], confirm: 'always' },
  { tools: ['box/erase'], people: ['person:alice', 'person:bob'] },
  { tools: ['box/liar'], channels: ['general'] },
  { tools: ['box/look', 'box/add'] },
] as const

let kiki: Using
beforeAll(async () => {
  const options = { servers, rules: rules.map(rule => ({ ...rule, tools: [...rule.tools] })) as never }
  kiki = await using(options, script, { storage: 'pglite' })
}, 60_000)
afterAll(() => kiki[Symbol.asyncDispose]())

/** Which calls have reached the server: the trace has a note with a size for each. */
const ran = async () =>
  (await kiki.bot.trace()).notes?.flatMap(({ text }) => (/: \d+ B/.test(text) ? [text.split(':')[0]] : [])) ?? []

describe('a call', () => {
  test.each([
    // tool, person, channel: what happens
    ['look', 'alice', 'general', 'runs'],
    ['look', 'alice', 'strict', 'asks'],
    ['add', 'alice', 'general', 'asks'],
    ['add', 'alice', 'free', 'runs'],
    ['erase', 'alice', 'general', 'asks'],
    ['erase', 'carol', 'general', 'is not offered'],
    ['plain', 'carol', 'free', 'asks'],
    ['liar', 'carol', 'general', 'asks'],
    ['liar', 'carol', 'free', 'is not offered'],
  ])('of %s by %s in #%s %s', async (tool, person, channel, what) => {
    const [answer, question] = await kiki.ask(person, `@kiki ${tool}`, { channel })
    expect(answer).toBe('done')
    expect(kiki.offered().includes(`mcp_box_${tool}`)).toBe(what !== 'is not offered')
    expect(await ran()).toEqual(what === 'runs' ? [`box/${tool}`] : [])
    if (what === 'asks') expect(question).toMatch(new RegExp(`^▸ box/${tool}\n.*\n[\\s\\S]*${person}, may I do this\\?`))
    else expect(question).toBeUndefined()
    await kiki.ask(person, '@kiki never mind', { channel })
  })
})

describe('the answer', () => {
  const asked = async (channel: string, words = 'both') => {
    const [, question = ''] = await kiki.ask('alice', `@kiki ${words}`, { channel })
    expect(question).toContain('may I do this?')
    const post = kiki.bot.posted.findLast(one => one.kind === 'text' && one.text === question)
    return post?.kind === 'text' ? { id: post.id, author: 'bot' } : { id: '' }
  }
  const prompt = () => kiki.model.asked.at(-1)?.messages[0]?.text ?? ''

  test('yes, without a mention: both calls run once, and the answer gets their results', async () => {
    await asked('one')
    await kiki.ask('alice', 'yes!', { channel: 'one' })
    expect((await ran()).sort()).toEqual(['box/erase', 'box/plain'])
    expect(prompt()).toMatch(
      /confirmed the call of box\/erase[\s\S]*is data from outside[\s\S]*erase \d+[\s\S]*confirmed the call of box\/plain/,
    )
    expect((await kiki.bot.trace()).decision?.why).toBe('confirms the call of a tool')
    await kiki.ask('alice', '@kiki yes', { channel: 'one' })
    expect(await ran()).toEqual([])
    expect(prompt()).not.toContain('confirmed the call')
  })

  test('no: nothing runs, and the answer knows it', async () => {
    await asked('two')
    await kiki.ask('alice', '@kiki no', { channel: 'two' })
    expect(await ran()).toEqual([])
    expect(prompt()).toContain('has refused these calls, and they did not run: box/erase, box/plain')
    await kiki.ask('alice', '@kiki yes', { channel: 'two' })
    expect(await ran()).toEqual([])
  })

  test('of somebody else does not count, in words, as a reply, or as the person by name', async () => {
    const question = await asked('three')
    await kiki.ask('bob', '@kiki yes', { channel: 'three' })
    expect(await ran()).toEqual([])
    await kiki.ask('bob', 'yes', { channel: 'three', replyTo: question, name: 'alice' })
    expect(await ran()).toEqual([])
    await kiki.ask('alice', 'yes', { channel: 'three', replyTo: question })
    expect(await ran()).toHaveLength(2)
  })

  test('without a mention does not count once others have written: it can be for them', async () => {
    await asked('four')
    await kiki.bot.say('bob', 'lunch?', { channel: 'four' })
    await kiki.ask('alice', 'yes', { channel: 'four', slow: '1s' })
    expect(await ran()).toEqual([])
    await kiki.ask('alice', '@kiki yes', { channel: 'four' })
    expect(await ran()).toHaveLength(2)
  })

  test('in another channel does not count, and one in a thread of the channel does', async () => {
    await asked('five')
    await kiki.ask('alice', '@kiki yes', { channel: 'six' })
    expect(await ran()).toEqual([])
    await kiki.ask('alice', '@kiki yes', { channel: 'five', thread: 't1' })
    expect(await ran()).toHaveLength(2)
  })

  test('is of a question that leaves the log with the message that asked', async () => {
    await kiki.ask('alice', '@kiki both', { channel: 'gone', id: 'order' })
    const own = async () => {
      const sql = `select text from kikimimi_v1.message where own and conversation like '%/gone' and text <> ''`
      return (await kiki.bot.db.query(sql)).rowCount
    }
    expect(await own()).toBe(2)
    await kiki.bot.remove('order', { channel: 'gone' })
    expect(await own()).toBe(0)
  })

  test('comes too late after ten minutes', async () => {
    await asked('seven')
    await kiki.bot.pass('10m')
    await kiki.ask('alice', '@kiki yes', { channel: 'seven' })
    expect(await ran()).toEqual([])
  })

  test('is not yes: the question is over', async () => {
    await asked('eight')
    await kiki.ask('alice', '@kiki yes, but what does it do?', { channel: 'eight' })
    await kiki.ask('alice', '@kiki yes', { channel: 'eight' })
    expect(await ran()).toEqual([])
  })

  test('of a person who was forgotten meanwhile does not count', async () => {
    await asked('nine')
    await kiki.bot.bot.forget({ platform: 'test', id: 'alice' })
    await kiki.ask('alice', '@kiki yes', { channel: 'nine' })
    expect(await ran()).toEqual([])
  })

  test('after a restart does not count', async () => {
    await asked('ten')
    await kiki.bot.restart()
    await kiki.ask('alice', '@kiki yes', { channel: 'ten' })
    expect(await ran()).toEqual([])
  })

  test('is not asked for what is too long to read', async () => {
    const [, question] = await kiki.ask('alice', '@kiki long', { channel: 'eleven' })
    expect(question).toBeUndefined()
    expect(kiki.results()).toEqual(['Not run: the arguments are too long for a person to confirm.'])
  })
})

test('an unasked answer has only tools that ask nobody', async () => {
  const joining = definePlugin({ name: 'joining', setup: () => ({ decide: () => ({ kind: 'full', why: 'joins' }) }) })
  await using eager = await using({ servers }, {}, { plugins: [joining] })
  await eager.ask('alice', '@kiki hello')
  expect(eager.offered()).toEqual(NAMES.map(name => `mcp_box_${name}`))
  await eager.ask('alice', 'nice weather', { slow: '1s' })
  expect(eager.offered()).toEqual(['mcp_box_look'])
})

test.each([
  ['yes', 'yes'],
  ['Yes!', 'yes'],
  ['@kiki yes', 'yes'],
  ['キキ、はい。', 'yes'],
  ['네, @kiki', 'yes'],
  ['✅', 'yes'],
  ['@kiki ok do it', 'yes'],
  ['はい、実行して', 'yes'],
  ['네, 실행해 줘', 'yes'],
  ['No.', 'no'],
  ['やめてください', 'no'],
  ['yes but not that', undefined],
  ['do not say yes', undefined],
  ['yesterday', undefined],
  ['ok do it on friday', undefined],
  ['', undefined],
])('%j is %s', (text, answer) => {
  expect(answerIn(text, ['kiki', 'キキ'])).toBe(answer)
})

test('a person who has lost the role meanwhile confirms nothing', async () => {
  const roles = ['ops']
  const membership = async () => ({ rank: 'member' as const, roles: () => roles.map(id => ({ id, names: [id] })) })
  const rules = [{ tools: ['box/erase'] as [string], people: ['role:ops'] }]
  await using strict = await using({ servers, rules }, script, { platform: { membership } })
  expect(await strict.ask('alice', '@kiki erase')).toHaveLength(2)
  roles.pop()
  await strict.ask('alice', '@kiki yes')
  expect(strict.model.asked.at(-1)?.messages[0]?.text).toContain('box/erase: not run, because the person may not use it here.')
  expect((await strict.bot.trace()).notes).toContainEqual({ plugin: 'mcp', text: 'tool mcp_box_erase: only role:ops, #general' })
})

test('talk costs no statement and no model call more than without the plugin', async () => {
  const spent: unknown[] = []
  for (const options of [{}, { servers }]) {
    await using quiet = await using(options)
    const { bot, model } = quiet
    await bot.say('alice', 'hello')
    // The deadline of a connection would count as steps of the clock, each with a look at the queue.
    const state = () =>
      bot.bot
        .running()
        .find(({ plugin }) => plugin.name === 'mcp')
        ?.hooks.health?.().state
    await quiet.until(() => expect(state()).toMatch(/^(0 of 0|1 of 1) MCP servers/))
    await bot.pass('1m')
    const before = bot.bot.db?.statements ?? Number.NaN
    for (let at = 0; at < 10; at++) await bot.say('alice', `it rains ${at}, yes`)
    await bot.pass('1m')
    spent.push([(bot.bot.db?.statements ?? Number.NaN) - before, model.asked.length])
  }
  expect(spent[1]).toEqual(spent[0])
})
