/** The bot's own account in Slack. */
import { KikimimiError, type Person } from 'kikimimi'
import { type Calls, isPassingCode, refusalOf, tokenRefused, unreachable } from './calls.ts'

/** Ids of the bot in Slack. */
export interface Self {
  readonly me: Person
  /** Slack's id of the bot's user. */
  readonly user: string
  readonly botId: string
  readonly team: string
  /** Name of the workspace. */
  readonly workspace: string
}

export interface Account extends Self {
  /** Scopes of the token; absent if Slack does not return them. */
  readonly scopes?: readonly string[]
}

/** Throws PLATFORM_START_FAILED with the remedy. */
export async function whoAmI({ call }: Calls, { apiUrl, signal }: { apiUrl: string; signal: AbortSignal }): Promise<Account> {
  try {
    const told = await call('auth.test', client => client.auth.test(), { signal, tries: 3 })
    const scopes = told.response_metadata?.scopes
    return {
      me: { id: told.user_id ?? '', name: told.user ?? '', bot: true },
      user: told.user_id ?? '',
      botId: told.bot_id ?? '',
      team: told.team_id ?? '',
      workspace: told.team ?? '',
      ...(scopes && { scopes }),
    }
  } catch (error) {
    // A refused call may succeed later.
    if (error instanceof KikimimiError && error.code !== 'PLATFORM_REFUSED' && error.code !== 'PLATFORM_UNAVAILABLE') throw error
    signal.throwIfAborted()
    const code = refusalOf(error)
    throw code === undefined || isPassingCode(code) ? unreachable(apiUrl, why(error)) : tokenRefused('bot', error)
  }
}

function why(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^Slack refused auth\.test: |\.$/g, '') : 'unknown'
}
