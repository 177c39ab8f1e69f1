/** Sessions of browsers, which all processes of the bot share. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock, Database } from 'kikimimi'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A session ends when it was not used for this long, and in any case after a week. */
export const IDLE = 12 * HOUR
export const LIFETIME = 7 * 24 * HOUR

/** How long a process trusts what it read. A session that another process ends is valid for this long. */
const FRESH = 5_000

/** The use of a session is stored this often. */
const USED = MINUTE

/** Maximum number of sessions. The one that was not used for the longest time is deleted. */
const MOST = 1_000

/** Wrong passwords in a row before a wait. Each further one doubles the wait: one minute at first, an hour at most. */
const TRIES = 5
const FIRST_WAIT = MINUTE
const LONGEST_WAIT = HOUR

/** Characters of the id of a session. */
const ID = 12

/** A session as its owner sees it. */
export interface SessionInfo {
  /** The beginning of the hash of its token, which cannot be used to log in. */
  readonly id: string
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

export type Begun =
  | { readonly session: string }
  | { readonly refused: 'wrong' }
  | { readonly refused: 'wait'; readonly ms: number }

export interface Sessions {
  /** A new session for the right password. */
  begin(password: string, visitor: Visitor): Promise<Begun>
  holds(session: string): Promise<boolean>
  end(session: string): Promise<void>
  /** Ends all sessions. */
  endAll(): Promise<void>
}

/** The id of a session in lists and in the log of changes. Empty without a session. */
export function idOf(session: string): string {
  return session === '' ? '' : digest(session).toString('hex').slice(0, ID)
}

export interface SessionsOptions {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
}

export function createSessions(password: string, { db, clock }: SessionsOptions): Sessions {
  const known = digest(password)
  /** What was read last of each session, by its token. */
  const read = new Map<string, { readonly valid: boolean; readonly at: number }>()

  async function look(session: string): Promise<boolean> {
    const now = new Date(clock.now())
    const { rows } = await db.query(
      `update dashboard.session set used_at = case when used_at < $4 then $5 else used_at end
       where hash = $1 and used_at > $2 and begun_at > $3 returning 1`,
      [digest(session), ...limits(clock), new Date(clock.now() - USED), now],
    )
    return rows.length > 0
  }

  /** Milliseconds until the next password is compared. */
  async function waits(): Promise<number> {
    const { rows } = await db.query<{ count: number; at: Date }>('select count, at from dashboard.refusal')
    const [last] = rows
    if (!last || last.count < TRIES) return 0
    const wait = Math.min(FIRST_WAIT * 2 ** (last.count - TRIES), LONGEST_WAIT)
    return Math.max(0, last.at.getTime() + wait - clock.now())
  }

  return {
    async begin(given, { address, browser }) {
      const now = new Date(clock.now())
      // Counted before the comparison, so that many requests at once are not all compared.
      const begun = await db.transaction(async () => {
        await db.query(`insert into dashboard.refusal (count, at) values (0, $1) on conflict (one) do nothing`, [now])
        await db.query('select 1 from dashboard.refusal for update')
        const ms = await waits()
        if (ms > 0) return { refused: 'wait' as const, ms }
        if (!timingSafeEqual(digest(given), known)) {
          // A quiet day forgives.
          await db.query(`update dashboard.refusal set count = case when at < $2 then 1 else count + 1 end, at = $1`, [
            now,
            new Date(clock.now() - 24 * HOUR),
          ])
          return { refused: 'wrong' as const }
        }
        await db.query('update dashboard.refusal set count = 0, at = $1', [now])
        const session = randomBytes(32).toString('base64url')
        await db.query('insert into dashboard.session (hash, begun_at, used_at, address, browser) values ($1, $2, $2, $3, $4)', [
          digest(session),
          now,
          address,
          browser,
        ])
        return { session }
      })
      if ('session' in begun)
        await db.query(
          `delete from dashboard.session where used_at <= $1 or begun_at <= $2
             or hash in (select hash from dashboard.session order by used_at desc offset $3)`,
          [...limits(clock), MOST],
        )
      return begun
    },

    async holds(session) {
      if (session === '') return false
      const last = read.get(session)
      if (last && clock.now() - last.at < FRESH) return last.valid
      const valid = await look(session)
      read.delete(session)
      read.set(session, { valid, at: clock.now() })
      if (read.size > MOST) read.delete(read.keys().next().value ?? '')
      return valid
    },

    async end(session) {
      read.delete(session)
      await db.query('delete from dashboard.session where hash = $1', [digest(session)])
    },

    async endAll() {
      read.clear()
      await db.query('delete from dashboard.session')
    },
  }
}

/** The sessions that are valid, the last used first. */
export async function sessionsIn({ db, clock }: SessionsOptions): Promise<readonly SessionInfo[]> {
  const { rows } = await db.query<{ id: string; begun_at: Date; used_at: Date; address: string; browser: string }>(
    `select left(encode(hash, 'hex'), ${ID}) as id, begun_at, used_at, address, browser from dashboard.session
     where used_at > $1 and begun_at > $2 order by used_at desc`,
    limits(clock),
  )
  return rows.map(({ begun_at: begunAt, used_at: usedAt, ...row }) => ({ ...row, begunAt, usedAt }))
}

/** A valid session was used after the first time, and began after the second. */
function limits(clock: Pick<Clock, 'now'>): readonly [Date, Date] {
  return [new Date(clock.now() - IDLE), new Date(clock.now() - LIFETIME)]
}

/** Hashes have equal lengths, so the time of the comparison shows nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
