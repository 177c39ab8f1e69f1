import { AsyncLocalStorage } from 'node:async_hooks'
import { type Conversation, channelOf, type Database, type Message } from '../../api/index.ts'
import { inBackground, inForeground } from '../../base/background.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { RecentMap } from '../../base/recent-map.ts'
import { isAway } from '../database/unavailable.ts'
import type { Recorded } from './store.ts'
import { togetherOf, type Wait } from './turn-store.ts'

interface Entry {
  readonly conversation: Conversation
  readonly message: Message
  readonly receivedAt: Date
  /** When it gets a turn. */
  readonly wait?: Wait
  /** Runs in the same transaction, if the message is new. It may change the row of the conversation and that of its channel. */
  readonly also?: () => Promise<void>
}

interface Waiting extends Entry {
  readonly channel: string
  /** Names the message: ids are unique in a channel. */
  readonly key: string
  resolve(recorded: Recorded | undefined): void
  reject(error: unknown): void
}

/** Messages that are recorded together: what people wait for, or talk, which comes after it. */
interface Lane {
  readonly run: ReturnType<typeof AsyncLocalStorage.snapshot>
  readonly waiting: Waiting[]
  isWriting: boolean
}

/** Nothing: the message is known already. */
export type Record = (entry: Entry) => Promise<Recorded | undefined>

/** A larger batch would be one statement that delays others noticeably. */
const BATCH = 200

/** Conversations whose row is known to exist. Forgetting one costs a statement. */
const KNOWN = 10_000

/**
 * Records messages and schedules their turns, many with one statement: messages that arrive while a statement runs go into the next. A
 * single message takes one statement; under load it is far less per message (measured in bench/).
 */
export function createRecorder(db: Database, log: Logger, clock: Clock): Record {
  const known = new RecentMap<string>(KNOWN)
  // One loop of each kind writes for all callers: it must not run in the transaction of the first caller.
  const calls: Lane = { run: inForeground(AsyncLocalStorage.snapshot), waiting: [], isWriting: false }
  const talk: Lane = { run: inBackground(AsyncLocalStorage.snapshot), waiting: [], isWriting: false }

  async function write(batch: readonly Waiting[]): Promise<void> {
    await describe(batch)
    const run = async () => {
      const { rows } = await db.query<{ channel: string | null; id: string; due_at: Date | null }>(RECORD, [
        ...waitParams(batch),
        ...messageParams(once(batch), new Date(clock.now() + AHEAD)),
      ])
      const inserted = new Set(rows.flatMap(({ channel, id }) => (channel === null ? [] : [`${channel}\n${id}`])))
      const due = new Map(rows.flatMap(({ channel, id, due_at: at }) => (channel === null && at ? [[id, at]] : [])))
      const recorded = batch.map(one => {
        if (!inserted.delete(one.key)) return undefined
        const dueAt = one.wait && due.get(one.conversation.id)
        return { ...(dueAt && { dueAt }) }
      })
      for (const [index, one] of batch.entries()) if (recorded[index]) await one.also?.()
      return recorded
    }
    const recorded = batch.some(({ also }) => also) ? await db.transaction(run) : await run()
    for (const [index, one] of batch.entries()) one.resolve(recorded[index])
  }

  /**
   * Stores conversations that are new or described anew. Before the messages, in a statement of its own: a trigger stores up to which
   * message the readers of before have read.
   */
  async function describe(batch: readonly Waiting[]): Promise<void> {
    const news = new Map(
      batch
        // The bot's own message describes its conversation as it was when the bot began to write.
        .filter(({ conversation, message }) => !message.own || !known.has(conversation.id))
        .filter(({ conversation }) => known.get(conversation.id) !== fingerprint(conversation))
        .map(one => [one.conversation.id, one]),
    )
    for (const isOwn of [false, true]) {
      const some = [...news.values()].filter(({ message }) => message.own === isOwn).map(({ conversation }) => conversation)
      if (some.length > 0) await db.query(isOwn ? KEEP_CONVERSATIONS : UPSERT_CONVERSATIONS, conversationParams(some))
      for (const conversation of some) {
        known.set(conversation.id, isOwn ? '' : fingerprint(conversation))
      }
    }
  }

  async function drain(lane: Lane): Promise<void> {
    lane.isWriting = true
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, BATCH)
      try {
        await write(batch)
      } catch (error) {
        if (batch.length === 1 || isAway(error)) for (const one of batch) one.reject(error)
        else await oneByOne(batch, error)
      }
    }
    lane.isWriting = false
  }

  /** A message that the database refuses must not fail the other messages of its batch. */
  async function oneByOne(batch: readonly Waiting[], error: unknown): Promise<void> {
    log.warn(`recording ${batch.length} messages at once failed, trying one by one: ${reason(error)}`)
    for (const one of batch) await write([one]).catch(one.reject)
  }

  return entry =>
    new Promise((resolve, reject) => {
      const lane = entry.message.own || entry.message.addressed ? calls : talk
      const channel = channelOf(entry.conversation)
      lane.waiting.push({ ...entry, channel, key: `${channel}\n${entry.message.id}`, resolve, reject })
      if (!lane.isWriting) void lane.run(drain, lane)
    })
}

/** The first of each message. One statement does not see what it inserts itself. */
function once(batch: readonly Waiting[]): readonly Waiting[] {
  const first = new Map<string, Waiting>()
  for (const one of batch) if (!first.has(one.key)) first.set(one.key, one)
  return [...first.values()]
}

const INSERT_CONVERSATIONS = `
  insert into kikimimi.conversation as c (id, platform, workspace, channel, thread, name, visibility, details, own_readers, outsiders)
  select id, platform, workspace, channel, thread, name, visibility, details::jsonb, own_readers, outsiders
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::boolean[])
    as n(id, platform, workspace, channel, thread, name, visibility, details, own_readers, outsiders)
  order by id
  on conflict (id)`

/** For what the bot itself says: only platforms know who reads a conversation now. */
export const KEEP_CONVERSATIONS = `${INSERT_CONVERSATIONS} do nothing`

const UPSERT_CONVERSATIONS = `${INSERT_CONVERSATIONS}
  do update
    set name = excluded.name, visibility = excluded.visibility, own_readers = excluded.own_readers,
      outsiders = excluded.outsiders, details = coalesce(excluded.details, c.details)`

/** Largest difference between the platform's clock and ours. */
export const AHEAD = 24 * 60 * 60_000

/**
 * A message and its turn are stored together.
 *
 * A message is one message however late it comes again, and whatever text and time it has then: platforms give an id once in a channel. Its
 * index `message_once` finds only the same time. So a process locks the names of its messages, and `is_known` then sees what others have
 * committed. The deletion of a message can be received before the message, which is known then.
 *
 * A reader must not pass over a lower `seq` that another process has drawn and not yet
 * committed: a number is drawn only after the conversations are locked. The locks have one order, so that two processes do not wait
 * for each other. A message that is known schedules a turn too, which finds nothing to do.
 */
const RECORD = `
  with wait as materialized (
    select * from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::boolean[], $5::float8[], $6::timestamptz[])
      as w(id, due_at, due_latest, urgent, vary, moves_since)
  ), named as materialized (
    select kikimimi.lock_messages($8, $9)
  ), locked as (
    select c.id from kikimimi.conversation c where c.id = any($1) and (select count(*) from named) >= 0 order by c.id for no key update
  ), waiting as (
    update kikimimi.conversation c
      set (due_at, due_latest, urgent, vary) = (
        select * from kikimimi.due_after(c.due_at, c.due_latest, c.urgent, c.vary, w.due_at, w.due_latest, w.urgent, w.vary,
          greatest(c.last_reply_at, c.called_at), w.moves_since)
      ), called_at = case when w.urgent then greatest(c.called_at, w.due_at) else c.called_at end
    from wait w where c.id = w.id and w.due_at is not null and c.id in (select id from locked)
    returning c.id, c.due_at
  ), inserted as (
    insert into kikimimi.message
      (conversation, channel, id, author_id, author_name, author_bot, own, missed, addressed, text, mentions, attachments, parts, reply_to,
       at, received_at, refused)
    select m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed, m.text,
      m.mentions::jsonb, m.attachments::jsonb, m.parts::jsonb, m.reply_to, m.at, m.received_at, m.refused
    from unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::boolean[], $13::boolean[], $14::boolean[], $15::text[],
      $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::timestamptz[], $22::timestamptz[], $23::text[]) with ordinality
      as m(conversation, channel, id, author_id, author_name, author_bot, own, missed, addressed, text, mentions, attachments, parts,
        reply_to, at, received_at, refused, position)
    where (select count(*) from locked) + (select count(*) from waiting) >= 0
      and not kikimimi.is_known(m.channel, m.id)
    order by m.position
    on conflict do nothing
    returning channel, id
  )
  select channel, id, null::timestamptz as due_at from inserted union all select null, id, due_at from waiting`

/** For each conversation of the batch, when its turn is due. A channel that `also` changes is locked in the same order. */
function waitParams(batch: readonly Waiting[]): unknown[] {
  const changed = batch.flatMap(one => (one.also ? [{ id: one.channel }] : []))
  const places = [...batch.map(({ conversation: { id }, wait }) => ({ id, wait })), ...changed]
  const waits = [...Map.groupBy<string, { readonly id: string; readonly wait?: Wait | undefined }>(places, ({ id }) => id)].map(
    ([id, of]) => ({ id, wait: togetherOf(of.flatMap(({ wait }) => wait ?? [])) }),
  )
  return [
    waits.map(({ id }) => id),
    waits.map(({ wait }) => wait?.due.toISOString() ?? null),
    waits.map(({ wait }) => wait?.latest.toISOString() ?? null),
    waits.map(({ wait }) => wait?.urgent === true),
    waits.map(({ wait }) => wait?.vary ?? 1),
    waits.map(({ wait }) => wait?.movesSince.toISOString() ?? null),
  ]
}

function messageParams(batch: readonly Waiting[], latest: Date): unknown[] {
  const column = <T>(pick: (one: Waiting) => T): T[] => batch.map(pick)
  // A message from the future would not be among the recent ones.
  const times = batch.map(({ message }) => Math.min(message.at.getTime(), latest.getTime()))
  return [
    column(one => one.conversation.id),
    column(one => one.channel),
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
    times.map(time => new Date(time).toISOString()),
    column(one => one.receivedAt.toISOString()),
    column(one => one.message.refused ?? null),
  ]
}

export function conversationParams(conversations: readonly Conversation[]): unknown[] {
  const column = <T>(pick: (one: Conversation) => T): T[] => conversations.map(pick)
  return [
    column(({ id }) => id),
    column(({ platform }) => platform),
    column(({ workspace }) => workspace),
    column(({ channel }) => channel),
    column(({ thread }) => thread ?? null),
    column(({ name }) => name),
    column(({ visibility }) => visibility),
    column(({ details }) => (details ? JSON.stringify(details) : null)),
    column(({ readers }) => readers?.own ?? null),
    column(({ readers }) => readers?.outsiders === true),
  ]
}

function fingerprint({ name, visibility, readers, details }: Conversation): string {
  return JSON.stringify([visibility, readers, name, details])
}
