/**
 * The budget of models. Every call is booked with its largest possible cost before it is made, and corrected when it has
 * ended. Judge calls may use 70 % of a limit, background work 80 %, unasked replies 90 %, and replies to mentions all of
 * it.
 */

import type { Allowance, BudgetConfig, Limits } from '../api/config.ts'
import type { Address, Conversation, Spending } from '../api/index.ts'
import type { Clock } from '../base/clock.ts'
import { KikimimiError } from '../base/errors.ts'
import type { Account, Cost, Ledger } from './ledger.ts'

/** The turn of a call. The budget uses the object as key: the same turn is the same object. */
export interface ChargedTurn {
  /** The id of the conversation. */
  readonly conversation: string
  readonly addressed?: Address
}

/** The largest possible cost of a call, and its purpose. */
export interface Expense {
  readonly role: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Budget {
  /**
   * Books a call. Returns the function that corrects the booking after the call. Rejects with MODEL_BUDGET_SPENT when the
   * limit is reached.
   */
  reserve(expense: Expense): Promise<(used: Pick<Expense, 'inputTokens' | 'outputTokens'>) => Promise<void>>
  /** The cost of a call; nothing for a model without a price. */
  price(expense: Expense): number | undefined
  /**
   * Whether a turn got no answer because the budget is spent. `tell`: the period of the limit, when its channel has had no
   * notice yet.
   */
  overspent(turn: ChargedTurn): Promise<{ readonly tell?: Account['period'] } | undefined>
  /** The share of the budget that is left, 0…1: the smallest share of all limits, the channel's own included. */
  left(conversation: Conversation): Promise<number>
  /** The current limits and what was spent: of the bot, and of the channels that cost most. */
  spending(): Promise<readonly Spending[]>
  sweep(): Promise<void>
}

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const SHARES: Readonly<Record<string, number>> = { judge: 0.7, summary: 0.8, reflection: 0.8 }
const UNASKED = 0.9

/** Largest number of channels in a list. */
const SHOWN = 10

const FREE = { input: 0, output: 0 }

export interface BudgetSetup {
  readonly config: BudgetConfig
  /** The names of the bot's models. */
  readonly models: readonly string[]
  /** The accounts of what was spent. */
  readonly ledger: Ledger
  readonly clock: Clock
  /** The turn that the running code works for; nothing outside of turns. */
  readonly currentTurn: () => ChargedTurn | undefined
}

/** Throws CONFIG_INVALID for a limit in money and a model without a price. */
export function createBudget({ config, models, ledger, clock, currentTurn }: BudgetSetup): Budget {
  const { channel } = config
  const prices = new Map(Object.entries({ offline: FREE, ...config.prices }))
  const unpriced = models.filter(model => !prices.has(model))
  const inMoney = [config, channel].some(one => one?.hour?.money !== undefined || one?.day?.money !== undefined)
  if (inMoney && unpriced.length > 0) {
    throw new KikimimiError(
      'CONFIG_INVALID',
      `bot.config.ts limits the money, and budget.prices has no price for ${unpriced.map(one => `"${one}"`).join(', ')}.`,
    )
  }
  const overdrawnBy = new WeakMap<ChargedTurn, Account>()

  const price = ({ model, inputTokens, outputTokens }: Expense) => {
    const of = prices.get(model)
    return of && (inputTokens * of.input + outputTokens * of.output) / 1_000_000
  }
  const costOf = (expense: Expense): Cost => ({
    tokens: expense.inputTokens + expense.outputTokens,
    money: price(expense) ?? 0,
  })

  /** The limits of a call made now, always in one order: two calls that book at once never wait for each other. */
  function accounts(role: string): Account[] {
    const turn = currentTurn()
    return accountsOf(shareOf(role, turn), turn && channelOf(turn))
  }

  function periodOf(period: Account['period']): { start: Date; length: number } {
    const now = clock.now()
    const length = period === 'hour' ? HOUR : DAY
    return { start: new Date(now - (now % length)), length }
  }

  function accountsOf(share: number, place: string | undefined): Account[] {
    const account = (scope: string, period: Account['period'], limits: Limits | undefined): Account[] => {
      if (!limits) return []
      const { start } = periodOf(period)
      const { tokens, money } = bounds(limits)
      return [{ scope, period, start, tokens: Math.floor(tokens * share), money: money * share }]
    }
    const of = (scope: string, { hour, day }: Allowance) => [...account(scope, 'hour', hour), ...account(scope, 'day', day)]
    return [...of('', config), ...(place !== undefined && channel ? of(place, channel) : [])]
  }

  async function spendingOf(period: Account['period'], own: Limits | undefined, each: Limits | undefined): Promise<Spending[]> {
    const { start, length } = periodOf(period)
    const until = new Date(start.getTime() + length)
    const whole = { scope: '', period, start, tokens: 0, money: 0 }
    const bot = own ? [{ period, until, limits: limitsOf(own), spent: await ledger.spent(whole) }] : []
    const channels = each ? await ledger.dearest({ period, start, ...bounds(each) }, SHOWN) : []
    return [
      ...bot,
      ...channels.map(({ scope, tokens, money }) => ({
        channel: scope,
        period,
        until,
        limits: limitsOf(each ?? {}),
        spent: { tokens, money },
      })),
    ]
  }

  return {
    price,

    async reserve(expense) {
      const touched = accounts(expense.role)
      const booked = costOf(expense)
      const overdrawn = await ledger.book(touched, booked)
      if (overdrawn) {
        const turn = currentTurn()
        // A limit that refuses a judge call can still allow an answer.
        if (turn && shareOf(expense.role, turn) === 1) overdrawnBy.set(turn, overdrawn)
        const whose = overdrawn.scope === '' ? 'the bot' : 'this channel'
        throw new KikimimiError(
          'MODEL_BUDGET_SPENT',
          `[models] ${expense.model} was not asked: ${whose} has spent what it may in this ${overdrawn.period}.`,
        )
      }
      return used => {
        const { tokens, money } = costOf({ ...expense, ...used })
        return ledger.correct(touched, { tokens: tokens - booked.tokens, money: money - booked.money })
      }
    },

    async overspent(turn) {
      const account = overdrawnBy.get(turn)
      if (!account) return undefined
      return (await ledger.notice(account, channelOf(turn))) ? { tell: account.period } : {}
    },

    async left({ id: conversation }) {
      const shares = accountsOf(1, channelOf({ conversation })).map(async account => {
        const { tokens, money } = await ledger.spent(account)
        return 1 - Math.max(tokens / account.tokens, money / account.money)
      })
      return Math.max(0, Math.min(1, ...(await Promise.all(shares))))
    },

    spending: async () => [
      ...(await spendingOf('hour', config.hour, channel?.hour)),
      ...(await spendingOf('day', config.day, channel?.day)),
    ],

    sweep: () => ledger.sweep(new Date(clock.now() - 2 * DAY)),
  }
}

/** The value of a missing limit. */
function bounds({ tokens = Number.MAX_SAFE_INTEGER, money = Number.MAX_SAFE_INTEGER }: Limits): Cost {
  return { tokens, money }
}

function limitsOf({ tokens, money }: Limits): Spending['limits'] {
  return { ...(tokens !== undefined && { tokens }), ...(money !== undefined && { money }) }
}

function shareOf(role: string, turn: ChargedTurn | undefined): number {
  return SHARES[role] ?? (turn?.addressed ? 1 : UNASKED)
}

/** The id of a conversation begins with that of its channel. */
function channelOf({ conversation }: Pick<ChargedTurn, 'conversation'>): string {
  return conversation.split('/').slice(0, 3).join('/')
}
