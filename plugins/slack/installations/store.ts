/** Installations of the app, in the bot's database. */
import { type Database, KikimimiError } from 'kikimimi'
import type { Grant } from '../web-api/account.ts'
import type { Cipher } from './cipher.ts'

/** An installation, with its secrets. */
export interface Installation extends Grant, Tokens {
  readonly installedAt: Date
}

export interface Tokens {
  readonly token: string
  /** With token rotation: what the next token is requested with, once. */
  readonly refreshToken?: string | undefined
  readonly expiresAt?: Date | undefined
}

/** Ids, names and the number of installations are no secrets. */
export interface InstallationStore {
  /** @throws KikimimiError if the tokens do not decrypt */
  read(id: string): Promise<Installation | undefined>
  /** Ids of all installations. */
  ids(): Promise<readonly string[]>
  /** Replaces an earlier installation of the same workspace. */
  save(installation: Installation): Promise<void>
  /** Removes an installation that is older than `before`. Returns its name. */
  remove(id: string, before: Date): Promise<string | undefined>
  /** Reserves the refresh of a token until `until`. False: another process has it, or the token is another one by now. */
  reserve(installation: Installation, now: Date, until: Date): Promise<boolean>
  /** Ends the reservation of a refresh that failed. */
  release(installation: Installation): Promise<void>
  /** Stores refreshed tokens, unless the app was installed again or removed. */
  renew(installation: Installation, tokens: Tokens): Promise<void>
}

interface Row {
  readonly id: string
  readonly is_org: boolean
  readonly name: string
  readonly bot_user: string
  readonly bot_id: string
  readonly bot_name: string
  readonly scopes: readonly string[]
  readonly tokens: string
  readonly expires_at: Date | null
  readonly installed_at: Date
}

const COLUMNS = 'id, is_org, name, bot_user, bot_id, bot_name, scopes, tokens, expires_at, installed_at'

/** Encrypted tokens belong to one row. */
const about = (id: string) => `slack.installation ${id}`

export function createInstallationStore(db: Database, cipher: Cipher): InstallationStore {
  const sealed = ({ token, refreshToken }: Tokens, id: string) =>
    cipher.encrypt(JSON.stringify({ token, refreshToken }), about(id))

  function tokensOf({ id, name, tokens }: Row): Pick<Tokens, 'token' | 'refreshToken'> {
    try {
      return JSON.parse(cipher.decrypt(tokens, about(id)))
    } catch {
      throw undecipherable(id, name)
    }
  }

  return {
    async read(id) {
      const { rows } = await db.query<Row>(`select ${COLUMNS} from slack.installation where id = $1`, [id])
      const [row] = rows
      if (!row) return undefined
      return {
        ...{ id, name: row.name, isOrg: row.is_org, scopes: row.scopes },
        ...{ user: row.bot_user, userName: row.bot_name, botId: row.bot_id, installedAt: row.installed_at },
        ...tokensOf(row),
        ...(row.expires_at && { expiresAt: row.expires_at }),
      }
    },

    async ids() {
      const { rows } = await db.query<{ id: string }>('select id from slack.installation order by installed_at')
      return rows.map(({ id }) => id)
    },

    async save({ id, isOrg, name, user, botId, userName, scopes = [], installedAt, expiresAt, ...tokens }) {
      await db.query(
        `insert into slack.installation (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (id) do update set is_org = $2, name = $3, bot_user = $4, bot_id = $5, bot_name = $6, scopes = $7,
           tokens = $8, expires_at = $9, installed_at = $10, refreshing_until = null`,
        [id, isOrg, name, user, botId, userName, scopes, sealed(tokens, id), expiresAt ?? null, installedAt],
      )
    },

    async remove(id, before) {
      const { rows } = await db.query<{ name: string }>(
        'delete from slack.installation where id = $1 and installed_at <= $2 returning name',
        [id, before],
      )
      return rows[0]?.name
    },

    async reserve({ id, installedAt, expiresAt }, now, until) {
      const { rowCount } = await db.query(
        `update slack.installation set refreshing_until = $5
         where id = $1 and installed_at = $2 and expires_at is not distinct from $3
           and (refreshing_until is null or refreshing_until <= $4)`,
        [id, installedAt, expiresAt ?? null, now, until],
      )
      return rowCount > 0
    },

    async release({ id, installedAt, expiresAt }) {
      await db.query(
        `update slack.installation set refreshing_until = null
         where id = $1 and installed_at = $2 and expires_at is not distinct from $3`,
        [id, installedAt, expiresAt ?? null],
      )
    },

    async renew({ id, installedAt }, { expiresAt, ...tokens }) {
      await db.query(
        `update slack.installation set tokens = $3, expires_at = $4, refreshing_until = null
         where id = $1 and installed_at = $2`,
        [id, installedAt, sealed(tokens, id), expiresAt ?? null],
      )
    },
  }
}

/** Slack's code of {@link undecipherable} errors. */
export const UNDECIPHERABLE = 'undecipherable'

function undecipherable(id: string, name: string): KikimimiError {
  return new KikimimiError(
    'PLATFORM_START_FAILED',
    `[slack] The token of ${name} (${id}) in the table slack.installation does not decrypt. Is SLACK_TOKEN_KEY the key with which it was stored? Put that key back. If it is lost, delete the row and install the app there again.`,
    { cause: { code: UNDECIPHERABLE } },
  )
}
