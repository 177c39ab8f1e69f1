/** The costs of models, by hour and day, for the bot and for each channel. */
import type { Database } from '../api/index.ts'

/** One account: a limit for one hour or day, and what was spent. */
export interface Account {
  /** A channel's id, or `''` for the whole bot. */
  readonly scope: string
  readonly period: 'hour' | 'day'
  readonly start: Date
  readonly tokens: number
  readonly money: number
}

export interface Cost {
  readonly tokens: number
  readonly money: number
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
  sweep(before: Date): Promise<void>
}

/** Accounts in the bot's database, for all its processes together. */
export function sqlLedger(db: Database): Ledger {
  const add = async ({ scope, period, start }: Account, { tokens, money }: Cost, limit: Cost) => {
    const { rowCount } = await db.query(
      `insert into kikimimi.spending as s (scope, period, start, tokens, money) values ($1, $2, $3, $4, $5)
       on conflict (scope, period, start) do update set tokens = s.tokens + $4, money = s.money + $5
       where s.tokens + $4 <= $6 and s.money + $5 <= $7`,
      [scope, period, start, tokens, money, limit.tokens, limit.money],
    )
    return rowCount > 0
  }
  const UNLIMITED = { tokens: Number.MAX_SAFE_INTEGER, money: Number.MAX_SAFE_INTEGER }

  return {
    async book(accounts, cost) {
      let overdrawn: Account | undefined
      const full = new Error('no room')
      try {
        await db.transaction(async () => {
          for (const account of accounts) {
            // The first booking of an hour finds no row that could refuse it.
            const fits = cost.tokens <= account.tokens && cost.money <= account.money
            if (fits && (await add(account, cost, account))) continue
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
         where period = $1 and start = $2 and scope <> ''
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

    async sweep(before) {
      await db.query('delete from kikimimi.spending where start < $1', [before])
    },
  }
}

/** Accounts in memory, for a bot without a database. */
export function memoryLedger(): Ledger {
  const spent = new Map<string, Cost & { readonly start: Date; readonly noticed: Set<string> }>()
  const key = ({ scope, period, start }: Account) => `${period} ${start.toISOString()} ${scope}`
  const read = (account: Account) => spent.get(key(account)) ?? { tokens: 0, money: 0, start: account.start, noticed: new Set() }

  function add(account: Account, cost: Cost): void {
    const { tokens, money, ...rest } = read(account)
    spent.set(key(account), { ...rest, tokens: tokens + cost.tokens, money: money + cost.money })
  }

  return {
    async book(accounts, cost) {
      const overdrawn = accounts.find(account => {
        const { tokens, money } = read(account)
        return tokens + cost.tokens > account.tokens || money + cost.money > account.money
      })
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
        name.startsWith(head) && name !== head ? [{ scope: name.slice(head.length), tokens, money }] : [],
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

    async sweep(before) {
      for (const [name, { start }] of spent) if (start < before) spent.delete(name)
    },
  }
}
