/** A log with many messages and channels: what an update looks at. */
import type { Database } from 'kikimimi'
import { expect, test } from 'vitest'
import { noted, remembering } from './test-memory.ts'

const MESSAGES = 1_000

/** Counts how many places the rule of readers is asked about for the readers of a place. */
async function countAsked(db: Database, place: string): Promise<AsyncDisposable & { asked(): Promise<number | undefined> }> {
  await db.script(`
    create sequence public.asked minvalue 0;
    alter function kikimimi_v1.told_to(text, text[], text[], text, text) rename to told_to_uncounted;
    create function kikimimi_v1.told_to(text, text[], text[], text, text) returns table (readable boolean) language plpgsql volatile as $$
    begin
      if $2[1] = '${place}' then
        perform nextval('public.asked');
      end if;
      return query select * from kikimimi_v1.told_to_uncounted($1, $2, $3, $4, $5);
    end $$`)
  return {
    async asked() {
      const { rows } = await db.query<{ asked: number }>('select last_value + is_called::int as asked from public.asked')
      return rows[0]?.asked
    },
    async [Symbol.asyncDispose]() {
      await db.script(`
        drop function kikimimi_v1.told_to(text, text[], text[], text, text);
        alter function kikimimi_v1.told_to_uncounted(text, text[], text[], text, text) rename to told_to;
        drop sequence public.asked`)
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
  await using looked = await countAsked(bot.db, 'test/team/general')
  await bot.pass('10m')
  expect(m.asked('recent')).toBeGreaterThanOrEqual(MESSAGES / 100)
  const asked = await looked.asked()
  // The rule is asked once for each time in which the readers are the same, and not for each message.
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThan(MESSAGES / 5)
})

test('a workspace without news does not look at its channels', async () => {
  await using m = await remembering(({ kind }) => noted(`about the ${kind}`), { everyMessages: 1, workspaceEvery: 1 })
  const { bot } = m
  for (const channel of ['general', 'random']) await bot.say('alice', `hello #${channel}`, { channel })
  await bot.pass('2m')
  expect(m.asked('workspace')).toBe(1)
  const before = m.asked('recent')
  await using looked = await countAsked(bot.db, 'test/team')
  await bot.say('alice', 'hello', { workspace: 'other' })
  await bot.pass('2m')
  expect(m.asked('recent')).toBe(before + 1)
  expect(await looked.asked()).toBe(0)
})
