import type { Clock, Database, PersonKey } from 'kikimimi'

/** The address of a message. */
export interface Place {
  /** The channel as `channelOf` returns it. */
  readonly channel: string
  readonly id: string
}

/** Data that are forgotten together. */
export interface Choosable {
  /** Ids of facts. */
  readonly facts: readonly number[]
  readonly messages: readonly Place[]
  /** The order that a "yes" confirms instead. */
  readonly order?: 'forget-me' | 'opt-out'
}

/** An open question to a person. */
export interface Question {
  /** The message with the order to forget. */
  readonly order: string
  readonly choices: readonly Choosable[]
  /** The bot's messages that contain the list. */
  readonly listed: readonly string[]
}

/** Open questions which entry to forget: one per person and conversation. */
export interface Questions {
  ask(conversation: string, person: string, question: Omit<Question, 'listed'>): Promise<void>
  find(conversation: string, person: string): Promise<Question | undefined>
  /** Stores the messages that contain the list. */
  listed(conversation: string, order: string, messages: readonly string[]): Promise<void>
  close(conversation: string, person: string): Promise<void>
  forget(person: PersonKey): Promise<void>
}

/** A later answer means something else. */
const EXPIRY = 10 * 60_000

export function createQuestions(db: Database, clock: Clock): Questions {
  const now = () => new Date(clock.now())
  return {
    async ask(conversation, person, { order, choices }) {
      await db.query('delete from remember.question where expires_at <= $1', [now()])
      await db.query(
        `insert into remember.question (conversation, person, order_id, choices, expires_at) values ($1, $2, $3, $4, $5)
         on conflict (conversation, person) do update
         set order_id = excluded.order_id, choices = excluded.choices, listed = '{}', expires_at = excluded.expires_at`,
        [conversation, person, order, JSON.stringify(choices), new Date(clock.now() + EXPIRY)],
      )
    },

    async find(conversation, person) {
      const { rows } = await db.query<Question>(
        `select order_id as order, choices, listed from remember.question
         where conversation = $1 and person = $2 and expires_at > $3`,
        [conversation, person, now()],
      )
      return rows[0]
    },

    async listed(conversation, order, messages) {
      await db.query('update remember.question set listed = $3 where conversation = $1 and order_id = $2', [
        conversation,
        order,
        messages,
      ])
    },

    async close(conversation, person) {
      await db.query('delete from remember.question where conversation = $1 and person = $2', [conversation, person])
    },

    async forget({ platform, id }) {
      await db.query('delete from remember.question where starts_with(conversation, $1) and person = $2', [
        `${encodeURIComponent(platform)}/`,
        id,
      ])
    },
  }
}
