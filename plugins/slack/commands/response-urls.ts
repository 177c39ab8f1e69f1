/** Where slash commands are answered, kept where whichever process takes the turn finds it. */
import type { PlatformContext } from 'kikimimi'

export interface Addresses {
  /** False when another process has taken the command. */
  keep(command: Kept, until: Date): Promise<boolean>
  find(message: string): Promise<string | undefined>
  /** They are not needed any more. */
  drop(messages: readonly string[]): Promise<void>
}

export interface Kept {
  readonly message: string
  readonly trigger: string
  /** Never for a log, nor for a trace. */
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
