/** The tables of planned and posted digests. */
import type { Conversation, Database } from 'kikimimi'
import type { Said } from '../log/said.ts'

export interface Plan {
  /** The channel. */
  readonly conversation: Conversation
  readonly at: Date
  readonly schedule: string
  /** When the first message was said. */
  readonly since: Date
}

export interface Stale {
  readonly id: number
  readonly conversation: Conversation
  readonly messages: readonly string[]
}

export function createStored(db: Database) {
  return {
    /** Returns when the digest is due: of one schedule, the first message and the time stay the first. */
    async plan({ conversation, at, schedule, since }: Plan): Promise<Date> {
      const { rows } = await db.query<{ at: Date }>(
        `insert into digest.plan as p (channel, conversation, at, schedule, since) values ($1, $2, $3, $4, $5)
         on conflict (channel) do update set conversation = excluded.conversation, schedule = excluded.schedule,
           at = case when p.schedule = excluded.schedule then p.at else excluded.at end
         returning at`,
        [conversation.id, JSON.stringify(conversation), at, schedule, since],
      )
      return rows[0]?.at ?? at
    },

    /** Takes the plan of a channel if it is due, so that no other process has it. */
    async take(channel: string, now: Date): Promise<Plan | undefined> {
      const { rows } = await db.query<Plan>(
        'delete from digest.plan where channel = $1 and at <= $2 returning conversation, at, schedule, since',
        [channel, now],
      )
      return rows[0]
    },

    /** Stores what a digest is made from, before it is sent. */
    begin: (conversation: Conversation, said: readonly Said[], now: Date): Promise<number> =>
      db.transaction(async () => {
        const { rows } = await db.query<{ id: number }>(`select nextval(pg_get_serial_sequence('digest.post', 'id')) as id`)
        const id = rows[0]?.id ?? 0
        const seqs = said.map(({ seq }) => seq)
        await db.query('select kikimimi_v1.made_from($1, $2, $3, $4, $4)', [
          ...['digest', String(id), said.map(one => one.conversation)],
          seqs,
        ])
        await db.query('insert into digest.post (id, conversation, at) overriding system value values ($1, $2, $3)', [
          ...[id, JSON.stringify(conversation), now],
        ])
        return id
      }),

    async posted(id: number, messages: readonly string[]): Promise<void> {
      await db.query('update digest.post set messages = $2 where id = $1', [id, messages])
    },

    /** Digests that have to leave the log. */
    async stale(): Promise<readonly Stale[]> {
      const { rows } = await db.query<Stale>(
        'select id, conversation, messages from digest.post where stale and messages is not null',
      )
      return rows
    },

    async withdrawn(id: number): Promise<void> {
      await drop([id])
    },

    /** When the oldest digest was posted. */
    async oldest(): Promise<Date | undefined> {
      const { rows } = await db.query<{ at: Date }>('select at from digest.post order by at limit 1')
      return rows[0]?.at
    },

    /** Forgets digests from a time and before. They have left the log, or soon will. */
    async tidy(before: Date): Promise<void> {
      const { rows } = await db.query<{ id: number }>('select id from digest.post where at <= $1', [before])
      await drop(rows.map(({ id }) => id))
    },
  }

  async function drop(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await db.transaction(async () => {
      for (const id of ids) await db.query(`select kikimimi_v1.made_from('digest', $1, '{}', '{}', '{}')`, [String(id)])
      await db.query('delete from digest.post where id = any($1)', [ids])
    })
  }
}
