import type { CliOutput } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedFacts, fact, place } from './test-memory.ts'

async function known() {
  const { plugins, store } = borrowedFacts()
  const bot = await testBot({ plugins })
  await bot.say('alice', 'hello', { id: 'm1' })
  await bot.say('bob', 'hello', { channel: 'cellar', visibility: 'private' })
  await bot.pass('1s')
  await store().add(fact('the printer is on floor three', { at: new Date('2026-01-02T00:00:00Z') }))
  await store().add(fact('alice likes plum jam', { people: ['alice'], kind: 'preference', at: new Date('2026-01-03T00:00:00Z') }))
  const cellar = place('cellar', { visibility: 'private' })
  await store().add(fact('the wine is\nbehind the stairs', { conversation: cellar, at: new Date('2026-01-04T00:00:00Z') }))
  const run = async (line: string, json = false) => {
    const lines: string[] = []
    const out: CliOutput = { json, print: text => void lines.push(text) }
    await bot.bot.command('facts', line.split(' '), out)
    return lines
  }
  return { bot, run, store, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

test('facts are listed, latest first, of a channel or a person, private ones too', async () => {
  await using here = await known()
  expect(await here.run('list')).toEqual([
    '3  2026-01-04  current  #cellar  the wine is behind the stairs',
    '2  2026-01-03  preference  #general  alice likes plum jam',
    '1  2026-01-02  current  #general  the printer is on floor three',
  ])
  expect(await here.run('list --channel cellar')).toHaveLength(1)
  expect(await here.run('list --channel #general')).toHaveLength(2)
  for (const who of ['alice', 'ALICE', 'test:alice']) expect(await here.run(`list --person ${who}`)).toHaveLength(1)
  for (const who of ['bob', 'discord:alice']) expect(await here.run(`list --person ${who}`)).toEqual(['No facts.'])
})

test('facts are found by their words', async () => {
  await using here = await known()
  expect(await here.run('search where is the printer')).toEqual([expect.stringContaining('the printer is on floor three')])
  expect(await here.run('search elephants')).toEqual(['No facts.'])
  expect((await here.run('search plum jam', true)).map(line => JSON.parse(line))).toMatchObject([{ id: 2, people: ['alice'] }])
})

test('facts are deleted by their ids, all or none', async () => {
  await using here = await known()
  await expect(here.run('forget 1 9')).rejects.toMatchObject({
    code: 'USAGE',
    message: 'There is no fact 9. Nothing was changed.',
  })
  await expect(here.run('forget one')).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('"one"') })
  expect(await here.run('list')).toHaveLength(3)
  expect(await here.run('forget 1 3')).toEqual(['2 forgotten.'])
  expect(await here.run('list')).toEqual([expect.stringContaining('plum jam')])
})

test('a fact is edited by its id, unless the edit is invalid', async () => {
  await using here = await known()
  expect(await here.run('edit 1 the printer is on floor four')).toEqual([
    '1  2026-01-02  current  #general  the printer is on floor four',
  ])
  expect(await here.run('search which floor')).toEqual([expect.stringContaining('floor four')])
  await expect(here.run('edit 1 alice likes plum jam')).rejects.toMatchObject({
    code: 'USAGE',
    message: 'Fact 2 says this already. Nothing was changed.',
  })
  await expect(here.run('edit 9 anything')).rejects.toMatchObject({ code: 'USAGE' })
  await expect(here.run('edit 1 …')).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('1 to 2000') })
})

test('facts are pinned and unpinned', async () => {
  await using here = await known()
  expect(await here.run('pin 1 2')).toEqual([
    '1  2026-01-02  current, pinned  #general  the printer is on floor three',
    '2  2026-01-03  preference, pinned  #general  alice likes plum jam',
  ])
  expect(await here.run('unpin 1')).toEqual(['1  2026-01-02  current  #general  the printer is on floor three'])
  await expect(here.run('pin 9')).rejects.toMatchObject({ code: 'USAGE' })
})

test('all facts are exported as JSON lines', async () => {
  await using here = await known()
  const lines = (await here.run('export')).map(line => JSON.parse(line))
  expect(lines.map(({ content }) => content)).toEqual([
    'the printer is on floor three',
    'alice likes plum jam',
    'the wine is\nbehind the stairs',
  ])
  expect(await here.run('export --person alice')).toHaveLength(1)
})

test('a wrong call shows the usage', async () => {
  await using here = await known()
  for (const line of ['', 'dance', 'list 3', 'search', 'edit 1', 'pin', 'forget', 'list --colour']) {
    await expect(here.run(line)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('kikimimi facts') })
  }
})

test('a batch of replacements is listed and undone', async () => {
  await using here = await known()
  expect(await here.run('undo')).toEqual(['No facts were replaced in the last 30 days.'])
  const printer = { subject: 'printer', relation: 'place', conversation: place() }
  const old = await here.store().add(fact('the printer stands on floor one', { ...printer, value: 'floor one' }))
  await here.bot.pass('1h')
  await here.store().supersede([old.id], fact('the printer stands on floor two', { ...printer, value: 'floor two' }))
  expect(await here.run('undo')).toEqual([expect.stringMatching(/^1 {2}2026-01-05 11:00 {2}the printer stands on floor one$/)])
  await expect(here.run('undo 9')).rejects.toMatchObject({ code: 'USAGE', message: 'There is nothing to undo in batch 9.' })
  await expect(here.run('undo all')).rejects.toMatchObject({ code: 'USAGE' })
  expect(await here.run('undo 1')).toEqual([expect.stringContaining('the printer stands on floor one')])
  expect(await here.run('list')).toHaveLength(5)
})
