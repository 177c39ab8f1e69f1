import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from './database.ts'
import { reason } from './errors.ts'
import type { Logger } from './log.ts'
import { type Address, type Conversation, channelOf, type Message, type Trace, type Visibility } from './plugin.ts'
import type { Claimed, Delivery, Look, Store, Unfinished } from './store.ts'

/** The kernel's store in a database. */
export function createSqlStore(db: Database, log: Logger): Store {
  const record = createRecorder(db, log)

  const writeDeliveries = (conversation: string, deliveries: readonly Delivery[], at: Date) =>
    db.query(
      `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, body, target, state, at)
       select d.nonce, $1, d.turn, d.part, d.kind, d.body, d.target, 'pending', $2
       from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         with ordinality as d(nonce, turn, kind, body, target, part)`,
      [
        conversation,
        at,
        deliveries.map(d => d.nonce),
        deliveries.map(d => d.turn),
        deliveries.map(d => d.kind),
        deliveries.map(d => d.body),
        deliveries.map(d => d.target ?? null),
      ],
    )

  return {
    record,

    async edit(conversation, message, text, at) {
      await db.query(
        `update kikimimi.message set text = $3, edited_at = $4 where channel = $1 and id = $2 and deleted_at is null`,
        [channelOf(conversation), message, text, at],
      )
    },

    async remove(conversation, message, at) {
      await db.query(
        `update kikimimi.message set text = '', mentions = '[]', attachments = '[]', deleted_at = $3
         where channel = $1 and id = $2 and deleted_at is null`,
        [channelOf(conversation), message, at],
      )
    },

    async isOwn(conversation, message) {
      const { rows } = await db.query(`select 1 from kikimimi.message where channel = $1 and id = $2 and own`, [
        channelOf(conversation),
        message,
      ])
      return rows.length > 0
    },

    async history(conversation, size) {
      const { rows } = await db.query<MessageRow>(
        `select * from (
           select ${COLUMNS} from kikimimi.message m where conversation = $1 and deleted_at is null order by seq desc limit $2
         ) latest order by seq`,
        [conversation, size],
      )
      return rows.map(toMessage)
    },

    async look(conversation, size, since) {
      const { rows } = await db.query<ConversationRow & Partial<MessageRow>>(
        `select c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility, c.looked, c.last_reply_at, latest.*
         from kikimimi.conversation c
         left join lateral (
           (select ${COLUMNS} from kikimimi.message m
            where m.conversation = c.id and m.deleted_at is null and (m.received_at >= $3 or m.seq > c.looked)
            order by m.seq desc limit $2)
           union
           -- Who called on the bot is answered, however much was said since.
           (select ${COLUMNS} from kikimimi.message m
            where m.conversation = c.id and m.deleted_at is null and m.seq > c.looked and m.addressed is not null
            order by m.seq desc limit ${CALLS})
         ) latest on true
         where c.id = $1 order by latest.seq`,
        [conversation, size, since],
      )
      const [first] = rows
      return first && toLook(conversation, first, rows.filter(hasMessage))
    },

    async settle(conversation, upto) {
      await db.query(`update kikimimi.conversation set looked = $2 where id = $1 and looked < $2`, [conversation, upto])
    },

    claim: ({ conversation, upto, unlessNewer, trigger, deliveries, at }) =>
      db.transaction(async () => {
        // The row lock makes two claims of one batch wait for each other.
        const { rows } = await db.query<{ looked: number; newer: boolean; deleted: boolean }>(
          `select c.looked,
             exists (select 1 from kikimimi.message m
                     where m.conversation = c.id and m.seq > $2 and not m.own and m.deleted_at is null) as newer,
             exists (select 1 from kikimimi.message m where m.channel = $3 and m.id = $4 and m.deleted_at is not null) as deleted
           from kikimimi.conversation c where c.id = $1 for update`,
          [conversation.id, upto, channelOf(conversation), trigger],
        )
        const [state] = rows
        const claimed: Claimed =
          !state || state.looked >= upto ? 'taken' : state.deleted ? 'deleted' : unlessNewer && state.newer ? 'newer' : 'mine'
        if (claimed === 'mine') {
          await db.query(`update kikimimi.conversation set looked = $2, last_reply_at = $3 where id = $1`, [
            conversation.id,
            upto,
            at,
          ])
          await writeDeliveries(conversation.id, deliveries, at)
        }
        return claimed
      }),

    enqueue: (conversation, deliveries, at) =>
      db.transaction(async () => {
        await db.query(UPSERT_CONVERSATION, conversationParams(conversation))
        await db.query(`update kikimimi.conversation set last_reply_at = $2 where id = $1`, [conversation.id, at])
        await writeDeliveries(conversation.id, deliveries, at)
      }),

    async sending(nonce) {
      await db.query(`update kikimimi.delivery set state = 'sending' where nonce = $1`, [nonce])
    },

    async finished(nonce, state, message) {
      await db.query(`update kikimimi.delivery set state = $2, message = $3, body = null where nonce = $1`, [
        nonce,
        state,
        message ?? null,
      ])
    },

    async unfinished(conversation) {
      const { rows } = await db.query<Unfinished & { target: string | null }>(
        `select nonce, turn, kind, body, target, state from kikimimi.delivery
         where conversation = $1 and state in ('pending', 'sending') order by at, turn, part`,
        [conversation],
      )
      return rows.map(({ target, ...row }) => (target === null ? row : { ...row, target }))
    },

    async keepTrace(trace) {
      await db.query(
        `insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data) values ($1, $2, $3, $4, $5, $6)
         on conflict (turn) do nothing`,
        [trace.turn, trace.conversation, trace.at, trace.outcome, trace.trigger, JSON.stringify(trace)],
      )
    },

    async traces(limit, conversation) {
      const { rows } = await db.query<{ data: Trace; at: Date }>(
        `select data, at from kikimimi.trace where $2::text is null or conversation = $2 order by at desc, turn desc limit $1`,
        [limit, conversation ?? null],
      )
      return rows.map(({ data, at }) => ({ ...data, at }))
    },

    async sweep(messagesBefore, tracesBefore) {
      await db.query(`delete from kikimimi.message where received_at < $1`, [messagesBefore])
      await db.query(`delete from kikimimi.delivery where at < $1 and state not in ('pending', 'sending')`, [messagesBefore])
      await db.query(`delete from kikimimi.trace where at < $1`, [tracesBefore])
    },
  }
}

// ---------------------------------------------------------------- recording

interface Waiting {
  readonly conversation: Conversation
  readonly message: Message
  readonly receivedAt: Date
  readonly also: (() => Promise<void>) | undefined
  resolve(recorded: boolean): void
  reject(error: unknown): void
}

/** More would make one statement long enough to be felt by others. */
const BATCH = 200

/** Conversations whose row is known to be there. Forgetting one costs a statement. */
const KNOWN = 10_000

/**
 * Records messages, many with one statement: what arrives while a statement runs goes into the next one.
 * One at a time it is one statement for a message; under load it is far less (measured in bench/).
 */
function createRecorder(db: Database, log: Logger): Store['record'] {
  const known = new Map<string, string>()
  let waiting: Waiting[] = []
  let writing = false
  // One loop writes for all: it must not run in the transaction that whoever came first happens to be in.
  const outside = AsyncLocalStorage.snapshot()

  async function write(batch: readonly Waiting[]): Promise<void> {
    const news = new Map(
      batch
        .filter(({ conversation }) => known.get(conversation.id) !== fingerprint(conversation))
        .map(({ conversation }) => [conversation.id, conversation]),
    )
    const run = async () => {
      for (const conversation of news.values()) await db.query(UPSERT_CONVERSATION, conversationParams(conversation))
      const { rows } = await db.query<{ channel: string; id: string }>(INSERT_MESSAGES, messageParams(batch))
      const inserted = new Set(rows.map(({ channel, id }) => `${channel}\n${id}`))
      const recorded = batch.map(one => inserted.delete(`${channelOf(one.conversation)}\n${one.message.id}`))
      for (const [index, one] of batch.entries()) if (recorded[index]) await one.also?.()
      return recorded
    }
    const alone = news.size === 0 && batch.every(({ also }) => !also)
    const recorded = alone ? await run() : await db.transaction(run)
    for (const conversation of news.values()) {
      if (known.size >= KNOWN) known.delete(known.keys().next().value ?? '')
      known.set(conversation.id, fingerprint(conversation))
    }
    for (const [index, one] of batch.entries()) one.resolve(recorded[index] === true)
  }

  async function drain(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      try {
        await write(batch)
      } catch (error) {
        if (batch.length === 1) batch[0]?.reject(error)
        else await oneByOne(batch, error)
      }
    }
    writing = false
  }

  /** A message that the database refuses must not take its neighbours with it. */
  async function oneByOne(batch: readonly Waiting[], error: unknown): Promise<void> {
    log.warn(`recording ${batch.length} messages at once failed, trying one by one: ${reason(error)}`)
    for (const one of batch) await write([one]).catch(one.reject)
  }

  return (conversation, message, receivedAt, also) =>
    new Promise((resolve, reject) => {
      waiting.push({ conversation, message, receivedAt, also, resolve, reject })
      if (!writing) void outside(drain)
    })
}

const UPSERT_CONVERSATION = `
  insert into kikimimi.conversation (id, platform, workspace, channel, thread, name, visibility)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (id) do update set name = excluded.name, visibility = excluded.visibility`

const INSERT_MESSAGES = `
  insert into kikimimi.message
    (conversation, channel, id, author_id, author_name, author_bot, own, addressed, text, mentions, attachments, reply_to, at, received_at)
  select m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.addressed, m.text,
    m.mentions::jsonb, m.attachments::jsonb, m.reply_to, m.at, m.received_at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[]) with ordinality
    as m(conversation, channel, id, author_id, author_name, author_bot, own, addressed, text, mentions, attachments, reply_to,
      at, received_at, position)
  order by m.position
  on conflict (channel, id) do nothing
  returning channel, id`

function messageParams(batch: readonly Waiting[]): unknown[] {
  const column = <T>(pick: (one: Waiting) => T): T[] => batch.map(pick)
  return [
    column(one => one.conversation.id),
    column(one => channelOf(one.conversation)),
    column(one => one.message.id),
    column(one => one.message.author.id),
    column(one => one.message.author.name),
    column(one => one.message.author.bot === true),
    column(one => one.message.own),
    column(one => one.message.addressed ?? null),
    column(one => one.message.text),
    column(one => JSON.stringify(one.message.mentions)),
    column(one => JSON.stringify(one.message.attachments)),
    column(one => one.message.replyTo ?? null),
    column(one => one.message.at.toISOString()),
    column(one => one.receivedAt.toISOString()),
  ]
}

function conversationParams(conversation: Conversation): unknown[] {
  const { id, platform, workspace, channel, thread, name, visibility } = conversation
  return [id, platform, workspace, channel, thread ?? null, name, visibility]
}

function fingerprint({ name, visibility }: Conversation): string {
  return `${visibility} ${name}`
}

// ---------------------------------------------------------------- reading

interface ConversationRow {
  platform: string
  workspace: string
  channel: string
  thread: string | null
  name: string
  visibility: Visibility
  looked: number
  last_reply_at: Date | null
}

interface MessageRow {
  seq: number
  id: string
  author_id: string
  author_name: string
  author_bot: boolean
  own: boolean
  addressed: Address | null
  text: string
  mentions: Message['mentions']
  attachments: Message['attachments']
  reply_to: string | null
  at: Date
  received_at: Date
}

/** More of them in one conversation within one turn are no people. */
const CALLS = 1_000

const COLUMNS = `m.seq, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.addressed, m.text, m.mentions, m.attachments,
  m.reply_to, m.at, m.received_at`

function hasMessage(row: ConversationRow & Partial<MessageRow>): row is ConversationRow & MessageRow {
  return typeof row.seq === 'number'
}

function toLook(id: string, row: ConversationRow, rows: readonly MessageRow[]): Look {
  const { platform, workspace, channel, thread, name, visibility, looked, last_reply_at } = row
  const entries = rows.map(one => ({ seq: one.seq, receivedAt: one.received_at, message: toMessage(one) }))
  return {
    conversation: { id, platform, workspace, channel, ...(thread !== null && { thread }), name, visibility },
    ...(last_reply_at && { lastReplyAt: last_reply_at }),
    batch: entries.filter(({ seq, message }) => seq > looked && !message.own),
    history: entries.map(({ message }) => message),
  }
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    author: { id: row.author_id, name: row.author_name, ...(row.author_bot && { bot: true }) },
    text: row.text,
    at: row.at,
    mentions: row.mentions,
    ...(row.reply_to !== null && { replyTo: row.reply_to }),
    attachments: row.attachments,
    own: row.own,
    ...(row.addressed && { addressed: row.addressed }),
  }
}
