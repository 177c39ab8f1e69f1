/** Installation of the app with OAuth: https://docs.slack.dev/authentication/installing-with-oauth */
import { randomUUID } from 'node:crypto'
import type { OauthV2AccessResponse } from '@slack/web-api'
import { type Arguments, type Methods, SlackRefusal } from '../methods.ts'
import type { SlackOrg } from '../workspace.ts'
import type { Tokens } from './tokens.ts'

/** A workspace, or an organization for an org-wide installation. */
export interface Installable {
  readonly team?: { readonly id: string; readonly name: string }
  readonly org?: SlackOrg
  readonly botUser: string
}

export interface OAuthOptions {
  readonly tokens: Tokens
  readonly clientId: string
  readonly clientSecret: string
  readonly find: (id: string) => Installable
  /** Lifetime of new tokens in seconds. Undefined: they do not expire. */
  readonly lifetime: () => number | undefined
}

export interface OAuth {
  readonly methods: Methods
  /** A person allows the installation. Returns the code for the app. */
  allow(id: string, scopes: readonly string[]): string
}

/** The types have no null, which Slack sends for the other one of the two. */
type Access = Omit<OauthV2AccessResponse, 'team' | 'enterprise'> & {
  readonly team: Installable['team'] | null
  readonly enterprise: SlackOrg | null
}

const INSTALLER = 'UADMIN'

export function createOAuth({ tokens, clientId, clientSecret, find, lifetime }: OAuthOptions): OAuth {
  const codes = new Map<string, { readonly id: string; readonly scopes: readonly string[] }>()
  /** Each is used once. */
  const refreshTokens = new Map<string, { readonly id: string; readonly scopes: readonly string[] }>()

  function grant({ id, scopes }: { readonly id: string; readonly scopes: readonly string[] }): Access {
    const { team, org, botUser } = find(id)
    const seconds = lifetime()
    const { token } = tokens.issue(id, scopes, seconds)
    const refresh_token = `xoxe-1-${randomUUID()}`
    if (seconds !== undefined) refreshTokens.set(refresh_token, { id, scopes })
    return {
      ok: true,
      app_id: 'AKIKIMIMI',
      authed_user: { id: INSTALLER },
      scope: scopes.join(','),
      token_type: 'bot',
      access_token: token,
      bot_user_id: botUser,
      team: team ?? null,
      enterprise: org ?? null,
      is_enterprise_install: team === undefined,
      ...(seconds !== undefined && { refresh_token, expires_in: seconds }),
    }
  }

  function take(from: Map<string, Parameters<typeof grant>[0]>, key: string | undefined, refusal: string): Access {
    const found = from.get(key ?? '')
    if (!found) throw new SlackRefusal(refusal)
    from.delete(key ?? '')
    return grant(found)
  }

  return {
    methods: {
      'oauth.v2.access'(args: Arguments) {
        if (args.client_id !== clientId) throw new SlackRefusal('invalid_client_id')
        if (args.client_secret !== clientSecret) throw new SlackRefusal('bad_client_secret')
        if (args.grant_type === 'refresh_token') return take(refreshTokens, args.refresh_token, 'invalid_refresh_token')
        return take(codes, args.code, 'invalid_code')
      },
    },

    allow(id, scopes) {
      const code = randomUUID()
      codes.set(code, { id, scopes })
      return code
    },
  }
}
