/** Addresses for answers to slash commands, stored for all processes. */
import type { PlatformContext } from 'kikimimi/platform'

export interface Addresses {
  /** Returns false if another process has received the command. */
  keep(command: Kept, until: Date): Promise<boolean>
  find(message: string): Promise<string | undefined>
  /** Deletes addresses. */
  drop(messages: readonly string[]): Promise<void>
}

export interface Kept {
  readonly message: string
  readonly trigger: string
  /** Must not be in a log or a trace. */
  readonly address: string
}

export function createAddresses({ db, clock }: Pick<PlatformContext, 'db' | 'clock'>): Addresses {
  return {
    async keep({ message, trigger, address }, until) {
      await db.query('delete from slack.command where until <= $1', [new Date(clock.now())])
      const { rowCount } = await db.query(
        'insert into slack.command (message, trigger, address, until) values ($1, $2, $3, $4) on conflict do nothing',
        [message, trigger, address, until],
      )
      return rowCount > 0
    },

    async find(message) {
      const { rows } = await db.query<{ address: string }>(
        'select address from slack.command where message = $1 and until > $2',
        [message, new Date(clock.now())],
      )
      return rows[0]?.address
    },

    async drop(messages) {
      await db.query('delete from slack.command where message = any($1)', [messages])
    },
  }
}
