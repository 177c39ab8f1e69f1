/** Sessions of browsers, which all processes of the bot share. */
import { createHash, randomBytes } from 'node:crypto'
import { type Clock, type Database, RecentMap } from 'kikimimi'
import { type Accounts, OWNER } from './accounts.ts'
import type { Role } from './roles.ts'
import type { SecondFactor } from './second-factor.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A session ends when it was not used for this long, and in any case after a week. */
export const IDLE = 12 * HOUR
export const LIFETIME = 7 * 24 * HOUR

/** How long a process trusts what it read. A session that another process ends is valid for this long. */
const FRESH = 1_000

/** The use of a session is stored this often. */
const USED = MINUTE

/** Maximum number of sessions. The one that was not used for the longest time is deleted. */
const MOST = 1_000

/** Wrong passwords and codes in a row before a wait. Each further one doubles the wait: one minute at first, an hour at most. */
const TRIES = 5
const FIRST_WAIT = MINUTE
const LONGEST_WAIT = HOUR

/** Characters of the id of a session. */
const ID = 12

/** A session as its owner sees it. */
export interface SessionInfo {
  /** The beginning of the hash of its token, which cannot be used to log in. */
  readonly id: string
  readonly account: string
  readonly begunAt: Date
  readonly usedAt: Date
  readonly address: string
  readonly browser: string
}

/** Where a session begins. */
export interface Visitor {
  readonly address: string
  readonly browser: string
}

export interface Credentials {
  readonly account: string
  readonly password: string
  /** Of the second factor. */
  readonly code?: string | undefined
}

/** `code`: the password is right, and a code of the second factor is missing. */
export type Begun =
  | { readonly session: string }
  | { readonly refused: 'wrong' | 'code' }
  | { readonly refused: 'wait'; readonly ms: number }

/** Whose session it is. */
export interface Identity {
  readonly account: string
  readonly role: Role
}

export interface Sessions {
  /** A new session for the right password, and the right code if the account has a second factor. */
  begin(credentials: Credentials, visitor: Visitor): Promise<Begun>
  /** Nothing: it is no session, or has ended. */
  who(session: string): Promise<Identity | undefined>
  end(session: string): Promise<void>
  /** Ends the session with this id, of this account or of any. False: there is none. */
  endById(id: string, account: string | undefined): Promise<boolean>
  /** Ends all sessions of an account, or of all accounts. */
  endAll(account?: string): Promise<void>
  /** Reads all sessions again, because an account has changed. */
  refresh(): void
}

/** The id of a session in lists and in the log of changes. Empty without a session. */
export function idOf(session: string): string {
  return session === '' ? '' : digest(session).toString('hex').slice(0, ID)
}

export interface SessionsOptions {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
}

export interface SessionsParts extends SessionsOptions {
  readonly accounts: Pick<Accounts, 'isPassword'>
  readonly secondFactor: Pick<SecondFactor, 'isSet' | 'take'>
}

export function createSessions({ db, clock, accounts, secondFactor }: SessionsParts): Sessions {
  /** What was read last of each session, by its token. */
  const read = new RecentMap<{ readonly who: Identity | undefined; readonly at: number }>(MOST)
  /** How often sessions have ended here. What was read before may be about one of them. */
  let ends = 0

  function forgetRead(): void {
    ends++
    read.clear()
  }

  async function look(session: string): Promise<Identity | undefined> {
    const now = new Date(clock.now())
    const { rows } = await db.query<Identity>(
      `update dashboard.session s set used_at = case when used_at < $4 then $5 else used_at end
       from dashboard.account a where a.name = s.account and hash = $1 and used_at > $2 and begun_at > $3
       returning a.name as account, a.role`,
      [digest(session), ...limits(clock), new Date(clock.now() - USED), now],
    )
    return rows[0]
  }

  /** Counts an attempt before its password is compared, so that many at once are not all compared. Returns the wait, if there is one. */
  const attempt = () =>
    db.transaction(async () => {
      const now = new Date(clock.now())
      await db.query(`insert into dashboard.refusal (count, at) values (0, $1) on conflict (one) do nothing`, [now])
      const { rows } = await db.query<{ count: number; at: Date }>('select count, at from dashboard.refusal for update')
      const [{ count, at } = { count: 0, at: now }] = rows
      const wait = count < TRIES ? 0 : Math.min(FIRST_WAIT * 2 ** (count - TRIES), LONGEST_WAIT)
      const ms = at.getTime() + wait - clock.now()
      if (wait > 0 && ms > 0) return ms
      // A quiet day forgives.
      await db.query(`update dashboard.refusal set count = case when at < $2 then 1 else count + 1 end, at = $1`, [
        now,
        new Date(clock.now() - 24 * HOUR),
      ])
      return 0
    })

  /** The attempt was no wrong one. The owner forgives all; others could guess the passwords of others in between. */
  const forgive = (account: string) =>
    db.query('update dashboard.refusal set count = case when $1 then 0 else greatest(count - 1, 0) end', [account === OWNER])

  async function refusal({ account, password, code }: Credentials): Promise<'wrong' | 'code' | undefined> {
    if (!(await accounts.isPassword(account, password))) return 'wrong'
    if (!(await secondFactor.isSet(account))) return undefined
    if (code === undefined) return 'code'
    return (await secondFactor.take(account, code)) ? undefined : 'wrong'
  }

  return {
    async begin(credentials, { address, browser }) {
      const ms = await attempt()
      if (ms > 0) return { refused: 'wait', ms }
      const { account } = credentials
      const refused = await refusal(credentials)
      if (refused === 'code') await db.query('update dashboard.refusal set count = greatest(count - 1, 0)')
      if (refused) return { refused }
      await forgive(account)
      const now = new Date(clock.now())
      const session = randomBytes(32).toString('base64url')
      await db.query(
        'insert into dashboard.session (hash, account, begun_at, used_at, address, browser) values ($1, $2, $3, $3, $4, $5)',
        [digest(session), account, now, address, browser],
      )
      await db.query(
        `delete from dashboard.session where used_at <= $1 or begun_at <= $2
           or hash in (select hash from dashboard.session order by used_at desc offset $3)`,
        [...limits(clock), MOST],
      )
      return { session }
    },

    async who(session) {
      if (session === '') return undefined
      const last = read.get(session)
      if (last && clock.now() - last.at < FRESH) return last.who
      const before = ends
      const who = await look(session)
      if (ends === before) read.set(session, { who, at: clock.now() })
      return who
    },

    async end(session) {
      await db.query('delete from dashboard.session where hash = $1', [digest(session)])
      forgetRead()
    },

    async endById(id, account) {
      const { rowCount } = await db.query(
        `delete from dashboard.session where left(encode(hash, 'hex'), ${ID}) = $1 and ($2::text is null or account = $2)`,
        [id, account ?? null],
      )
      forgetRead()
      return rowCount > 0
    },

    async endAll(account) {
      await db.query('delete from dashboard.session where $1::text is null or account = $1', [account ?? null])
      forgetRead()
    },

    refresh: forgetRead,
  }
}

/** The sessions of an account, or all, that are valid, the last used first. */
export async function sessionsIn({ db, clock }: SessionsOptions, account?: string): Promise<readonly SessionInfo[]> {
  const { rows } = await db.query<{
    id: string
    account: string
    begun_at: Date
    used_at: Date
    address: string
    browser: string
  }>(
    `select left(encode(hash, 'hex'), ${ID}) as id, account, begun_at, used_at, address, browser from dashboard.session
     where used_at > $1 and begun_at > $2 and ($3::text is null or account = $3) order by used_at desc`,
    [...limits(clock), account ?? null],
  )
  return rows.map(({ begun_at: begunAt, used_at: usedAt, ...row }) => ({ ...row, begunAt, usedAt }))
}

/** A valid session was used after the first time, and began after the second. */
function limits(clock: Pick<Clock, 'now'>): readonly [Date, Date] {
  return [new Date(clock.now() - IDLE), new Date(clock.now() - LIFETIME)]
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
