import { channelOf, type Database, type Reaction, type Trace } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { createSqlForgetting } from './erasure-sql.ts'
import { changed } from './reactions.ts'
import { refuseNewReaders, sameReaders } from './readers.ts'
import { conversationParams, createRecorder, KEEP_CONVERSATIONS } from './recorder.ts'
import {
  type AnswerRow,
  answerOf,
  COLUMNS,
  type ConversationRow,
  type MessageRow,
  readersOf,
  toConversation,
  toKnownMessage,
  toMessage,
  type UnfinishedRow,
} from './rows.ts'
import type { Claim, Claimed, Delivery, Store } from './store.ts'
import { sweep } from './sweep.ts'
import { createSqlTurns, EVER, loadState, PLACE, READERS, recent, UNFINISHED } from './turns-sql.ts'

/** The kernel's store in a database. */
export function createSqlStore(db: Database, log: Logger, clock: Clock): Store {
  const recorder = createRecorder(db, log, clock)
  const now = () => new Date(clock.now())

  /**
   * Runs a statement on the months of the last days, where the message almost always is, and on all months if it finds nothing there.
   *
   * @param sql makes the statement of a condition on messages m
   */
  async function nearest<T>(
    sql: (months: string) => string,
    params: readonly unknown[],
  ): Promise<{ rows: T[]; rowCount: number }> {
    const months = `m.at between $${params.length + 1} and $${params.length + 2}`
    const found = await db.query<T>(sql(months), [...params, ...recent(now())])
    return found.rowCount > 0 ? found : db.query<T>(sql('true'), params)
  }

  /** @param before the number of parts that are there already */
  const writeDeliveries = (conversation: string, deliveries: readonly Delivery[], at: Date, before = 0) =>
    db.query(
      `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, body, target, answers, until, draft, message, thread, handles, state, at)
       select d.nonce, $1, d.turn, $11 + d.part, d.kind, d.body, d.target, d.answers, d.until, d.draft,
         d.message, d.thread, d.handles,
         case when d.draft then 'writing' else 'pending' end, $2
       from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::boolean[], $12::text[],
         $13::text[], $14::boolean[])
         with ordinality as d(nonce, turn, kind, body, target, answers, until, draft, message, thread, handles, part)`,
      [
        conversation,
        at,
        deliveries.map(d => d.nonce),
        deliveries.map(d => d.turn),
        deliveries.map(d => d.kind),
        deliveries.map(d => d.body),
        deliveries.map(d => d.target ?? null),
        deliveries.map(d => d.answers ?? null),
        deliveries.map(d => d.until ?? null),
        deliveries.map(d => d.isDraft === true),
        before,
        deliveries.map(d => d.message ?? null),
        deliveries.map(d => d.thread ?? null),
        deliveries.map(d => d.hasHandles === true),
      ],
    )

  return {
    forgetting: createSqlForgetting(db),
    turns: createSqlTurns(db),

    async record(conversation, message, receivedAt, also) {
      return (await recorder({ conversation, message, receivedAt, ...(also && { also }) })) !== undefined
    },

    receive: (conversation, message, receivedAt, wait) => recorder({ conversation, message, receivedAt, wait }),

    async edit(conversation, message, { text, mentions, attachments, parts }, at) {
      const { rows } = await nearest<MessageRow & { waits: boolean }>(
        months => `
         update kikimimi.message m set text = $3, edited_at = $4, mentions = coalesce($5::jsonb, mentions),
           attachments = coalesce($6::jsonb, attachments), parts = coalesce($7::jsonb, parts)
         where channel = $1 and id = $2 and ${months} and deleted_at is null and (not own or text = $3)
         returning ${COLUMNS}, seq > (select processed from kikimimi.conversation c where c.id = m.conversation) as waits`,
        [
          channelOf(conversation),
          message,
          text,
          at,
          ...[mentions, attachments, parts].map(value => value && JSON.stringify(value)),
        ],
      )
      const [row] = rows
      return row && !row.own ? { message: toMessage(row), waits: row.waits } : undefined
    },

    async rewrite(conversation, message, text, at) {
      await nearest(
        // A later time than that of the edit before: the trigger tells the bot's own edit by it.
        months => `
         update kikimimi.message m set text = $3, edited_at = greatest($4, edited_at + interval '1 microsecond')
         where channel = $1 and id = $2 and ${months} and deleted_at is null and own`,
        [channelOf(conversation), message, text, at],
      )
    },

    async readdress(conversation, message, addressed, refused) {
      await nearest(
        months => `
         update kikimimi.message m set addressed = $3, refused = $4,
           recalled = $3::text is not null and addressed is null and answered_by is null
             and seq <= (select processed from kikimimi.conversation c where c.id = m.conversation)
         where channel = $1 and id = $2 and ${months} and deleted_at is null`,
        [channelOf(conversation), message, addressed ?? null, refused ?? null],
      )
    },

    async describe({ id, name, visibility, readers, details }) {
      await db.query(
        `update kikimimi.conversation set name = $2, visibility = $3, own_readers = $4, outsiders = $5,
           details = coalesce($6::jsonb, details)
         where id = $1`,
        [id, name, visibility, readers?.own ?? null, readers?.outsiders === true, details ? JSON.stringify(details) : null],
      )
    },

    async find(conversation, ids) {
      const search = async (months: string, ...bounds: readonly Date[]) => {
        const { rows } = await db.query<MessageRow>(
          `select ${COLUMNS} from kikimimi.message m
           where channel = $1 and id = any($2) and deleted_at is null and not left_out ${months} order by seq`,
          [channelOf(conversation), ids, ...bounds],
        )
        return rows.map(toMessage)
      }
      // Almost always a message of the last days.
      const found = await search('and m.at between $3 and $4', ...recent(now()))
      return found.length < new Set(ids).size ? search('') : found
    },

    async known(conversation, ids) {
      const { rows } = await db.query<{ id: string }>(
        `select id from kikimimi.message where channel = $1 and id = any($2)
         union select id from kikimimi.left_out where channel = $1 and id = any($2)`,
        [channelOf(conversation), ids],
      )
      return new Set(rows.map(({ id }) => id))
    },

    async remove(conversation, message, at) {
      await nearest(
        months => `
         update kikimimi.message m set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', recalled = false,
           deleted_at = $3
         where channel = $1 and id = $2 and ${months} and deleted_at is null`,
        [channelOf(conversation), message, at],
      )
    },

    async retract(conversation, message, at) {
      await nearest(
        months => `
         update kikimimi.message m set text = '', reactions = '[]', edited_at = greatest($3, edited_at + interval '1 microsecond'),
           deleted_at = $3
         where channel = $1 and id = $2 and ${months} and deleted_at is null and own`,
        [channelOf(conversation), message, at],
      )
    },

    react: (conversation, message, change) =>
      db.transaction(async () => {
        const which = [channelOf(conversation), message]
        const { rows } = await nearest<{ reactions: readonly Reaction[] }>(
          months => `
           select reactions from kikimimi.message m where channel = $1 and id = $2 and ${months} and deleted_at is null for update`,
          which,
        )
        const [row] = rows
        if (!row) return
        const reactions = changed(row.reactions, change)
        if (reactions === row.reactions) return
        await nearest(
          months => `update kikimimi.message m set reactions = $3 where channel = $1 and id = $2 and ${months}`,
          [...which, JSON.stringify(reactions)],
        )
      }),

    async isOwn(conversation, message) {
      const { rows } = await nearest(
        months => `select 1 from kikimimi.message m where channel = $1 and id = $2 and ${months} and own`,
        [channelOf(conversation), message],
      )
      return rows.length > 0
    },

    async history(conversation, size) {
      const { rows } = await db.query<MessageRow>(
        `select * from (
           select ${COLUMNS} from kikimimi.message m where conversation = $1 and deleted_at is null order by seq desc limit $2
         ) latest order by seq`,
        [conversation, size],
      )
      return rows.map(toKnownMessage)
    },

    async heard(platform, limit) {
      const { rows } = await db.query<ConversationRow & { id: string; last: string; received_at: Date }>(
        `select c.id, c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility, c.own_readers, c.outsiders, c.details,
           coalesce(c.unread_after, l.heard) as last, l.heard_at as received_at
         from (
           select * from kikimimi.latest where platform = $1 and heard_hour >= coalesce(
             (select heard_hour from kikimimi.latest where platform = $1 order by heard_hour desc offset $2::int - 1 limit 1), '-infinity'
           )
           order by heard_seq desc limit $2
         ) l join kikimimi.conversation c on c.id = l.conversation
         order by l.heard_seq desc`,
        [encodeURIComponent(platform), limit],
      )
      return rows.map(({ id, last, received_at: receivedAt, ...row }) => ({
        conversation: toConversation(id, row),
        last,
        receivedAt,
      }))
    },

    async beginReading(marks) {
      await db.query(
        `update kikimimi.conversation c set unread_after = mark.last
         from unnest($1::text[], $2::text[]) as mark(id, last) where c.id = mark.id`,
        [marks.map(({ conversation }) => conversation.id), marks.map(({ last }) => last)],
      )
    },

    async endReading({ id }) {
      await db.query(`update kikimimi.conversation set unread_after = null where id = $1`, [id])
    },

    async markUnread(gaps) {
      const ids = gaps.map(({ conversation }) => conversation)
      await db.query(
        `update kikimimi.conversation c set unread_after = (
           select m.id from kikimimi.message m where m.conversation = c.id and not m.own and m.at < gap.at order by m.seq desc limit 1)
         from unnest($1::text[], $2::timestamptz[]) as gap(id, at) where c.id = gap.id and c.unread_after is null`,
        [ids, gaps.map(({ at }) => at.toISOString())],
      )
      const { rows } = await db.query<{ id: string }>(
        `select id from kikimimi.conversation where id = any($1) and unread_after is not null`,
        [ids],
      )
      return new Set(rows.map(({ id }) => id))
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
      const state = await loadState(db, conversation, memory, recent(now(), since))
      // The bot can have been away for long: what nothing newer follows gets its turn, however old it is.
      return state && state.batch.length === 0 ? loadState(db, conversation, memory, EVER) : state
    },

    async since(conversation, lastSeq) {
      const { rows } = await db.query<MessageRow>(
        `select ${COLUMNS} from kikimimi.message m
         where conversation = $1 and seq > $2 and m.at between $3 and $4 and not own and deleted_at is null and answered_by is null and not left_out
         order by seq limit 50`,
        [conversation, lastSeq, ...recent(now())],
      )
      return rows.map(toMessage)
    },

    async overtaken(marks) {
      const { rows } = await db.query<{ id: string }>(
        `select mark.id from unnest($1::text[], $2::bigint[]) as mark(id, last_seq)
         where exists (select 1 from kikimimi.message m
                       where m.conversation = mark.id and m.seq > mark.last_seq and m.at between $3 and $4 and not m.own and not m.missed and m.deleted_at is null
                         and m.answered_by is null)`,
        [marks.map(({ conversation }) => conversation), marks.map(({ lastSeq }) => lastSeq), ...recent(now())],
      )
      return new Set(rows.map(({ id }) => id))
    },

    async markProcessed(conversation, lastSeq) {
      const { rows } = await db.query<{ moved: boolean }>(
        `with moved as (update kikimimi.conversation set processed = $2 where id = $1 and processed < $2 returning 1),
           recalled as (update kikimimi.message set recalled = false, revise = null where conversation = $1 and recalled and seq <= $2 and at between $3 and $4 returning 1)
         select exists (select 1 from moved) or exists (select 1 from recalled) as moved`,
        [conversation, lastSeq, ...recent(now())],
      )
      return rows[0]?.moved === true
    },

    claim: ({ conversation, turn, lastSeq, unlessNewer, covers, deliveries, at }) =>
      db.transaction(async () => {
        // The row lock makes two claims of one batch wait for each other.
        const ask = async (months: readonly Date[]) => {
          const { rows } = await db.query<Claimable>(
            `select c.processed, ${READERS},
             exists (select 1 from kikimimi.message m
                     where m.conversation = c.id and m.seq > $2 and m.at between $6 and $7 and not m.own and m.deleted_at is null and m.answered_by is null
                       and m.id <> all($4) and ($5 = 'anyone' or m.author_id = (
                         select author_id from kikimimi.message t where t.channel = $3 and t.id = ($4::text[])[1] and t.at between $6 and $7))) as newer,
             (select coalesce(jsonb_object_agg(m.id, jsonb_build_object('text', m.text, 'recalled', m.recalled)), '{}')
              from kikimimi.message m where m.channel = $3 and m.id = any($4) and m.at between $6 and $7 and m.deleted_at is null) as covered
           from kikimimi.conversation c, ${PLACE} where c.id = $1 for update of c`,
            [conversation.id, lastSeq, channelOf(conversation), covers.map(({ id }) => id), unlessNewer ?? '', ...months],
          )
          return claimable(rows[0], { conversation, lastSeq, unlessNewer, covers })
        }
        let months = recent(now())
        let claimed = await ask(months)
        if (claimed === 'deleted') {
          months = EVER
          claimed = await ask(months)
        }
        if (claimed === 'mine') {
          await db.query(
            `with moved as (update kikimimi.conversation set processed = greatest(processed, $2) where id = $1)
             update kikimimi.message set answered_by = $3, recalled = false, revise = null where channel = $4 and id = any($5) and at between $6 and $7`,
            [conversation.id, lastSeq, turn, channelOf(conversation), covers.map(({ id }) => id), ...months],
          )
          await writeDeliveries(conversation.id, deliveries, at)
        }
        return claimed
      }),

    enqueue: (conversation, deliveries, at, also) =>
      db.transaction(async () => {
        await db.query(KEEP_CONVERSATIONS, conversationParams([conversation]))
        // The row lock keeps the readers as they are until the deliveries are stored.
        const { rows } = await db.query<Pick<ConversationRow, 'visibility' | 'own_readers' | 'outsiders'>>(
          `select ${READERS} from kikimimi.conversation c, ${PLACE} where c.id = $1 for update of c`,
          [conversation.id],
        )
        for (const row of rows) refuseNewReaders(conversation, { visibility: row.visibility, readers: readersOf(row) })
        await writeDeliveries(conversation.id, deliveries, at)
        await also()
      }),

    async sending(nonce, from, at) {
      const { rowCount } = await db.query(
        `update kikimimi.delivery set state = 'sending', at = $3, begun = coalesce(begun, $3), retry_at = null
         where nonce = $1 and state = $2`,
        [nonce, from, at],
      )
      return rowCount > 0
    },

    async writing(nonce, message, at) {
      const { rowCount } = await db.query(
        `update kikimimi.delivery set message = coalesce($2, message), begun = coalesce(begun, $3), at = $3
         where nonce = $1 and state in ('writing', 'sending')`,
        [nonce, message ?? null, at],
      )
      return rowCount > 0
    },

    complete: ({ nonce, body, state, message, target, hasHandles }, rest, at) =>
      db.transaction(async () => {
        const { rows } = await db.query<{ conversation: string }>(
          `update kikimimi.delivery set body = $2, state = $3, message = $4, target = $5, at = $6, handles = $7
           where nonce = $1 and state = 'writing' returning conversation`,
          [nonce, body, state, message ?? null, target ?? null, at, hasHandles === true],
        )
        for (const { conversation } of rows) await writeDeliveries(conversation, rest, at, 1)
        return rows.length > 0
      }),

    async withdraw(nonce, at) {
      await db.query(
        `update kikimimi.delivery set state = 'unwanted', body = null, retry_at = null, at = $2
         where nonce = $1 and state in (${UNFINISHED})`,
        [nonce, at],
      )
    },

    async renew(nonce, to, at) {
      await db.query(
        `with renewed as (
           insert into kikimimi.delivery (nonce, conversation, turn, part, kind, body, target, answers, thread, until, handles, state, at)
           select $2, conversation, turn, part, kind, body, target, answers, thread, until, handles, 'pending', $3
           from kikimimi.delivery where nonce = $1
         )
         update kikimimi.delivery set turn = nonce, state = 'unwanted', body = null, at = $3 where nonce = $1`,
        [nonce, to, at],
      )
    },

    async reopen(conversation, turn, revise) {
      const { rowCount } = await nearest(
        months => `
         update kikimimi.message m set answered_by = case when $3::text is null then null else answered_by end,
           recalled = addressed is not null, revise = case when addressed is not null then $3 end
         where channel = $1 and answered_by = $2 and ${months} and deleted_at is null`,
        [channelOf(conversation), turn, revise ?? null],
      )
      return rowCount > 0
    },

    async answer(conversation, by) {
      const { rows } = await db.query<AnswerRow>(
        `select d.turn, d.conversation, d.message, said.text,
           (select thread from kikimimi.conversation c where c.id = said.conversation) as thread,
           (select author_id from kikimimi.message m where m.channel = $1 and m.id = d.answers and m.deleted_at is null) as asker
         from kikimimi.delivery d join kikimimi.message said on said.channel = $1 and said.id = d.message and said.deleted_at is null
         where d.state = 'sent' and d.kind = 'text' and (d.conversation = $1 or starts_with(d.conversation, $1 || '/'))
           and d.turn = coalesce(
             $2,
             (select turn from kikimimi.message where channel = $1 and id = $3 and own),
             (select turn from kikimimi.delivery
              where message = $3 and state = 'sent' and (conversation = $1 or starts_with(conversation, $1 || '/'))
              order by at desc limit 1)
           )
         order by d.part`,
        [channelOf(conversation), 'turn' in by ? by.turn : null, 'message' in by ? by.message : null],
      )
      return answerOf(rows)
    },

    async spoke(conversation, at) {
      await db.query(KEEP_CONVERSATIONS, conversationParams([conversation]))
      await db.query(`update kikimimi.conversation set last_reply_at = $2 where id = $1`, [conversation.id, at])
    },

    async sent(nonce, message, at) {
      await db.query(
        `with posted as (
           update kikimimi.delivery set state = 'sent', message = $2, body = null where nonce = $1 returning conversation
         )
         update kikimimi.conversation c set last_reply_at = $3 from posted where c.id = posted.conversation`,
        [nonce, message, at],
      )
    },

    async goOnIn(turn, thread) {
      await db.query(`update kikimimi.delivery set thread = $2 where turn = $1 and state in ('writing', 'pending')`, [
        turn,
        thread,
      ])
    },

    async giveUp(nonce, state) {
      await db.query(`update kikimimi.delivery set state = $2, body = null where nonce = $1`, [nonce, state])
    },

    async postpone(nonce, state, retryAt) {
      await db.query(`update kikimimi.delivery set state = $2, retry_at = $3 where nonce = $1 and state in (${UNFINISHED})`, [
        nonce,
        state,
        retryAt,
      ])
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

    async unfinished(conversation) {
      const { rows } = await db.query<UnfinishedRow>(
        `select nonce, turn, kind, coalesce(body, '') as body, target, answers, thread, message, draft, handles, state, at, begun, until, retry_at
         from kikimimi.delivery
         where conversation = $1 and state in (${UNFINISHED}) order by turn, part`,
        [conversation],
      )
      return rows.map(({ target, answers, thread, message, draft, handles, begun, until, retry_at, ...row }) => ({
        ...row,
        ...(message !== null && { message }),
        ...(draft && { isDraft: true as const }),
        ...(handles && { hasHandles: true as const }),
        ...(begun && { begun }),
        ...(until && { until }),
        ...(retry_at && { retryAt: retry_at }),
        ...(target !== null && { target }),
        ...(answers !== null && { answers }),
        ...(thread !== null && { thread }),
      }))
    },

    async keepTrace({ screen = [], sources = [], ...trace }, processed) {
      const { turn, conversation, at, outcome, trigger, sent } = trace
      const channel = conversation.split('/').slice(0, 3).join('/')
      const { rows } = await db.query<{ changed: boolean }>(
        'select kikimimi.finish_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as changed',
        [
          ...[conversation, processed ?? null, turn, at, outcome, trigger, JSON.stringify(trace), channel, sent],
          ...[screen, JSON.stringify(sources)],
        ],
      )
      // In a statement of its own: it locks sources for itself alone.
      if (rows[0]?.changed) await db.query('select kikimimi.end_turn($1, $2)', [turn, at])
    },

    async traces(limit, conversation) {
      const { rows } = await db.query<{ data: Trace; at: Date }>(
        `select data, at from kikimimi.trace where $2::text is null or conversation = $2 order by at desc, seq desc limit $1`,
        [limit, conversation ?? null],
      )
      return rows.map(({ data, at }) => ({ ...data, at }))
    },

    sweep: (messagesBefore, tracesBefore) => sweep(db, messagesBefore, tracesBefore),
  }
}

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
