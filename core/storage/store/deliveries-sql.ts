/** The statements about deliveries. */
import { channelOf, type Database } from '../../api/index.ts'
import { refuseLost, refuseNewReaders } from './readers.ts'
import { conversationParams, KEEP_CONVERSATIONS } from './recorder.ts'
import { type AnswerRow, answerOf, type ConversationRow, readersOf, type UnfinishedRow } from './rows.ts'
import type { Delivery, Store } from './store.ts'
import { PLACE, READERS, UNFINISHED } from './turns-sql.ts'

type Deliveries = Pick<
  Store,
  | 'enqueue'
  | 'sending'
  | 'writing'
  | 'complete'
  | 'withdraw'
  | 'renew'
  | 'answer'
  | 'sent'
  | 'goOnIn'
  | 'giveUp'
  | 'postpone'
  | 'unfinished'
>

export function createSqlDeliveries(db: Database): Deliveries {
  return {
    enqueue: (conversation, deliveries, at, sources, also) =>
      db.transaction(async () => {
        await db.query(KEEP_CONVERSATIONS, conversationParams([conversation]))
        // The row lock keeps the readers as they are until the deliveries are stored.
        const { rows } = await db.query<Pick<ConversationRow, 'visibility' | 'own_readers' | 'outsiders'>>(
          `select ${READERS} from kikimimi.conversation c, ${PLACE} where c.id = $1 for update of c`,
          [conversation.id],
        )
        for (const row of rows) refuseNewReaders(conversation, { visibility: row.visibility, readers: readersOf(row) })
        const [{ turn }] = deliveries
        const kept =
          sources.length === 0 ||
          (
            await db.query<{ kept: boolean }>('select kikimimi.keep_sent($1, $2, $3) as kept', [
              turn,
              at,
              JSON.stringify(sources),
            ])
          ).rows[0]?.kept
        if (!kept) refuseLost()
        await writeDeliveries(db, conversation.id, deliveries, at)
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
        for (const { conversation } of rows) await writeDeliveries(db, conversation, rest, at, 1)
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
           insert into kikimimi.delivery (nonce, conversation, turn, part, kind, body, target, answers, thread, until, handles, notify, state, at)
           select $2, conversation, turn, part, kind, body, target, answers, thread, until, handles, notify, 'pending', $3
           from kikimimi.delivery where nonce = $1
         )
         update kikimimi.delivery set turn = nonce, state = 'unwanted', body = null, at = $3 where nonce = $1`,
        [nonce, to, at],
      )
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

    async sent(nonce, message, at) {
      await db.query(
        // A turn marks its messages at its end. What was refused while the platform took it leaves no words.
        `with before as materialized (
           select conversation, turn, state = 'failed' as refused from kikimimi.delivery where nonce = $1 for update
         ), posted as (
           update kikimimi.delivery d set state = 'sent', message = $2, body = null from before where d.nonce = $1
         ), marked as (
           update kikimimi.message m set turn = b.turn, text = case when b.refused then '' else m.text end,
             deleted_at = case when b.refused then $3::timestamptz end
           from before b
           where (b.refused or starts_with(b.turn, 'send-')) and m.channel = kikimimi.channel_of(b.conversation) and m.id = $2 and m.own
             and m.at between $3::timestamptz - interval '8 days' and $3::timestamptz + interval '2 days'
         )
         update kikimimi.conversation c set last_reply_at = $3 from before b where c.id = b.conversation`,
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

    async unfinished(conversation) {
      const { rows } = await db.query<UnfinishedRow>(
        `select nonce, turn, kind, coalesce(body, '') as body, target, answers, thread, message, draft, handles, notify, state, at, begun, until, retry_at
         from kikimimi.delivery
         where conversation = $1 and state in (${UNFINISHED}) order by turn, part`,
        [conversation],
      )
      return rows.map(({ target, answers, thread, message, draft, handles, notify, begun, until, retry_at, ...row }) => ({
        ...row,
        ...(message !== null && { message }),
        ...(draft && { isDraft: true as const }),
        ...(handles && { hasHandles: true as const }),
        ...(notify && { notify }),
        ...(begun && { begun }),
        ...(until && { until }),
        ...(retry_at && { retryAt: retry_at }),
        ...(target !== null && { target }),
        ...(answers !== null && { answers }),
        ...(thread !== null && { thread }),
      }))
    },
  }
}

/** @param before the number of parts that are there already */
export async function writeDeliveries(
  db: Database,
  conversation: string,
  deliveries: readonly Delivery[],
  at: Date,
  before = 0,
): Promise<void> {
  await db.query(
    `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, body, target, answers, until, draft, message, thread, handles, notify, state, at)
     select d.nonce, $1, d.turn, $11 + d.part, d.kind, d.body, d.target, d.answers, d.until, d.draft,
       d.message, d.thread, d.handles, d.notify::jsonb,
       case when d.draft then 'writing' else 'pending' end, $2
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::boolean[], $12::text[],
       $13::text[], $14::boolean[], $15::text[])
       with ordinality as d(nonce, turn, kind, body, target, answers, until, draft, message, thread, handles, notify, part)`,
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
      deliveries.map(d => (d.notify ? JSON.stringify(d.notify) : null)),
    ],
  )
}
