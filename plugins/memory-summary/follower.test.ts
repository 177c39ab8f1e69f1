/** A bot that kept its own position in the log before the core did. */
import { expect, test } from 'vitest'
import { kindOf, noted, remembering } from './test-memory.ts'

/** The tables of the first migration, with the positions of the bot. */
const BEFORE = `
  create table memory_summary.progress (
    memory text not null references memory_summary.memory on delete cascade, conversation text not null, recent_from bigint not null,
    upto bigint not null, pending boolean not null, changed boolean not null default false, primary key (memory, conversation)
  );
  insert into memory_summary.memory (id, kind, workspace, channel, name, place, visibility, active_at, began)
    select m.id || '/' || t.thread, 'thread', m.workspace, m.channel, m.name, m.id || t.place, t.visibility, now(), 0
    from memory_summary.memory m, (values ('t1', '', 'public'), ('t2', '/t2', 'private')) t(thread, place, visibility)
    where m.id = 'test/team/general' on conflict do nothing;
  insert into memory_summary.progress (memory, conversation, recent_from, upto, pending)
    select place, conversation, 0, upto, pending from kikimimi.follower_mark where follower = 'memory-summary'
    union select id, id, 0, 0, true from memory_summary.memory where id = 'test/team/general/t1';
  create table memory_summary.watermark (id int primary key default 1 check (id = 1), seq bigint not null, began bigint not null);
  insert into memory_summary.watermark (seq, began) select seq, began from kikimimi.follower where name = 'memory-summary';
  alter table memory_summary.memory add column failed_upto bigint;
  delete from kikimimi.follower where name like 'memory-summary%';
  delete from kikimimi.migration where owner = 'memory-summary' and name = '002-follower.sql';`

test('an upgrade keeps the memories, and no message is lost or read twice', async () => {
  const read: string[] = []
  await using m = await remembering(
    ({ prompt }) => {
      const words = prompt.match(/word-\w+/g) ?? []
      if (kindOf(prompt) === 'recent')
        read.push(...words.map(word => `${/a thread in/.test(prompt) ? 'thread' : 'channel'} ${word}`))
      return noted('a note')
    },
    { everyMessages: 3, everyMinutes: 60 },
    { storage: 'pglite' },
  )
  const { bot } = m
  for (const word of ['one', 'two', 'three', 'four']) await bot.say('alice', `I say word-${word}`)
  await bot.say('bob', 'I say word-five', { thread: 't1' })
  await bot.say('bob', 'I say word-alone', { thread: 't2', visibility: 'private' })
  await bot.pass('1m')
  expect((await m.channel()).recent).toBe('a note')
  const before = read.length

  await bot.db.script(BEFORE)
  await bot.restart()
  expect((await m.channel()).recent).toBe('a note')
  await bot.pass('2m')
  expect(read).toHaveLength(before)
  for (const word of ['six', 'seven']) await bot.say('alice', `I say word-${word}`, { thread: 't1' })
  await bot.pass('2h')
  const inThread = ['five', 'six', 'seven']
  expect(read.toSorted()).toEqual(
    [
      ...['one', 'two', 'three', 'four', ...inThread].map(word => `channel word-${word}`),
      ...[...inThread, 'alone'].map(word => `thread word-${word}`),
    ].toSorted(),
  )
  expect((await bot.db.query('select conversation from kikimimi.follower_mark where pending')).rows).toEqual([])
})
