import { AsyncLocalStorage } from 'node:async_hooks'
import { type Conversation, channelOf, type Database, type Message } from '../../api/index.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { isAway } from '../database/unavailable.ts'
import type { Store } from './store.ts'

interface Waiting {
  readonly conversation: Conversation
  readonly message: Message
  readonly receivedAt: Date
  readonly also: (() => Promise<void>) | undefined
  resolve(recorded: boolean): void
  reject(error: unknown): void
}

/** A larger batch would be one statement that delays others noticeably. */
const BATCH = 200

/** Conversations whose row is known to exist. Forgetting one costs a statement. */
const KNOWN = 10_000

/**
 * Records messages, many with one statement: messages that arrive while a statement runs go into the next. A single message
 * takes one statement; under load it is far less per message (measured in bench/).
 */
export function createRecorder(db: Database, log: Logger): Store['record'] {
  const known = new Map<string, string>()
  let waiting: Waiting[] = []
  let writing = false
  // One loop writes for all callers: it must not run in the transaction of the first caller.
  const outside = AsyncLocalStorage.snapshot()

  async function write(batch: readonly Waiting[]): Promise<void> {
    const news = new Map(
      batch
        // The bot's own message describes its conversation as it was when the bot began to write.
        .filter(({ conversation, message }) => !message.own || !known.has(conversation.id))
        .filter(({ conversation }) => known.get(conversation.id) !== fingerprint(conversation))
        .map(one => [one.conversation.id, one]),
    )
    const run = async () => {
      for (const { conversation, message } of [...news.values()].sort(byId))
        await db.query(message.own ? KEEP_CONVERSATION : UPSERT_CONVERSATION, conversationParams(conversation))
      const { rows } = await db.query<{ channel: string; id: string }>(
        INSERT_MESSAGES[db.kind === 'postgres' ? 'postgres' : 'pglite'],
        messageParams(batch),
      )
      const inserted = new Set(rows.map(({ channel, id }) => `${channel}\n${id}`))
      const recorded = batch.map(one => inserted.delete(`${channelOf(one.conversation)}\n${one.message.id}`))
      for (const [index, one] of batch.entries()) if (recorded[index]) await one.also?.()
      return recorded
    }
    const alone = db.kind === 'pglite' && news.size === 0 && batch.every(({ also }) => !also)
    const recorded = alone ? await run() : await db.transaction(run)
    for (const { conversation, message } of news.values()) {
      if (known.size >= KNOWN) known.delete(known.keys().next().value ?? '')
      known.set(conversation.id, message.own ? '' : fingerprint(conversation))
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
        if (batch.length === 1 || isAway(error)) for (const one of batch) one.reject(error)
        else await oneByOne(batch, error)
      }
    }
    writing = false
  }

  /** A message that the database refuses must not fail the other messages of its batch. */
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

function byId({ conversation: a }: Waiting, { conversation: b }: Waiting): number {
  return a.id < b.id ? -1 : 1
}

const INSERT_CONVERSATION = `
  insert into kikimimi.conversation as c (id, platform, workspace, channel, thread, name, visibility, details, own_readers, outsiders)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (id)`

/** For what the bot itself says: only platforms know who reads a conversation now. */
export const KEEP_CONVERSATION = `${INSERT_CONVERSATION} do nothing`

const UPSERT_CONVERSATION = `${INSERT_CONVERSATION}
  do update
    set name = excluded.name, visibility = excluded.visibility, own_readers = excluded.own_readers,
      outsiders = excluded.outsiders, details = coalesce(excluded.details, c.details)`

const INSERT = `
  insert into kikimimi.message
    (conversation, channel, id, author_id, author_name, author_bot, own, missed, addressed, text, mentions, attachments, parts, reply_to, at,
     received_at)
  select m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed, m.text,
    m.mentions::jsonb, m.attachments::jsonb, m.parts::jsonb, m.reply_to, m.at, m.received_at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::boolean[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::timestamptz[]) with ordinality
    as m(conversation, channel, id, author_id, author_name, author_bot, own, missed, addressed, text, mentions, attachments, parts,
      reply_to, at, received_at, position)`

const ONCE = `
  order by m.position
  on conflict (channel, id) do nothing
  returning channel, id`

const INSERT_MESSAGES = {
  pglite: `${INSERT} ${ONCE}`,
  // A reader must not pass over a lower `seq` that another process has drawn and not yet committed: a number is drawn only
  // after the conversations are locked. The locks have one order, so that two processes do not wait for each other.
  postgres: `
    with locked as (select 1 from kikimimi.conversation where id = any($1) order by id for no key update)
    ${INSERT} where (select count(*) from locked) >= 0 ${ONCE}`,
}

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
    column(one => one.message.missed === true),
    column(one => one.message.addressed ?? null),
    column(one => one.message.text),
    column(one => JSON.stringify(one.message.mentions)),
    column(one => JSON.stringify(one.message.attachments)),
    column(one => JSON.stringify(one.message.parts ?? [])),
    column(one => one.message.replyTo ?? null),
    column(one => one.message.at.toISOString()),
    column(one => one.receivedAt.toISOString()),
  ]
}

export function conversationParams(conversation: Conversation): unknown[] {
  const { id, platform, workspace, channel, thread, name, visibility, details, readers } = conversation
  const place = [id, platform, workspace, channel, thread ?? null, name, visibility]
  return [...place, details ? JSON.stringify(details) : null, readers?.own ?? null, readers?.outsiders === true]
}

function fingerprint({ name, visibility, readers, details }: Conversation): string {
  return JSON.stringify([visibility, readers, name, details])
}
