/** Tokens for answers to slash commands, stored for all processes. */
import type { PlatformContext } from 'kikimimi/platform'

/** Discord accepts an answer with this token. It must not be in a log or a trace. */
export interface Token {
  readonly message: string
  readonly application: string
  readonly token: string
}

export interface Tokens {
  keep(token: Token, until: Date): Promise<void>
  find(message: string): Promise<Token | undefined>
  /** Deletes tokens. Resolves with those that existed. */
  drop(messages: readonly string[]): Promise<readonly Token[]>
}

export function createTokens({ db, clock }: Pick<PlatformContext, 'db' | 'clock'>): Tokens {
  return {
    async keep({ message, application, token }, until) {
      await db.query('delete from discord.command where until <= $1', [new Date(clock.now())])
      await db.query(
        'insert into discord.command (message, application, token, until) values ($1, $2, $3, $4) on conflict do nothing',
        [message, application, token, until],
      )
    },

    async find(message) {
      const { rows } = await db.query<Token>(
        'select message, application, token from discord.command where message = $1 and until > $2',
        [message, new Date(clock.now())],
      )
      return rows[0]
    },

    async drop(messages) {
      const { rows } = await db.query<Token>(
        'delete from discord.command where message = any($1) returning message, application, token',
        [messages],
      )
      return rows
    },
  }
}
