/** The table of planned digests. */
import type { Conversation, Database } from 'kikimimi'

export interface Plan {
  /** The channel. */
  readonly conversation: Conversation
  readonly at: Date
  readonly schedule: string
  /** When the first message was said. */
  readonly since: Date
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
  }
}
