// postgres: the contract of views and functions for plugins
/** The database API for plugins does what docs/database.md says, on the embedded database and on a server. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Conversation, conversationId, type Database, type Message, type Trace, type Visibility } from '../api/index.ts'
import { systemClock, VirtualClock } from '../base/clock.ts'
import { createLogger } from '../base/log.ts'
import { openTestDatabase, testServer } from '../testing/test-database.ts'
import { migrate } from './database/migrate.ts'
import { createSqlStore } from './store/sql.ts'
import type { Store } from './store/store.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
// The time of the messages.
const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10))
const documentation = readFileSync(new URL('../../docs/database.md', import.meta.url), 'utf8')
const AT = new Date('2026-01-05T10:00:00Z')
const LATER = new Date('2026-01-05T11:00:00Z')

type Opened = Database & { close(): Promise<void> }

pluginApi(testServer() ? 'Postgres' : 'PGlite', () => openTestDatabase())

function pluginApi(name: string, open: () => Promise<Opened>): void {
  describe(`the database API for plugins on ${name}`, () => {
    let db: Opened
    let store: Store

    beforeAll(async () => {
      db = await open()
      await migrate(db, 'kikimimi', new URL('./migrations/', import.meta.url), systemClock)
      await db.script(`
        create schema shop;
        create table shop.event (id int generated always as identity, what text, seq bigint);
        create function shop.edited() returns trigger language plpgsql as $$
        begin
          if new.text = 'refuse' then return null; end if;
          new.text := upper(new.text);
          return new;
        end $$;
        create function shop.reacted() returns trigger language plpgsql as $$
        begin
          new.reactions := '[{ "emoji": "👌", "by": ["bob"] }]';
          return new;
        end $$;
        create function shop.changed() returns trigger language plpgsql as $$
        begin
          insert into shop.event (what, seq) values (concat_ws(' ', old.text, '→', new.text, case when new.deleted_at is not null then 'gone' end), new.seq);
          return null;
        end $$;
        create function shop.purged() returns trigger language plpgsql as $$
        begin
          insert into shop.event (what, seq) select 'purged ' || id, seq from gone order by seq;
          return null;
        end $$;
        create function shop.opened() returns trigger language plpgsql as $$
        begin
          insert into shop.event (what) values (new.id || ' ' || old.visibility || ' → ' || new.visibility);
          return null;
        end $$;`)
    })
    afterAll(() => db.close())

    beforeEach(async () => {
      await db.script(
        'truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.trace, kikimimi.forgetting, kikimimi.source, kikimimi.left_out, shop.event',
      )
      store = createSqlStore(db, log, clock)
    })

    const all = async <T = Record<string, unknown>>(sql: string, values: readonly unknown[] = []) =>
      (await db.query<T>(sql, values)).rows
    const value = async <T>(sql: string, values: readonly unknown[] = []) =>
      (await all<{ value: T }>(`select ${sql} as value`, values))[0]?.value
    const say = async (id: string, over: Partial<Message> = {}, where = place()) => {
      await store.record(where, message(id, over), AT)
      return (await value<number>('(select max(seq) from kikimimi_v1.message)')) ?? 0
    }
    const events = async () => (await all<{ what: string }>('select what from shop.event order by id')).map(({ what }) => what)

    it('has the documented views, with their columns and types', async () => {
      const rows = await all<{ view: string; column: string; type: string }>(
        `select 'kikimimi_v1.' || c.relname as view, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
         from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = 'kikimimi_v1'::regnamespace and a.attnum > 0 order by c.relname, a.attnum`,
      )
      const found = Object.groupBy(rows, ({ view }) => view)
      const columns = Object.entries(found).map(([view, some = []]) => [view, some.map(({ column, type }) => ({ column, type }))])
      expect(Object.fromEntries(columns)).toEqual(documentedViews())
    })

    it('has the documented functions, with their parameters and results', async () => {
      const rows = await all<{ call: string; result: string }>(
        `select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as call, pg_get_function_result(oid) as result
         from pg_proc where pronamespace = 'kikimimi_v1'::regnamespace`,
      )
      const byCall = (one: { call: string }, other: { call: string }) => (one.call < other.call ? -1 : 1)
      expect(rows.toSorted(byCall)).toEqual(documentedFunctions().toSorted(byCall))
    })

    it('gives the columns of the message view to trigger functions', async () => {
      const columnsOf = async (table: string) =>
        (
          await all<{ name: string }>(
            `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
            [table],
          )
        ).map(({ name }) => name)
      for (const [view, left] of [
        ['message', ['visibility', 'being_forgotten']],
        ['conversation', []],
      ] as const) {
        const wanted = (await columnsOf(`kikimimi_v1.${view}`)).filter(column => !left.some(one => one === column))
        expect(await columnsOf(`kikimimi.${view}`)).toEqual(expect.arrayContaining(wanted))
      }
    })

    it('shows a message as it was recorded', async () => {
      const seq = await say('m1', {
        author: { id: 'a', name: 'Alice', bot: true },
        text: 'hello',
        mentions: [{ id: 'b', name: 'Bob' }],
        replyTo: 'm0',
        addressed: 'mention',
        missed: true,
      })
      expect(await all('select * from kikimimi_v1.message')).toEqual([
        {
          seq,
          conversation: 'test/w/c',
          channel: 'test/w/c',
          id: 'm1',
          author_id: 'a',
          author_name: 'Alice',
          author_bot: true,
          own: false,
          missed: true,
          addressed: 'mention',
          text: 'hello',
          mentions: [{ id: 'b', name: 'Bob' }],
          attachments: [],
          reactions: [],
          reply_to: 'm0',
          at: AT,
          received_at: AT,
          edited_at: null,
          deleted_at: null,
          visibility: 'public',
          being_forgotten: false,
          parts: [],
          answered_by: null,
        },
      ])
    })

    it('shows a conversation, and how far the bot has processed it', async () => {
      const seq = await say('m1', {}, place({ thread: 't', visibility: 'private' }))
      await store.markProcessed('test/w/c/t', seq)
      await store.spoke(place({ thread: 't', visibility: 'private' }), LATER)
      await store.describe(place({ thread: 't', visibility: 'private', readers: { own: true }, details: { topic: 'trains' } }))
      expect(await all('select * from kikimimi_v1.conversation')).toEqual([
        {
          id: 'test/w/c/t',
          platform: 'test',
          workspace: 'w',
          channel: 'c',
          thread: 't',
          name: 'c',
          visibility: 'private',
          processed: seq,
          last_reply_at: LATER,
          details: { topic: 'trains' },
          own_readers: true,
          outsiders: false,
        },
      ])
    })

    it('shows a turn', async () => {
      await say('m1')
      const trace: Trace = { ...emptyTrace, turn: 't1', messages: ['m1'], trigger: 'm1' }
      await store.keepTrace(trace)
      expect(await all('select * from kikimimi_v1.trace')).toEqual([
        {
          seq: expect.any(Number),
          turn: 't1',
          conversation: 'test/w/c',
          at: AT,
          outcome: 'silent',
          trigger: 'm1',
          data: { ...trace, at: AT.toISOString() },
          visibility: 'public',
        },
      ])
    })

    it('shows the migrations that have run', async () => {
      expect(await all('select owner, name from kikimimi_v1.migration order by name')).toContainEqual({
        owner: 'kikimimi',
        name: '001-kernel.sql',
      })
    })

    it('shows the current visibility', async () => {
      await say('m1', {}, place({ visibility: 'public' }))
      await say('m2', {}, place({ channel: 'd', visibility: 'direct' }))
      const visibilities = () => all<{ id: string }>('select id, visibility from kikimimi_v1.message order by id')
      expect(await visibilities()).toEqual([
        { id: 'm1', visibility: 'public' },
        { id: 'm2', visibility: 'direct' },
      ])
      await say('m3', {}, place({ visibility: 'private' }))
      expect(await all(`select id from kikimimi_v1.message where visibility = 'public'`)).toEqual([])
    })

    it('finds the messages that a conversation may show', async () => {
      await say('public', {}, place())
      await say('private', {}, place({ channel: 'p', visibility: 'private' }))
      await say('thread', {}, place({ thread: 't', visibility: 'private' }))
      await say('elsewhere', {}, place({ workspace: 'other' }))
      const readable = async (conversation: string) =>
        (
          await all<{ id: string }>(
            `select m.id from kikimimi_v1.message m, lateral kikimimi_v1.place_of(m.conversation, null, m.seq) p
             where (p.place, p.visibility) in (select * from kikimimi_v1.readable($1, array[p.place], array[p.visibility]))
             order by m.seq`,
            [conversation],
          )
        ).map(({ id }) => id)
      expect(await readable('test/w/c')).toEqual(['public'])
      expect(await readable('test/w/c/t')).toEqual(['public', 'thread'])
      expect(await readable('test/w/p')).toEqual(['public', 'private'])
    })

    it.each([
      ['conversation', 'id'],
      ['message', 'id'],
      ['trace', 'turn'],
      ['turn_facet', 'facet'],
      ['turn_hour', 'outcome'],
      ['migration', 'owner'],
    ])('refuses to write through %s', async (view, column) => {
      await say('m1')
      await store.keepTrace({ ...emptyTrace, turn: 't1', outcome: 'replied' })
      const refused = expect.objectContaining({ message: `kikimimi_v1.${view} is read-only` })
      await expect(db.query(`update kikimimi_v1.${view} set ${column} = null`)).rejects.toEqual(refused)
      await expect(db.query(`delete from kikimimi_v1.${view}`)).rejects.toEqual(refused)
      await expect(db.query(`insert into kikimimi_v1.${view} (${column}) values (null)`)).rejects.toEqual(refused)
    })

    it('names the person of an erasure, and their messages that it deletes', async () => {
      const eve = { id: 'eve', name: 'Eve' }
      await say('m1', { author: eve })
      await say('m2')
      await say('m3', { author: eve }, place({ platform: 'other' }))
      await store.forgetting.ask({ platform: 'test', id: 'eve' }, AT, async () => {})
      await store.record(place(), message('m4', { author: eve }), LATER)
      expect(await all('select id from kikimimi_v1.message where being_forgotten')).toEqual([{ id: 'm1' }])
      expect(await value(`kikimimi_v1.is_being_forgotten('test', 'eve')`)).toBe(true)
      expect(await value(`kikimimi_v1.is_being_forgotten('other', 'eve')`)).toBe(false)
      expect(await value(`kikimimi_v1.is_being_forgotten('test', 'alice')`)).toBe(false)
    })

    it('reports an erasure on a platform from the first attempt until the log is cleared', async () => {
      await say('m1', {}, place({ platform: 'té st' }))
      await say('m2')
      await store.forgetting.ask({ platform: 'té st', id: 'eve' }, AT, async () => {})
      const here = () =>
        Promise.all(
          [conversationId(place({ platform: 'té st' })), 't%C3%A9%20st/w', 'test/w/c'].map(id =>
            value('kikimimi_v1.is_forgetting($1)', [id]),
          ),
        )
      expect(await here()).toEqual([false, false, false])
      const [asked] = await store.forgetting.asked()
      if (asked) await store.forgetting.gatherNames(asked)
      expect(await here()).toEqual([true, true, false])
      if (asked) await store.forgetting.cleared(asked, LATER)
      expect(await here()).toEqual([false, false, false])
    })

    it('locks messages, and returns those that are not deleted', async () => {
      const seqs = [await say('m1', { text: 'one' }), await say('m2', { text: 'two' })]
      await store.remove(place(), 'm2', LATER)
      expect(await all('select * from kikimimi_v1.lock_messages($1)', [seqs])).toEqual([
        { seq: seqs[0], text: 'one', mentions: [] },
      ])
    })

    it('locks a message that is not deleted, left out or being forgotten', async () => {
      for (const id of ['m1', 'm2', 'm3']) await say(id)
      await say('m4', { author: { id: 'bob', name: 'Bob' } })
      await store.remove(place(), 'm2', LATER)
      await db.query(`insert into kikimimi.left_out (channel, id, at) values ('test/w/c', 'm3', $1)`, [AT])
      await db.query(`insert into kikimimi.forgetting (platform, person, before) values ('test', 'bob', $1)`, [LATER])
      const isKept = (id: string, at = AT) => value(`kikimimi_v1.lock_message('test/w/c', $1, $2)`, [id, at])
      expect(await Promise.all(['m1', 'm2', 'm3', 'm4', 'm5'].map(id => isKept(id)))).toEqual([true, false, false, false, false])
      expect(await isKept('m1', LATER)).toBe(false)
    })

    it.runIf(name === 'Postgres').each([
      ['lock_messages', `select 1 from kikimimi_v1.lock_messages(array[$1::bigint])`],
      ['lock_message', `select kikimimi_v1.lock_message(channel, id, at) from kikimimi_v1.message where seq = $1`],
    ])('%s makes an edit wait for the transaction that has locked the message', async (_, sql) => {
      const seq = await say('m1')
      const order: string[] = []
      let edit: Promise<unknown> | undefined
      await db.transaction(async () => {
        await db.query(sql, [seq])
        edit = outside(() => store.edit(place(), 'm1', { text: 'edited' }, LATER).then(() => order.push('edited')))
        await expect
          .poll(() =>
            value(`(select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database())`),
          )
          .toBe(1)
        order.push('committed')
      })
      await edit
      expect(order).toEqual(['committed', 'edited'])
    })

    describe('a trigger function of a plugin', () => {
      const attached = (event: string, handler: string) => async () => {
        await db.script(`select kikimimi_v1.${event}('shop.${handler}')`)
        return {
          [Symbol.asyncDispose]: async () => {
            const table = event === 'after_visibility_change' ? 'conversation' : 'message'
            await db.script(`drop trigger shop_${handler} on kikimimi.${table}`)
          },
        }
      }

      it('changes or refuses an edit', async () => {
        await using _ = await attached('before_message_edit', 'edited')()
        await say('m1', { text: 'one' })
        await say('m2', { text: 'mine', own: true })
        const texts = async () =>
          (await all<{ text: string }>('select text from kikimimi_v1.message order by seq')).map(one => one.text)
        await store.edit(place(), 'm1', { text: 'two' }, LATER)
        await store.rewrite(place(), 'm2', 'still mine', LATER)
        expect(await texts()).toEqual(['TWO', 'still mine'])
        await store.edit(place(), 'm1', { text: 'refuse' }, new Date('2026-01-05T12:00:00Z'))
        expect(await texts()).toEqual(['TWO', 'still mine'])
        await store.remove(place(), 'm1', LATER)
        expect(await texts()).toEqual(['', 'still mine'])
      })

      it('changes reactions', async () => {
        await using _ = await attached('before_message_reaction', 'reacted')()
        await say('m1')
        await store.react(place(), 'm1', { emoji: '👍', by: 'bob' })
        expect(await all('select reactions from kikimimi_v1.message')).toEqual([{ reactions: [{ emoji: '👌', by: ['bob'] }] }])
      })

      it('follows edits and deletions', async () => {
        await using _ = await attached('after_message_change', 'changed')()
        await say('m1', { text: 'one' })
        await store.react(place(), 'm1', { emoji: '👍', by: 'bob' })
        await store.edit(place(), 'm1', { text: 'two' }, LATER)
        await store.remove(place(), 'm1', LATER)
        expect(await events()).toEqual(['one → two', 'two →  gone'])
      })

      it('follows retention', async () => {
        await using _ = await attached('after_message_purge', 'purged')()
        await say('m1')
        await say('m2')
        await store.sweep(LATER, LATER)
        expect(await events()).toEqual(['purged m1', 'purged m2'])
      })

      it('follows a change of visibility', async () => {
        await using _ = await attached('after_visibility_change', 'opened')()
        await say('m1')
        await say('m2', {}, place({ visibility: 'private' }))
        await say('m3', {}, place({ visibility: 'private', name: 'renamed' }))
        expect(await events()).toEqual(['test/w/c public → private'])
      })

      it('deletes its trigger when it is dropped', async () => {
        await db.script(`
          create function shop.short() returns trigger language plpgsql as 'begin return null; end';
          select kikimimi_v1.after_message_change('shop.short');
          drop function shop.short() cascade`)
        await say('m1', { text: 'one' })
        await store.edit(place(), 'm1', { text: 'two' }, LATER)
        expect(await all('select text from kikimimi_v1.message')).toEqual([{ text: 'two' }])
      })
    })

    describe('provenance', () => {
      const madeFrom = (thing: string, first: number, last: number) =>
        db.query(`select kikimimi_v1.made_from('shop', $1, array['test/w/c'], array[$2::bigint], array[$3::bigint])`, [
          thing,
          first,
          last,
        ])

      beforeAll(async () => {
        await db.script(`
          create function shop.lost() returns trigger language plpgsql as $$
          begin
            insert into shop.event (what) values (new.thing || ' ' || new.stale);
            return null;
          end $$;
          select kikimimi_v1.after_source_change('shop.lost');`)
      })
      afterAll(() => db.script('drop function shop.lost() cascade'))

      it('tells which things rest on a lost message', async () => {
        const [one, two, three] = [await say('m1'), await say('m2'), await say('m3')]
        await madeFrom('early', one, two)
        await madeFrom('late', three, three)
        await store.edit(place(), 'm1', { text: 'm1 and more' }, LATER)
        expect(await events()).toEqual([])
        await store.edit(place(), 'm1', { text: 'something else' }, LATER)
        expect(await events()).toEqual(['early changed'])
        await madeFrom('early', two, two)
        await store.describe(place({ visibility: 'private' }))
        expect((await events()).toSorted()).toEqual(['early changed', 'early closed', 'late closed'])
        await store.remove(place(), 'm3', LATER)
        expect((await events()).slice(3)).toEqual(['late changed'])
      })

      it('tells which things rest on a changed thing of another plugin', async () => {
        const restsOn = (thing: string, ...facts: number[]) =>
          db.query(
            `select kikimimi_v1.made_from('shop', $1, array_agg('facts'::text), array_agg(f), array_agg(f)) from unnest($2::bigint[]) f`,
            [thing, facts],
          )
        await restsOn('one', 7, 8)
        await restsOn('other', 8)
        await db.query(`select kikimimi_v1.thing_changed('facts', 7)`)
        expect(await events()).toEqual(['one changed'])
        await db.query(`select kikimimi_v1.thing_changed('facts', 8)`)
        expect((await events()).toSorted()).toEqual(['one changed', 'one changed', 'other changed'])
        await db.query(`select kikimimi_v1.thing_changed('facts', 8)`)
        expect(await events()).toHaveLength(3)
      })

      it('leaves messages out of what is remembered, also before they are recorded', async () => {
        const leaveOut = (...ids: string[]) => db.query(`select kikimimi_v1.leave_out('test/w/c', $1, $2)`, [ids, LATER])
        await madeFrom('thing', await say('m1'), await say('m2'))
        await leaveOut('m2', 'm3')
        expect(await events()).toEqual(['thing changed'])
        await say('m3')
        const left = 'select id, being_forgotten as left, text from kikimimi_v1.message where deleted_at is null order by seq'
        expect(await all(left)).toEqual([
          { id: 'm1', left: false, text: 'm1' },
          { id: 'm2', left: true, text: '' },
          { id: 'm3', left: true, text: '' },
        ])
        await db.query('select kikimimi_v1.drop_left_out($1, $2)', [new Date(LATER.getTime() + 1), LATER])
        expect(await all(left)).toEqual([{ id: 'm1', left: false, text: 'm1' }])
      })

      const answered = async (id: string, turn: string, over: Partial<Trace>) => {
        await say(id, { own: true })
        const decision = { kind: 'full', why: 'they talk about m1' } as const
        await store.keepTrace({ ...emptyTrace, turn, sent: [id], outcome: 'replied', decision, ...over })
      }
      const kept = async () => ({
        answers: (
          await all<{ id: string }>('select id from kikimimi_v1.message where own and deleted_at is null order by seq')
        ).map(({ id }) => id),
        traces: (
          await all<{ turn: string }>(`select turn from kikimimi_v1.trace where data->'decision'->>'why' <> '' order by turn`)
        ).map(({ turn }) => turn),
      })

      it('removes the answers that had a lost message on screen, and those that had such an answer on screen', async () => {
        await say('m1')
        await answered('a1', 't1', { screen: ['m1'] })
        await say('m2')
        await answered('a2', 't2', { screen: ['a1', 'm2'] })
        await say('m3')
        await answered('a3', 't3', { screen: ['m3'] })
        expect(await kept()).toEqual({ answers: ['a1', 'a2', 'a3'], traces: ['t1', 't2', 't3'] })
        await store.remove(place(), 'm1', LATER)
        expect(await kept()).toEqual({ answers: ['a3'], traces: ['t3'] })
      })

      it('removes the answers that had a section with a lost message, and those that were made while it was lost', async () => {
        const seq = await say('m1')
        await say('m2')
        await answered('a1', 't1', { screen: ['m2'], sources: [{ channel: 'test/w/c', messages: ['m1'] }] })
        await answered('a2', 't2', { screen: ['m2'], sources: [{ conversation: 'test/w/c', first: seq, last: seq }] })
        await answered('a3', 't3', { screen: ['m2'] })
        await store.remove(place(), 'm1', LATER)
        expect(await kept()).toEqual({ answers: ['a3'], traces: ['t3'] })
        await answered('a4', 't4', { screen: ['m2'], sources: [{ conversation: 'test/w/c', first: seq, last: seq }] })
        expect(await kept()).toEqual({ answers: ['a3'], traces: ['t3'] })
      })
    })

    it('costs nothing: the planner replaces views', async () => {
      const plan = async (sql: string) =>
        (await all(`explain (verbose, costs off) ${sql}`)).map(row => Object.values(row).join()).join('\n')
      expect(await plan('select max(seq) from kikimimi_v1.message')).toMatch(
        /Index Only Scan Backward using message_earlier_seq_idx/,
      )
      expect(await plan(`select seq, text from kikimimi_v1.message where conversation = 'c'`)).not.toMatch(
        /SubPlan|Subquery Scan/,
      )
      expect(await plan('select turn from kikimimi_v1.trace')).not.toMatch(/SubPlan|Subquery Scan/)
    })
  })
}

/** Runs a function outside of the open transaction of the caller. */
const outside = AsyncLocalStorage.snapshot()

const emptyTrace: Trace = {
  turn: '',
  conversation: 'test/w/c',
  at: AT,
  messages: [],
  trigger: '',
  sections: [],
  models: [],
  sent: [],
  outcome: 'silent',
  problems: [],
  ms: {},
}

function place(over: Partial<Conversation> & { readonly visibility?: Visibility } = {}): Conversation {
  const where = { platform: 'test', workspace: 'w', channel: 'c', name: 'c', visibility: 'public' as const, ...over }
  return { ...where, id: conversationId(where) }
}

function message(id: string, over: Partial<Message> = {}): Message {
  return { id, author: { id: 'alice', name: 'Alice' }, text: id, at: AT, mentions: [], attachments: [], own: false, ...over }
}

function documentedViews(): Record<string, { column: string; type: string }[]> {
  const sections = [...documentation.matchAll(/^### (kikimimi_v1\.\w+)\n([\s\S]*?)(?=^##)/gm)]
  return Object.fromEntries(
    sections.map(([, view = '', text = '']) => [
      view,
      Array.from(text.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm), ([, column = '', type = '']) => ({ column, type: type.trim() })),
    ]),
  )
}

function documentedFunctions(): { call: string; result: string }[] {
  const [, text = ''] = documentation.split('\n## Functions\n')
  return Array.from(text.matchAll(/^\| `(\w+\([^`]*\))` \| ([^|]+) \|/gm), ([, call = '', result = '']) => ({
    call,
    result: result.trim(),
  }))
}
