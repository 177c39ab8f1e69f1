/** A log with many messages and channels: what an update looks at. */
import type { Database } from 'kikimimi'
import { expect, test } from 'vitest'
import { noted, remembering } from './test-memory.ts'

const MESSAGES = 1_000

/** Counts the calls of a function `readable` whose first parameter begins with a text. */
async function countCalls(
  db: Database,
  name: string,
  types: string,
  { returns, first }: { readonly returns: string; readonly first: string },
): Promise<AsyncDisposable & { calls(): Promise<number | undefined> }> {
  await db.script(`
    create sequence public.calls minvalue 0;
    alter function ${name}(${types}) rename to readable_uncounted;
    create function ${name}(${types}) returns ${returns} language plpgsql volatile as $$
    begin
      if starts_with($1, '${first}') then
        perform nextval('public.calls');
      end if;
      return query select * from ${name}_uncounted($1, $2, $3);
    end $$`)
  return {
    async calls() {
      const { rows } = await db.query<{ calls: number }>('select last_value + is_called::int as calls from public.calls')
      return rows[0]?.calls
    },
    async [Symbol.asyncDispose]() {
      await db.script(`
        drop function ${name}(${types});
        alter function ${name}_uncounted(${types}) rename to readable;
        drop sequence public.calls`)
    },
  }
}

test('a batch of an update looks at its own messages, not at all that follow', async () => {
  await using m = await remembering(undefined, { everyMessages: 20 })
  const { bot } = m
  await bot.say('alice', 'the first message')
  // Postgres expects few messages in a conversation.
  await bot.db.query(
    `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments,
       reactions, at, received_at)
     select case when is_here then conversation else 'test/quiet/c' || n end, case when is_here then channel else 'test/quiet/c' || n end,
       'many' || n, author_id, author_name, false, false, false, 'message ' || n, '[]', '[]', '[]', at, received_at
     from kikimimi.message, generate_series(1, $1) n, (values (true), (false)) as of(is_here)`,
    [MESSAGES],
  )
  await bot.db.script('analyze kikimimi.message')
  const returns = 'table (place text, visibility text)'
  await using looked = await countCalls(bot.db, 'kikimimi_v1.readable', 'text, text[], text[]', { returns, first: 'test/team' })
  await bot.pass('10m')
  expect(m.asked('recent')).toBeGreaterThanOrEqual(MESSAGES / 100)
  expect(await looked.calls()).toBeLessThan(2 * MESSAGES)
})

test('a workspace without news does not look at its channels', async () => {
  await using m = await remembering(({ kind }) => noted(`about the ${kind}`), { everyMessages: 1, workspaceEvery: 1 })
  const { bot } = m
  for (const channel of ['general', 'random']) await bot.say('alice', `hello #${channel}`, { channel })
  await bot.pass('2m')
  expect(m.asked('workspace')).toBe(1)
  const [before, counted] = [m.asked('recent'), { returns: 'setof text', first: 'test/team' }]
  await using looked = await countCalls(bot.db, 'memory_summary.readable', 'text, text, text', counted)
  await bot.say('alice', 'hello', { workspace: 'other' })
  await bot.pass('2m')
  expect(m.asked('recent')).toBe(before + 1)
  expect(await looked.calls()).toBe(0)
})
