import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin } from 'kikimimi'
import { type TestBot, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { type ExportedLine, type ExportOptions, exportLog, latestIn } from './database-log.ts'
import { readChatLog } from './logs/chat-log.ts'
import { recordedLines } from './versions/recorded.ts'

const answering = definePlugin({
  name: 'answering',
  setup: () => ({ respond: turn => ({ kind: 'text', text: 'hello', replyTo: turn.message.id }) }),
})

async function exported(bot: TestBot, options: ExportOptions = {}) {
  return Array.fromAsync(exportLog(bot.db, options), (line): ExportedLine => JSON.parse(line))
}

const texts = async (bot: TestBot, options?: ExportOptions) => (await exported(bot, options)).map(({ text }) => text)

test('public messages and those of the bot, in the order of arrival', async () => {
  await using bot = await testBot({ storage: 'pglite', plugins: [answering] })
  await bot.say('alice', '@kiki good morning')
  await bot.say('bob', 'in a thread', { thread: 'm1', replyTo: { id: 'm1', author: 'alice' } })
  const gone = await bot.say('bob', 'my password is 123')
  await bot.remove(gone)
  await bot.say('carol', 'a secret', { channel: 'staff', visibility: 'private' })
  expect(await exported(bot)).toEqual([
    {
      id: 'm1',
      at: '2026-01-05T10:00:00.000Z',
      channel: 'test/team/general',
      author: { id: 'alice', name: 'alice' },
      text: '@kiki good morning',
      mentions: ['bot'],
      replyTo: [],
    },
    expect.objectContaining({ author: { id: 'bot', name: 'kiki' }, text: 'hello', replyTo: ['m1'] }),
    expect.objectContaining({ channel: 'test/team/general/m1', text: 'in a thread', replyTo: ['m1'] }),
  ])
})

test('a private channel when it is named, and no older messages', async () => {
  await using bot = await testBot({ storage: 'pglite' })
  await bot.say('carol', 'a secret', { channel: 'staff', visibility: 'private' })
  await bot.pass('2h')
  await bot.say('carol', 'another', { channel: 'staff', visibility: 'private' })
  await bot.say('carol', 'and in a thread', { channel: 'staff', visibility: 'private', thread: 't' })
  expect(await texts(bot, { channel: '#staff' })).toEqual(['a secret', 'another', 'and in a thread'])
  expect(await texts(bot, { channel: 'staff', since: new Date(bot.clock.now() - 60_000) })).toEqual([
    'another',
    'and in a thread',
  ])
  await expect(texts(bot)).rejects.toThrow('received no public messages yet')
  await expect(texts(bot, { channel: 'cellar' })).rejects.toThrow('never received a message in a channel "cellar"')
})

test('no messages of people who are being forgotten or who opted out, and none that were left out', async () => {
  await using bot = await testBot({ storage: 'pglite' })
  const said = { alice: 'hello', bob: 'forget this', carol: 'I opted out', dave: 'left out' }
  for (const [person, text] of Object.entries(said)) await bot.say(person, text)
  await hide(bot)
  expect(await texts(bot)).toEqual(['hello'])
  expect((await latestIn(bot.db, 'test/team/general', 10)).map(({ text }) => text)).toEqual(['hello'])
  const recorded = (await Array.fromAsync(recordedLines(bot.db, 1))).join('\n')
  expect(recorded).toContain('hello')
  expect(recorded).not.toMatch(/forget this|opted out|left out/)
})

/** Bob is being forgotten, carol has opted out, and a message of dave is left out. */
async function hide({ db, clock }: TestBot): Promise<void> {
  const now = new Date(clock.now())
  await db.query(`insert into kikimimi.forgetting (platform, person, before) values ('test', 'bob', $1)`, [now])
  await db.query(`insert into kikimimi.opt_out (platform, person, since) values ('test', 'carol', $1)`, [now])
  await db.query(`update kikimimi.message set left_out = true where author_id = 'dave'`)
}

test('any number of messages, in the format of a replay', async () => {
  await using bot = await testBot({ storage: 'pglite' })
  for (let line = 0; line < 1_200; line++) await bot.bot.receive(bot.platform, incoming(line))
  const lines = await exported(bot)
  expect(lines.map(({ text }) => text)).toEqual(Array.from({ length: 1_200 }, (_, line) => `line ${line}`))

  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-export-'))
  const file = join(folder.path, 'chat.jsonl')
  await writeFile(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  const read = await Array.fromAsync(readChatLog(file))
  expect(read.map(({ at, context, ...line }) => ({ ...line, at: at.toISOString() }))).toEqual(lines)
})

test('the last messages of a channel and its threads, by time', async () => {
  await using bot = await testBot({ storage: 'pglite' })
  const late = { ...incoming(0), id: 'late', text: 'heard late' }
  for (const thread of [undefined, 't1', undefined, 't2', 't1', undefined]) {
    await bot.pass('1m')
    await bot.say('alice', `at ${(bot.clock.now() / 60_000) % 60}`, thread === undefined ? {} : { thread })
  }
  await bot.say('bob', 'elsewhere', { channel: 'general-2' })
  await bot.remove(await bot.say('bob', 'my password is 123'))
  await bot.bot.receive(bot.platform, late)
  const latest = async (limit: number) => (await latestIn(bot.db, 'test/team/general', limit)).map(({ text }) => text)
  expect(await latest(3)).toEqual(['at 4', 'at 5', 'at 6'])
  expect(await latest(10)).toEqual(['heard late', 'at 1', 'at 2', 'at 3', 'at 4', 'at 5', 'at 6'])
})

function incoming(line: number) {
  return {
    id: `${line}`,
    conversation: { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
    author: { id: 'alice', name: 'alice' },
    text: `line ${line}`,
    at: new Date('2026-01-05T10:00:00Z'),
  } as const
}
