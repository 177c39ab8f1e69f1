/** Logins to servers with OAuth: authorization code with PKCE, as the SDK does it, with the tokens in the database. */
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { type Database, KikimimiError } from 'kikimimi'

/** What is known of a login. */
interface Login {
  client?: OAuthClientInformationMixed | undefined
  tokens?: OAuthTokens | undefined
  discovery?: OAuthDiscoveryState | undefined
}

/** A login in progress: a person follows a link, and the browser comes back with a code. */
export interface Beginning {
  /** Where the browser comes back to. */
  readonly redirectUrl: string
  /** Returned with the code, so that nobody else can send one. */
  readonly state: string
  /** Shows the link. */
  show(url: URL): void
}

export interface Logins {
  /** The login of the running bot: it refreshes tokens and never asks a person. */
  provider(server: string, url: string): OAuthClientProvider
  /** A new login, stored when it has tokens. */
  begin(server: string, url: string, how: Beginning): OAuthClientProvider
  /** @returns false if there was none */
  remove(server: string): Promise<boolean>
}

export function createLogins(db: Database): Logins {
  async function read(server: string, url: string): Promise<Login> {
    const { rows } = await db.query<{ data: string }>(
      `select convert_from(data, 'UTF8') as data from mcp.login where server = $1 and url = $2`,
      [server, url],
    )
    return rows[0] ? JSON.parse(rows[0].data) : {}
  }

  async function write(server: string, url: string, login: Login): Promise<void> {
    await db.query(
      `insert into mcp.login (server, url, data) values ($1, $2, convert_to($3, 'UTF8'))
       on conflict (server) do update set url = excluded.url, data = excluded.data`,
      [server, url, JSON.stringify(login)],
    )
  }

  const wanted = (server: string) =>
    new KikimimiError('OPTIONS_INVALID', `[mcp] the server ${server} wants a login: run kikimimi mcp login ${server}.`)

  return {
    provider(server, url) {
      const change = async (changed: Login) => write(server, url, { ...(await read(server, url)), ...changed })
      return {
        // A registered client has it already.
        redirectUrl: 'http://127.0.0.1/callback',
        clientMetadata: metadata('http://127.0.0.1/callback'),
        clientInformation: async () => {
          const { client } = await read(server, url)
          if (client) return client
          throw wanted(server)
        },
        saveClientInformation: client => change({ client }),
        tokens: async () => (await read(server, url)).tokens,
        saveTokens: tokens => change({ tokens }),
        discoveryState: async () => (await read(server, url)).discovery,
        saveDiscoveryState: discovery => change({ discovery }),
        invalidateCredentials: async what => {
          if (what === 'all' || what === 'tokens') await change({ tokens: undefined })
        },
        redirectToAuthorization() {
          throw wanted(server)
        },
        saveCodeVerifier() {},
        codeVerifier() {
          throw wanted(server)
        },
      }
    },

    begin(server, url, { redirectUrl, state, show }) {
      const login: Login = {}
      let verifier = ''
      return {
        redirectUrl,
        clientMetadata: metadata(redirectUrl),
        state: () => state,
        clientInformation: () => login.client,
        saveClientInformation(client) {
          login.client = client
        },
        tokens: () => login.tokens,
        async saveTokens(tokens) {
          login.tokens = tokens
          await write(server, url, login)
        },
        discoveryState: () => login.discovery,
        saveDiscoveryState(discovery) {
          login.discovery = discovery
        },
        redirectToAuthorization: show,
        saveCodeVerifier(given) {
          verifier = given
        },
        codeVerifier: () => verifier,
      }
    },

    async remove(server) {
      const { rows } = await db.query('delete from mcp.login where server = $1 returning server', [server])
      return rows.length > 0
    },
  }
}

function metadata(redirectUrl: string) {
  return {
    client_name: 'kikimimi',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
