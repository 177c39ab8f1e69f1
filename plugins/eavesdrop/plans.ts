import type { PluginContext } from 'kikimimi'
import type { State } from './verdicts.ts'

/** A plan to intervene in a conversation: at once, or after an observation. */
export interface Plan {
  /** The last message of the conversation when the plan was made. */
  readonly message: string
  readonly state: State
  readonly dueAt: Date
  /** The observation ends after this many further messages. */
  readonly dueMessages: number
}

/** One plan per conversation, in the database, so that it survives a restart. */
export function createPlans({ db }: Pick<PluginContext, 'db'>) {
  return {
    async find(conversation: string): Promise<Plan | undefined> {
      const { rows } = await db.query<Plan>(
        `select message, state, due_at as "dueAt", due_messages as "dueMessages" from eavesdrop.plan where conversation = $1`,
        [conversation],
      )
      return rows[0]
    },

    async keep(conversation: string, { message, state, dueAt, dueMessages }: Plan): Promise<void> {
      await db.query(
        `insert into eavesdrop.plan (conversation, message, state, due_at, due_messages) values ($1, $2, $3, $4, $5)
         on conflict (conversation) do update
         set message = excluded.message, state = excluded.state, due_at = excluded.due_at, due_messages = excluded.due_messages`,
        [conversation, message, state, dueAt, dueMessages],
      )
    },

    async sweep(dueSince: Date): Promise<void> {
      await db.query('delete from eavesdrop.plan where due_at <= $1', [dueSince])
    },
  }
}
