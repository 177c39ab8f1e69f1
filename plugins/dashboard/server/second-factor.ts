/** Time-based codes of an authenticator app (TOTP, RFC 6238), and recovery codes. */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock, Database } from 'kikimimi'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'

/** What an authenticator app needs. */
export interface Enrolment {
  /** In base32, to type. */
  readonly secret: string
  readonly uri: string
  /** The URI as a QR code: its width in squares, and the squares as the path of an SVG. */
  readonly qr: { readonly size: number; readonly path: string }
}

export interface SecondFactor {
  isSet(name: string): Promise<boolean>
  /** Begins with a new secret, which is used from `confirm` on. */
  begin(name: string): Promise<Enrolment>
  /** Returns new recovery codes. Nothing: the code is wrong, or `begin` was not called. */
  confirm(name: string, code: string): Promise<readonly string[] | undefined>
  /** Takes a code of the app or a recovery code, each once. */
  take(name: string, code: string): Promise<boolean>
  remove(name: string): Promise<void>
}

/** Codes of the steps before and after are taken too, because clocks differ. */
const WINDOW = 1
const PERIOD_S = 30
const RECOVERY = 10

export function createSecondFactor({ db, clock }: { readonly db: Database; readonly clock: Pick<Clock, 'now'> }): SecondFactor {
  /** The time step of a code; nothing if it is wrong. */
  function stepOf(secret: string, code: string): number | undefined {
    const timestamp = clock.now()
    const delta = totp('', secret).validate({ token: code, window: WINDOW, timestamp })
    return delta === null ? undefined : Math.floor(timestamp / 1_000 / PERIOD_S) + delta
  }

  return {
    async isSet(name) {
      const { rows } = await db.query('select 1 from dashboard.account where name = $1 and totp is not null', [name])
      return rows.length > 0
    },

    async begin(name) {
      const secret = new Secret({ size: 20 }).base32
      await db.query('update dashboard.account set totp_pending = $2 where name = $1', [name, secret])
      const uri = totp(name, secret).toString()
      return { secret, uri, qr: drawn(uri) }
    },

    async confirm(name, code) {
      const { rows } = await db.query<{ secret: string | null }>(
        'select totp_pending as secret from dashboard.account where name = $1',
        [name],
      )
      const secret = rows[0]?.secret
      const step = secret ? stepOf(secret, code) : undefined
      if (step === undefined) return undefined
      const codes = Array.from({ length: RECOVERY }, () =>
        randomBytes(8)
          .toString('hex')
          .replaceAll(/.{4}(?!$)/g, '$&-'),
      )
      const { rowCount } = await db.query(
        `update dashboard.account set totp = totp_pending, totp_pending = null, totp_step = $3, recovery = $4::text[]::bytea[]
         where name = $1 and totp_pending = $2`,
        [name, secret, step, codes.map(one => `\\x${digest(one).toString('hex')}`)],
      )
      return rowCount > 0 ? codes : undefined
    },

    async take(name, code) {
      const { rows } = await db.query<{ secret: string }>(
        'select totp as secret from dashboard.account where name = $1 and totp is not null',
        [name],
      )
      const [row] = rows
      const step = row && stepOf(row.secret, code.replaceAll(/\s/g, ''))
      const { rowCount } = await db.query(
        step === undefined
          ? `update dashboard.account set recovery = array_remove(recovery, $2::bytea) where name = $1 and $2::bytea = any(recovery)`
          : `update dashboard.account set totp_step = $2 where name = $1 and totp_step < $2`,
        [name, step ?? digest(code.trim().toLowerCase())],
      )
      return rowCount > 0
    },

    async remove(name) {
      await db.query(`update dashboard.account set totp = null, totp_pending = null, recovery = '{}' where name = $1`, [name])
    },
  }
}

function totp(label: string, secret: string): TOTP {
  return new TOTP({ issuer: 'kikimimi', label, secret: Secret.fromBase32(secret), period: PERIOD_S })
}

function drawn(text: string): Enrolment['qr'] {
  const { size, data } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
  return { size, path: squares.join('') }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
