/** Accounts, their second factors and their sessions: all there is if the dashboard has a password. */
import type { Clock, Database } from 'kikimimi'
import { type Accounts, createAccounts } from './accounts.ts'
import { createSecondFactor, type SecondFactor } from './second-factor.ts'
import { createSessions, type Sessions } from './sessions.ts'

export interface Logins {
  readonly accounts: Accounts
  readonly secondFactor: SecondFactor
  readonly sessions: Sessions
}

export function createLogins(ownerPassword: string, ctx: { readonly db: Database; readonly clock: Pick<Clock, 'now'> }): Logins {
  const accounts = createAccounts(ownerPassword, ctx.db)
  const secondFactor = createSecondFactor(ctx)
  return { accounts, secondFactor, sessions: createSessions({ ...ctx, accounts, secondFactor }) }
}
