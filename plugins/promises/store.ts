/** The reminders in the database. */

import type { Repeat } from '@kikimimi/times'
import {
  type Conversation,
  channelOf,
  type Database,
  type Locale,
  type MessageSource,
  type Person,
  type PersonKey,
} from 'kikimimi'

export interface Reminder {
  readonly id: number
  /** `promise`: what the bot said that it would come back to. */
  readonly kind: 'reminder' | 'promise'
  readonly conversation: string
  readonly channel: string
  /** The message that asked for it. Null: a command. */
  readonly message: string | null
  /** As it was when the reminder was made. */
  readonly place: Conversation
  readonly author: string
  readonly authorName: string
  /** Whom it is told, if that is another person. */
  readonly target: string | null
  readonly targetName: string | null
  readonly content: string
  readonly locale: Locale
  readonly at: Date
  readonly repeat: Repeat | null
  readonly zone: string
  readonly changedAt: Date
  /** When it was last told. */
  readonly toldAt: Date | null
  readonly failed: number
}

export type NewReminder = Pick<Reminder, 'kind' | 'author' | 'authorName' | 'content' | 'locale' | 'at' | 'zone'> & {
  readonly target?: Person | undefined
  readonly conversation: Conversation
  readonly repeat?: Repeat | undefined
  /** The message that asked for it. Absent: a command. */
  readonly message?: string | undefined
  /** Its place among those of its message. */
  readonly part: number
}

export const COLUMNS =
  'id, kind, conversation, channel, message, place, author, author_name as "authorName", target, target_name as "targetName", content, locale, at, repeat, zone, changed_at as "changedAt", told_at as "toldAt", failed'

/** One that was told, and does not repeat, is kept only to be told again. */
export const OPEN = '(told_at is null or repeat is not null)'

/** The message that asked for a reminder or a watch. */
export const orderOf = ({ channel, message }: Pick<Reminder, 'channel' | 'message'>): MessageSource[] =>
  message === null ? [] : [{ channel, messages: [message] }]

/** What the place is, without what only people see of it. */
export function placeText({ details: _, ...place }: Conversation): string {
  return JSON.stringify(place)
}

/** The conversations whose reminders people see there: those of a channel also in its threads. */
const seenIn = (conversation: Conversation) => [...new Set([conversation.id, channelOf(conversation)])]

/** Milliseconds for which one that was told is kept. */
const KEPT = 24 * 3_600_000

export type Reminders = ReturnType<typeof createReminders>

export function createReminders(db: Database) {
  return {
    /** Stores it. A second one of the same message replaces the first. */
    async add({ conversation, ...one }: NewReminder, now: Date): Promise<Reminder> {
      const { rows } = await db.query<Reminder>(
        `insert into promises.reminder as r
           (kind, conversation, channel, place, author, author_name, message, content, locale, at, repeat, zone, made_at, changed_at,
            target, target_name, part)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15, $16)
         on conflict (channel, message, kind, content, part) where message is not null
           do update set at = excluded.at, repeat = excluded.repeat, changed_at = excluded.changed_at
         returning ${COLUMNS}`,
        [
          ...[one.kind, conversation.id, channelOf(conversation), placeText(conversation), one.author, one.authorName],
          ...[
            one.message ?? null,
            one.content,
            one.locale,
            one.at,
            one.repeat ? JSON.stringify(one.repeat) : null,
            one.zone,
            now,
            one.target?.id ?? null,
            one.target?.name ?? null,
            one.part,
          ],
        ],
      )
      // An upsert returns its row.
      const [added] = rows as [Reminder]
      return added
    },

    /** Nothing while an edit of its message is not followed: the words may be other ones. */
    async get(id: number): Promise<Reminder | undefined> {
      const { rows } = await db.query<Reminder>(
        `select ${COLUMNS} from promises.reminder r
         where id = $1 and ${OPEN} and not exists (select 1 from promises.edited e where e.channel = r.channel and e.message = r.message)`,
        [id],
      )
      return rows[0]
    },

    /** Also one that was told. */
    async stored(id: number): Promise<Reminder | undefined> {
      return (await db.query<Reminder>(`select ${COLUMNS} from promises.reminder where id = $1`, [id])).rows[0]
    },

    /** What else than its message a reminder is made from, instead of what was stored before. False: some of it is gone. */
    async madeFrom(id: number, sources: readonly MessageSource[]): Promise<boolean> {
      await db.query(`select kikimimi_v1.made_from('promises', $1::text, $2::jsonb)`, [String(id), JSON.stringify(sources)])
      const { rowCount } = await db.query(
        `select 1 from kikimimi_v1.source s join kikimimi_v1.message m on m.conversation = s.conversation and m.seq = s.first
         where s.owner = 'promises' and s.thing = $1 and s.first = s.last and (m.deleted_at is not null or m.being_forgotten) limit 1`,
        [String(id)],
      )
      return rowCount === 0
    },

    /** All that reminders are made from. */
    async sources(of: readonly Reminder[]): Promise<readonly MessageSource[]> {
      const { rows } = await db.query<{ conversation: string; first: number; last: number }>(
        `select conversation, first, last from kikimimi_v1.source where owner = 'promises' and thing = any($1)`,
        [of.map(({ id }) => String(id))],
      )
      return [...of.flatMap(orderOf), ...rows]
    },

    /** Those that people see in a conversation, soonest first. */
    async in(conversation: Conversation, limit: number): Promise<readonly Reminder[]> {
      const { rows } = await db.query<Reminder>(
        `select ${COLUMNS} from promises.reminder where conversation = any($1) and ${OPEN} order by at, id limit $2`,
        [seenIn(conversation), limit],
      )
      return rows
    },

    /** What was last told to a person there since a time. */
    async lastTold(conversation: Conversation, person: string, since: Date): Promise<Reminder | undefined> {
      const { rows } = await db.query<Reminder>(
        `select ${COLUMNS} from promises.reminder
         where conversation = any($1) and coalesce(target, author) = $2 and told_at > $3 order by told_at desc limit 1`,
        [seenIn(conversation), person, since],
      )
      return rows[0]
    },

    async count(conversation: Conversation): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from promises.reminder where conversation = $1 and ${OPEN}`,
        [conversation.id],
      )
      return rows[0]?.count ?? 0
    },

    /** Whether it was there, at that time. `now`: a person moves it; `told`: it was told, and `at` is its next time. */
    async move(
      { id, at: before }: Reminder,
      at: Date,
      repeat: Repeat | null,
      { now, told }: { readonly now?: Date; readonly told?: Date },
    ): Promise<boolean> {
      const { rowCount } = await db.query(
        `update promises.reminder set at = $3, repeat = $4, changed_at = coalesce($5::timestamptz, changed_at), failed = 0,
           told_at = case when $5::timestamptz is null then $6::timestamptz end
         where id = $1 and at = $2`,
        [id, before, at, repeat && JSON.stringify(repeat), now ?? null, told ?? null],
      )
      return rowCount > 0
    },

    async change(
      { id }: Reminder,
      { at, repeat, content, target, targetName }: Pick<Reminder, 'at' | 'repeat' | 'content' | 'target' | 'targetName'>,
      now: Date,
    ): Promise<void> {
      await db.query(
        `update promises.reminder set at = $2, repeat = $3, content = $4, changed_at = $5, target = $6, target_name = $7, failed = 0
         where id = $1`,
        [id, at, repeat && JSON.stringify(repeat), content, now, target, targetName],
      )
    },

    async drop(id: number): Promise<void> {
      await db.query('delete from promises.reminder where id = $1', [id])
    },

    /** Whether it was there, at that time. */
    async remove({ id, at }: Reminder): Promise<boolean> {
      return (await db.query('delete from promises.reminder where id = $1 and at = $2', [id, at])).rowCount > 0
    },

    /** Marks one that does not repeat as told. Whether it was there, at that time. */
    async told({ id, at }: Reminder, now: Date): Promise<boolean> {
      await db.query('delete from promises.reminder where told_at < $1 and repeat is null', [new Date(now.getTime() - KEPT)])
      const { rowCount } = await db.query(
        'update promises.reminder set told_at = $3 where id = $1 and at = $2 and told_at is null and repeat is null',
        [id, at, now],
      )
      return rowCount > 0
    },

    /** What was told of a message is not told again. */
    async forgetTold(channel: string, message: string): Promise<void> {
      await db.query(`delete from promises.reminder where channel = $1 and message = $2 and not ${OPEN}`, [channel, message])
    },

    /** Counts that it could not be told. Deletes it after three times in a row: its channel is gone. */
    async failed(id: number, failed: number): Promise<void> {
      await db.query('update promises.reminder set failed = $2 where id = $1', [id, failed])
      await db.query('delete from promises.reminder where id = $1 and failed >= 3', [id])
    },

    /** Whether a person takes no reminders from others. */
    async refuses({ platform, id }: PersonKey): Promise<boolean> {
      return (await db.query('select 1 from promises.refusal where platform = $1 and person = $2', [platform, id])).rowCount > 0
    },

    async refuse({ platform, id }: PersonKey, refuses: boolean): Promise<void> {
      await db.query(
        refuses
          ? 'insert into promises.refusal (platform, person) values ($1, $2) on conflict do nothing'
          : 'delete from promises.refusal where platform = $1 and person = $2',
        [platform, id],
      )
    },

    /** Whether the bot has a promise open there. */
    async hasPromise(conversation: Conversation): Promise<boolean> {
      const { rowCount } = await db.query(
        `select 1 from promises.reminder where conversation = $1 and kind = 'promise' limit 1`,
        [conversation.id],
      )
      return rowCount > 0
    },
  }
}
