import type { PluginContext } from 'kikimimi'
import type { State } from './verdicts.ts'

/** That the bot means to step into a talk: at once, or when it has watched for a while. */
export interface Plan {
  /** The last message of the talk when this was planned. */
  readonly message: string
  readonly state: State
  readonly dueAt: Date
  /** So many further messages are waited for no longer. */
  readonly dueMessages: number
}

/** One plan for a conversation, in the database: a restart forgets none. */
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
