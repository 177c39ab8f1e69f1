/** Tokens of installations: which workspace or organization each is for, and how long it lives. */
import { SlackRefusal } from '../methods.ts'

export interface Token {
  readonly token: string
  /** Id of the workspace or the organization. */
  readonly owner: string
  readonly scopes: readonly string[]
  /** Time after which the token has expired, in milliseconds since the epoch. Absent: never. */
  readonly until?: number
  /** Why Slack refuses it. */
  refused?: 'account_inactive' | 'invalid_auth' | 'token_revoked'
}

export interface Tokens {
  /** A new token of an installation. With `seconds` it expires. */
  issue(owner: string, scopes: readonly string[], seconds?: number): Token
  /** Slack refuses the tokens of an installation from now on. */
  refuse(owner: string, why: Token['refused'] & {}): void
  /** Throws a SlackRefusal for a token that Slack does not take. */
  check(token: string): Token
  ownerOf(token: string): string
  /** The latest token of an installation, also if Slack refuses it now. */
  latest(owner: string): string | undefined
}

export function createTokens(): Tokens {
  const tokens = new Map<string, Token>()

  return {
    issue(owner, scopes, seconds) {
      const name = `xoxb-${tokens.size + 1}-offline-bot-token`
      const until = seconds === undefined ? {} : { until: Date.now() + seconds * 1_000 }
      const issued: Token = { token: seconds === undefined ? name : `xoxe.${name}`, owner, scopes, ...until }
      tokens.set(issued.token, issued)
      return issued
    },

    refuse(owner, why) {
      for (const token of tokens.values()) if (token.owner === owner) token.refused = why
    },

    check(token) {
      const found = tokens.get(token)
      if (!found) throw new SlackRefusal(token === '' ? 'not_authed' : 'invalid_auth')
      if (found.refused) throw new SlackRefusal(found.refused)
      if (found.until !== undefined && found.until <= Date.now()) throw new SlackRefusal('token_expired')
      return found
    },

    ownerOf: token => tokens.get(token)?.owner ?? '',

    latest(owner) {
      return Array.from(tokens.values()).findLast(one => one.owner === owner)?.token
    },
  }
}
