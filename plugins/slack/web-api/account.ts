/** The bot's own account, as Slack has it. */
import { KikimimiError, type Person } from 'kikimimi'
import { type Calls, isPassingCode, refusalOf, tokenRefused, unreachable } from './calls.ts'

/** The ids by which Slack knows the bot. */
export interface Self {
  readonly me: Person
  readonly botId: string
  readonly team: string
}

export interface Account extends Self {
  /** What the workspace is called. */
  readonly workspace: string
  /** What the token may do; absent where it does not say. */
  readonly scopes?: readonly string[]
}

/** Throws PLATFORM_START_FAILED, with what to do. */
export async function whoAmI({ call }: Calls, { apiUrl, signal }: { apiUrl: string; signal: AbortSignal }): Promise<Account> {
  try {
    const told = await call('auth.test', client => client.auth.test(), { signal, tries: 3 })
    const scopes = told.response_metadata?.scopes
    return {
      me: { id: told.user_id ?? '', name: told.user ?? '', bot: true },
      botId: told.bot_id ?? '',
      team: told.team_id ?? '',
      workspace: told.team ?? '',
      ...(scopes && { scopes }),
    }
  } catch (error) {
    // A refused call may go well the next time.
    if (error instanceof KikimimiError && error.code !== 'PLATFORM_REFUSED') throw error
    signal.throwIfAborted()
    const code = refusalOf(error)
    throw code === undefined || isPassingCode(code) ? unreachable(apiUrl, why(error)) : tokenRefused('bot', error)
  }
}

function why(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^Slack refused auth\.test: |\.$/g, '') : 'unknown'
}
