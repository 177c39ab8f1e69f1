/** The costs of models, by hour and day, for the bot, for each channel and for each person. */
import type { Database, PersonKey } from '../api/index.ts'

/** One account: a limit for one hour or day, and what was spent. */
export interface Account {
  /** A channel's id, or `''` for the whole bot. For a person see {@link ofPerson}. */
  readonly scope: string
  readonly period: 'hour' | 'day'
  readonly start: Date
  readonly tokens: number
  readonly money: number
  /** Absent: unlimited. */
  readonly calls?: number
  /** True: the first call is booked even if it is above the limit. Default: false. */
  readonly allowsFirst?: boolean
}

export interface Cost {
  readonly tokens: number
  readonly money: number
  /** Default 0. */
  readonly calls?: number
}

/** The account of a person: of all calls on a platform, or of those in a channel. Ids are encoded, so they contain no `@`. */
export function ofPerson(place: string, person: string): string {
  return `${place}@${encodeURIComponent(person)}`
}

export interface Ledger {
  /** Books a cost on all accounts or on none. If a limit would be exceeded, it books nothing and returns that account. */
  book(accounts: readonly Account[], cost: Cost): Promise<Account | undefined>
  /** Books the difference, even above the limit. */
  correct(accounts: readonly Account[], difference: Cost): Promise<void>
  spent(account: Account): Promise<Cost>
  /** The channels that used most of their limit in a period, in tokens or in money, at most this many. */
  dearest(each: Omit<Account, 'scope'>, count: number): Promise<readonly (Cost & { readonly scope: string })[]>
  /** Whether this is the first notice: true once for an account and a channel. */
  notice(account: Account, channel: string): Promise<boolean>
  /** The first of these accounts that has had a notice of this kind. */
  noticed(accounts: readonly Account[], kind: string): Promise<Account | undefined>
  /** Deletes the accounts of a person. */
  forget(person: PersonKey): Promise<void>
  sweep(before: Date): Promise<void>
}

/** Accounts in the bot's database, for all its processes together. */
export function sqlLedger(db: Database): Ledger {
  const add = async (account: Account, cost: Cost, limit: Limit) => {
    const { scope, period, start } = account
    const { tokens, money } = cost
    const calls = callsOn(account, cost)
    const { rowCount } = await db.query(
      `insert into kikimimi.spending as s (scope, period, start, tokens, money, calls) values ($1, $2, $3, $4, $5, $6)
       on conflict (scope, period, start) do update set tokens = s.tokens + $4, money = s.money + $5, calls = s.calls + $6
       where (s.tokens + $4 <= $7 and s.money + $5 <= $8 and s.calls + $6 <= $9) or ($10 and s.calls = 0)`,
      [scope, period, start, tokens, money, calls, limit.tokens, limit.money, limit.calls ?? MOST, limit.allowsFirst === true],
    )
    return rowCount > 0
  }

  return {
    async book(accounts, cost) {
      let overdrawn: Account | undefined
      const full = new Error('no room')
      try {
        await db.transaction(async () => {
          for (const account of accounts) {
            // The first booking of an hour finds no row that could refuse it.
            if (fits(NOTHING, cost, account) && (await add(account, cost, account))) continue
            overdrawn = account
            throw full
          }
        })
      } catch (error) {
        if (error !== full) throw error
      }
      return overdrawn
    },

    correct: (accounts, difference) =>
      db.transaction(async () => {
        for (const account of accounts) await add(account, difference, UNLIMITED)
      }),

    async spent({ scope, period, start }) {
      const { rows } = await db.query<Cost>(
        'select tokens, money from kikimimi.spending where scope = $1 and period = $2 and start = $3',
        [scope, period, start],
      )
      return rows[0] ?? { tokens: 0, money: 0 }
    },

    async dearest({ period, start, tokens, money }, count) {
      const { rows } = await db.query<Cost & { scope: string }>(
        `select scope, tokens, money from kikimimi.spending
         where period = $1 and start = $2 and scope <> '' and position('@' in scope) = 0
         order by greatest(tokens / $3::float8, money / $4::float8) desc, scope limit $5`,
        [period, start, tokens, money, count],
      )
      return rows
    },

    async notice({ scope, period, start }, channel) {
      // There can be no row: the first call alone can cost more than the limit.
      const { rowCount } = await db.query(
        `insert into kikimimi.spending as s (scope, period, start, tokens, money, noticed) values ($1, $2, $3, 0, 0, array[$4])
         on conflict (scope, period, start) do update set noticed = s.noticed || array[$4] where not s.noticed @> array[$4]`,
        [scope, period, start, channel],
      )
      return rowCount > 0
    },

    async noticed(accounts, kind) {
      if (accounts.length === 0) return undefined
      const { rows } = await db.query<Pick<Account, 'scope' | 'period'>>(
        `select s.scope, s.period from kikimimi.spending s
           join unnest($1::text[], $2::text[], $3::timestamptz[]) as a(scope, period, start) using (scope, period, start)
         where s.noticed @> array[$4]`,
        [...columns(accounts), kind],
      )
      return accounts.find(({ scope, period }) => rows.some(row => row.scope === scope && row.period === period))
    },

    async forget({ platform, id }) {
      // The table holds two days, so that a scan is short.
      await db.query(
        `delete from kikimimi.spending
         where split_part(scope, '@', 2) = $2 and split_part(split_part(scope, '@', 1), '/', 1) = $1`,
        [encodeURIComponent(platform), encodeURIComponent(id)],
      )
    },

    async sweep(before) {
      await db.query('delete from kikimimi.spending where start < $1', [before])
    },
  }
}

type Limit = Pick<Account, 'tokens' | 'money' | 'calls' | 'allowsFirst'>

const MOST = Number.MAX_SAFE_INTEGER
const UNLIMITED: Limit = { tokens: MOST, money: MOST }
/** An account counts calls only if a limit of it asks for them. */
function callsOn({ calls, allowsFirst }: Account, cost: Cost): number {
  return calls === undefined && !allowsFirst ? 0 : (cost.calls ?? 0)
}

const NOTHING: Required<Cost> = { tokens: 0, money: 0, calls: 0 }

function fits(spent: Required<Cost>, cost: Cost, { tokens, money, calls = MOST, allowsFirst }: Limit): boolean {
  if (allowsFirst && spent.calls === 0) return true
  return spent.tokens + cost.tokens <= tokens && spent.money + cost.money <= money && spent.calls + (cost.calls ?? 0) <= calls
}

const columns = (accounts: readonly Account[]) => [
  accounts.map(({ scope }) => scope),
  accounts.map(({ period }) => period),
  accounts.map(({ start }) => start.toISOString()),
]

/** Accounts in memory, for a bot without a database. */
export function memoryLedger(): Ledger {
  const spent = new Map<string, Required<Cost> & Pick<Account, 'scope' | 'start'> & { readonly noticed: Set<string> }>()
  const key = ({ scope, period, start }: Account) => `${period} ${start.toISOString()} ${scope}`
  const read = (account: Account) => {
    const { scope, start } = account
    return spent.get(key(account)) ?? { ...NOTHING, scope, start, noticed: new Set() }
  }

  function add(account: Account, cost: Cost): void {
    const { tokens, money, calls, ...rest } = read(account)
    const now = { tokens: tokens + cost.tokens, money: money + cost.money, calls: calls + callsOn(account, cost) }
    spent.set(key(account), { ...rest, ...now })
  }

  return {
    async book(accounts, cost) {
      const overdrawn = accounts.find(account => !fits(read(account), cost, account))
      if (!overdrawn) for (const account of accounts) add(account, cost)
      return overdrawn
    },

    async correct(accounts, difference) {
      for (const account of accounts) add(account, difference)
    },

    async spent(account) {
      const { tokens, money } = read(account)
      return { tokens, money }
    },

    async dearest({ period, start, ...each }, count) {
      const head = `${period} ${start.toISOString()} `
      const found = [...spent].flatMap(([name, { tokens, money }]) =>
        name.startsWith(head) && name !== head && !name.includes('@') ? [{ scope: name.slice(head.length), tokens, money }] : [],
      )
      const share = ({ tokens, money }: Cost) => Math.max(tokens / each.tokens, money / each.money)
      return found.toSorted((a, b) => share(b) - share(a)).slice(0, count)
    },

    async notice(account, channel) {
      add(account, { tokens: 0, money: 0 })
      const { noticed } = read(account)
      if (noticed.has(channel)) return false
      noticed.add(channel)
      return true
    },

    async noticed(accounts, kind) {
      return accounts.find(account => read(account).noticed.has(kind))
    },

    async forget({ platform, id }) {
      for (const [name, { scope }] of spent) {
        const [place = '', person] = scope.split('@')
        if (person === encodeURIComponent(id) && place.split('/')[0] === encodeURIComponent(platform)) spent.delete(name)
      }
    },

    async sweep(before) {
      for (const [name, { start }] of spent) if (start < before) spent.delete(name)
    },
  }
}
