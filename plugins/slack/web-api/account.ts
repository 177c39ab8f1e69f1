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
  /** The id of a person or an app of the workspace, by Slack's id. */
  readonly personId: (id: string) => string
}

/** What a token is for. */
export interface Grant {
  /** Slack's id and name of the bot's user. */
  readonly user: string
  readonly userName: string
  readonly botId: string
  /** Id and name of the workspace, or of the organization. */
  readonly id: string
  readonly name: string
  /** The token is for all workspaces of an organization. */
  readonly isOrg: boolean
  /** Scopes of the token; absent if Slack does not return them. */
  readonly scopes?: readonly string[]
}

export interface Account extends Self {
  /** Scopes of the token; absent if Slack does not return them. */
  readonly scopes?: readonly string[]
}

/** Throws PLATFORM_START_FAILED with the remedy. */
export async function whoAmI({ call }: Calls, { apiUrl, signal }: { apiUrl: string; signal: AbortSignal }): Promise<Grant> {
  try {
    const told = await call('auth.test', client => client.auth.test(), { signal, tries: 3 })
    const scopes = told.response_metadata?.scopes
    const isOrg = told.is_enterprise_install === true
    return {
      user: told.user_id ?? '',
      userName: told.user ?? '',
      botId: told.bot_id ?? '',
      id: (isOrg ? told.enterprise_id : undefined) ?? told.team_id ?? '',
      name: told.team ?? '',
      isOrg,
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

/** The id in Slack of a person with an id of the bot, `TEAM/USER` or `USER`. */
export const userOf = (person: string) => person.split('/').at(-1) ?? ''

/** The account in one workspace. */
export function accountIn(team: string, workspace: string, grant: Grant, plainIds: boolean): Account {
  const { user, userName, botId, scopes } = grant
  const personId = (id: string) => (plainIds ? id : `${team}/${id}`)
  const me = { id: personId(user), name: userName, bot: true }
  return { me, user, botId, team, workspace, personId, ...(scopes && { scopes }) }
}
