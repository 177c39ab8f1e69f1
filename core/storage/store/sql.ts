import { channelOf, type Database, type Trace } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { createSqlDeliveries, writeDeliveries } from './deliveries-sql.ts'
import { createSqlForgetting } from './erasure-sql.ts'
import { createSqlMessages } from './messages-sql.ts'
import { sameReaders } from './readers.ts'
import { conversationParams, createRecorder, KEEP_CONVERSATIONS } from './recorder.ts'
import { type ConversationRow, readersOf, toConversation } from './rows.ts'
import type { Claim, Claimed, Store } from './store.ts'
import { sweep, sweepPrompts } from './sweep.ts'
import { createSqlTurns, EVER, loadState, PLACE, READERS, recent } from './turns-sql.ts'

/** The kernel's store in a database. */
export function createSqlStore(db: Database, log: Logger, clock: Clock): Store {
  const recorder = createRecorder(db, log, clock)

  return {
    ...createSqlMessages(db, clock),
    ...createSqlDeliveries(db),
    forgetting: createSqlForgetting(db),
    turns: createSqlTurns(db),

    async record(conversation, message, receivedAt, also) {
      return (await recorder({ conversation, message, receivedAt, ...(also && { also }) })) !== undefined
    },

    receive: (conversation, message, receivedAt, wait) => recorder({ conversation, message, receivedAt, wait }),

    async describe({ id, name, visibility, readers, details }) {
      await db.query(
        `update kikimimi.conversation set name = $2, visibility = $3, own_readers = $4, outsiders = $5,
           details = coalesce($6::jsonb, details)
         where id = $1`,
        [id, name, visibility, readers?.own ?? null, readers?.outsiders === true, details ? JSON.stringify(details) : null],
      )
    },

    async heard(platform, limit) {
      const name = encodeURIComponent(platform)
      // In a statement of its own: Postgres plans for the value, and reads few of a million rows.
      const { rows: edge } = await db.query<{ hour: Date }>(
        'select heard_hour as hour from kikimimi.latest where platform = $1 order by heard_hour desc offset $2::int - 1 limit 1',
        [name, limit],
      )
      const { rows } = await db.query<ConversationRow & { id: string; last: string; received_at: Date }>(
        `select c.id, c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility, c.own_readers, c.outsiders, c.details,
           coalesce(c.unread_after, l.heard) as last, l.heard_at as received_at
         from (
           select * from kikimimi.latest where platform = $1 and ($3::timestamptz is null or heard_hour >= $3)
           order by heard_seq desc limit $2
         ) l join kikimimi.conversation c on c.id = l.conversation
         order by l.heard_seq desc`,
        [name, limit, edge[0]?.hour ?? null],
      )
      return rows.map(({ id, last, received_at: receivedAt, ...row }) => ({
        conversation: toConversation(id, row),
        last,
        receivedAt,
      }))
    },

    async beginReading(marks) {
      await db.query(
        `with locked as (select id from kikimimi.conversation where id = any($1) order by id for no key update)
         update kikimimi.conversation c set unread_after = mark.last
         from unnest($1::text[], $2::text[]) as mark(id, last) where c.id = mark.id and c.id in (select id from locked)`,
        [marks.map(({ conversation }) => conversation.id), marks.map(({ last }) => last)],
      )
    },

    async endReading({ id }) {
      await db.query(`update kikimimi.conversation set unread_after = null where id = $1`, [id])
    },

    async markUnread(gaps) {
      const ids = gaps.map(({ conversation }) => conversation)
      await db.query(
        `with locked as (
           select id from kikimimi.conversation where id = any($1) and unread_after is null order by id for no key update
         )
         update kikimimi.conversation c set unread_after = (
           select m.id from kikimimi.message m where m.conversation = c.id and not m.own and m.at < gap.at order by m.seq desc limit 1)
         from unnest($1::text[], $2::timestamptz[]) as gap(id, at) where c.id = gap.id and c.id in (select id from locked)`,
        [ids, gaps.map(({ at }) => at.toISOString())],
      )
      const { rows } = await db.query<{ id: string }>(
        `select id from kikimimi.conversation where id = any($1) and unread_after is not null`,
        [ids],
      )
      return new Set(rows.map(({ id }) => id))
    },

    async beginReadingSince(platform, gaps) {
      await db.query(
        `insert into kikimimi.unread_since as u (conversation, platform, since)
         select gap.id, $1, gap.at from unnest($2::text[], $3::timestamptz[]) as gap(id, at) order by gap.id
         on conflict (conversation) do update set since = least(u.since, excluded.since)`,
        [platform, gaps.map(({ conversation }) => conversation), gaps.map(({ at }) => at.toISOString())],
      )
    },

    async endReadingSince({ id }) {
      await db.query('delete from kikimimi.unread_since where conversation = $1', [id])
    },

    async readingSince(platform) {
      const { rows } = await db.query<{ conversation: string; since: Date }>(
        'select conversation, since from kikimimi.unread_since where platform = $1',
        [platform],
      )
      return new Map(rows.map(({ conversation, since }) => [conversation, since]))
    },

    async unread(platform, limit, after) {
      const { rows } = await db.query<ConversationRow & { id: string; last: string }>(
        `select id, platform, workspace, channel, thread, name, visibility, own_readers, outsiders, details, unread_after as last
         from kikimimi.conversation where platform = $1 and unread_after is not null and id > $3 order by id limit $2`,
        [platform, limit, after],
      )
      return rows.map(({ id, last, ...row }) => ({ conversation: toConversation(id, row), last, receivedAt: new Date(0) }))
    },

    async loadTurn(conversation, size, since) {
      const memory = { size, since }
      const state = await loadState(db, conversation, memory, recent(clock.now(), since.getTime()))
      // The bot can have been away for long: what nothing newer follows gets its turn, however old it is.
      return state && state.batch.length === 0 ? loadState(db, conversation, memory, EVER) : state
    },

    async markProcessed(conversation, lastSeq) {
      const { rows } = await db.query<{ moved: boolean }>(
        `with moved as (update kikimimi.conversation set processed = $2 where id = $1 and processed < $2 returning 1),
           recalled as (update kikimimi.message set recalled = false, revise = null where conversation = $1 and recalled and seq <= $2 and at between $3 and $4 returning 1)
         select exists (select 1 from moved) or exists (select 1 from recalled) as moved`,
        [conversation, lastSeq, ...recent(clock.now())],
      )
      return rows[0]?.moved === true
    },

    claim({ conversation, turn, lastSeq, unlessNewer, covers, deliveries, at }) {
      const covered = covers.map(({ id }) => id)
      const channel = channelOf(conversation)
      let months = recent(clock.now())
      return db.transaction(async () => {
        // The row lock makes two claims of one batch wait for each other.
        const ask = async () => {
          const { rows } = await db.query<Claimable>(
            `select c.processed, ${READERS},
             exists (select 1 from kikimimi.message m
                     where m.conversation = c.id and m.seq > $2 and m.at between $6 and $7 and not m.own and m.deleted_at is null and m.answered_by is null
                       and m.id <> all($4) and ($5 = 'anyone' or m.author_id = (
                         select author_id from kikimimi.message t where t.channel = $3 and t.id = ($4::text[])[1] and t.at between $6 and $7))) as newer,
             (select coalesce(jsonb_object_agg(m.id, jsonb_build_object('text', m.text, 'recalled', m.recalled)), '{}')
              from kikimimi.message m where m.channel = $3 and m.id = any($4) and m.at between $6 and $7 and m.deleted_at is null) as covered
           from kikimimi.conversation c, ${PLACE} where c.id = $1 for update of c`,
            [conversation.id, lastSeq, channel, covered, unlessNewer ?? '', ...months],
          )
          return claimable(rows[0], { conversation, lastSeq, unlessNewer, covers })
        }
        let claimed = await ask()
        if (claimed === 'deleted') {
          months = EVER
          claimed = await ask()
        }
        if (claimed === 'mine') {
          await db.query(
            `with moved as (update kikimimi.conversation set processed = greatest(processed, $2) where id = $1)
             update kikimimi.message set answered_by = $3, recalled = false, revise = null where channel = $4 and id = any($5) and at between $6 and $7`,
            [conversation.id, lastSeq, turn, channel, covered, ...months],
          )
          await writeDeliveries(db, conversation.id, deliveries, at)
        }
        return claimed
      })
    },

    async spoke(conversation, at) {
      await db.query(KEEP_CONVERSATIONS, conversationParams([conversation]))
      await db.query(`update kikimimi.conversation set last_reply_at = $2 where id = $1`, [conversation.id, at])
    },

    async ended(conversation, turn, { outcome, sent, why }) {
      const { rows } = await db.query<{ known: boolean }>(
        `with ended as (
           update kikimimi.trace
             set outcome = $2, data = data - 'why' || jsonb_strip_nulls(jsonb_build_object('outcome', $2::text, 'why', $4::text))
               || jsonb_build_object('sent', data->'sent' || to_jsonb($3::text[]))
           where turn = $1 and outcome = 'delayed' returning turn
         ), marked as (
           update kikimimi.message m set turn = ended.turn from ended where m.channel = $5 and m.id = any($3) and m.own
         )
         select exists (select from kikimimi.trace where turn = $1) as known`,
        [turn, outcome, sent, why ?? null, channelOf(conversation)],
      )
      return rows[0]?.known === true
    },

    async keepTrace({ screen = [], sources = [], prompts = [], ...trace }, processed) {
      const { turn, conversation, at, outcome, trigger, sent } = trace
      const channel = conversation.split('/').slice(0, 3).join('/')
      const finish = async () => {
        const { rows } = await db.query<{ changed: boolean }>(
          'select kikimimi.finish_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as changed',
          [
            ...[conversation, processed ?? null, turn, at, outcome, trigger, JSON.stringify(trace), channel, sent],
            ...[screen, JSON.stringify(sources)],
          ],
        )
        return rows[0]?.changed
      }
      // With the trace, so that they are never there without the sources whose loss deletes them.
      const finishWithPrompts = () =>
        db.transaction(async () => {
          await db.query(KEEP_PROMPTS, [turn, conversation, at, JSON.stringify(prompts)])
          return finish()
        })
      // In a statement of its own: it locks sources for itself alone.
      if (await (prompts.length > 0 ? finishWithPrompts() : finish()))
        await db.query('select kikimimi.end_turn($1, $2)', [turn, at])
    },

    async traces(limit, conversation) {
      const { rows } = await db.query<{ data: Trace; at: Date }>(
        `select data, at from kikimimi.trace where $2::text is null or conversation = $2 order by at desc, seq desc limit $1`,
        [limit, conversation ?? null],
      )
      return rows.map(({ data, at }) => ({ ...data, at }))
    },

    sweep: (messagesBefore, tracesBefore) => sweep(db, messagesBefore, tracesBefore),
    sweepPrompts: before => sweepPrompts(db, before),
  }
}

const KEEP_PROMPTS = `
  insert into kikimimi.prompt (turn, conversation, at, call, data)
  select $1, $2, $3, (p->>'call')::int, p from jsonb_array_elements($4::jsonb) p`

interface Claimable extends Pick<ConversationRow, 'visibility' | 'own_readers' | 'outsiders'> {
  readonly processed: number
  readonly newer: boolean
  /** The covered messages that are there, by id. */
  readonly covered: Readonly<Record<string, { readonly text: string; readonly recalled: boolean }>>
}

function claimable(
  state: Claimable | undefined,
  {
    conversation,
    lastSeq,
    unlessNewer,
    covers: [trigger, ...others],
  }: Pick<Claim, 'conversation' | 'lastSeq' | 'unlessNewer' | 'covers'>,
): Claimed {
  const now = state?.covered[trigger?.id ?? '']
  if (!state || (state.processed >= lastSeq && !now?.recalled)) return 'taken'
  if (!now) return 'deleted'
  if ([trigger, ...others].some(one => one && state.covered[one.id]?.text !== one.text)) return 'edited'
  if (!sameReaders(conversation, { visibility: state.visibility, readers: readersOf(state) })) return 'readers'
  return unlessNewer && state.newer ? 'newer' : 'mine'
}
