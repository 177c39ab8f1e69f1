/**
 * The budget of models. Every call is booked with its largest possible cost before it is made, and corrected when it has
 * ended. Judge calls may use 70 % of a limit, background work 80 %, unasked replies 90 %, and replies to mentions all of
 * it. The calls of one person may use a tenth of the limits of a channel, so that the rest is left to the others.
 */

import type { Allowance, BudgetConfig, Limits } from '../api/config.ts'
import { type Address, type Conversation, channelOf, type Person, type Spending } from '../api/index.ts'
import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import { KikimimiError } from '../base/errors.ts'
import { type Account, type Cost, type Ledger, ofPerson } from './ledger.ts'

/** The turn of a call. The budget uses the object as key: the same turn is the same object. */
export interface ChargedTurn {
  /** The id of the conversation. */
  readonly conversation: string
  readonly addressed?: Address
}

/** A person who has called the bot, and what a person may do there in an hour. */
export interface Caller {
  readonly conversation: Conversation
  readonly person: Person
  readonly callsPerHour?: number | undefined
  readonly tokensPerHour?: number | undefined
}

/** Why a call of a person is refused. `tell`: the person has had no notice in this hour. */
export interface Overdrawn {
  readonly why: string
  readonly tell: boolean
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
  /** Counts a call of a person, or says why it is refused. Without a limit for a person it costs no statement. */
  admit(caller: Caller): Awaitable<Overdrawn | undefined>
  /** The cost of a call; nothing for a model without a price. */
  price(expense: Expense): number | undefined
  /**
   * Whether a turn got no answer because the budget is spent. `tell`: the period of the limit, when its channel has had no
   * notice yet. `person`: it is a limit of one person, with `tell` when the person has had no notice in this hour.
   */
  overspent(turn: ChargedTurn): Promise<{ readonly tell?: Account['period']; readonly person?: Overdrawn } | undefined>
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

/** The share of the limits of a channel that the calls of one person may use. */
const SHARE = 0.1

/** Largest number of channels in a list. */
const SHOWN = 10

const FREE = { input: 0, output: 0 }

const UNLIMITED = Number.MAX_SAFE_INTEGER

/** Marks of an account: the person has had a notice, and a call was refused. */
const TOLD = 'told'
const USED_UP = 'used up'

export interface BudgetSetup {
  /** Absent: no limits, except those of a person. */
  readonly config: BudgetConfig | undefined
  /** The names of the bot's models. */
  readonly models: readonly string[]
  /** The accounts of what was spent. */
  readonly ledger: Ledger
  readonly clock: Clock
  /** The turn that the running code works for; nothing outside of turns. */
  readonly currentTurn: () => ChargedTurn | undefined
  /** The person whose call the running code works for. Default: none. */
  readonly currentCaller?: () => Caller | undefined
}

/** Throws CONFIG_INVALID for a limit in money and a model without a price. */
export function checkPrices(config: BudgetConfig, models: readonly string[]): void {
  const unpriced = models.filter(model => model !== 'offline' && !Object.hasOwn(config.prices ?? {}, model))
  if (unpriced.length === 0 || !limitsMoney(config)) return
  const names = unpriced.map(one => `"${one}"`).join(', ')
  throw new KikimimiError('CONFIG_INVALID', `bot.config.ts limits the money, and budget.prices has no price for ${names}.`)
}

/** Whether a limit is in money. */
export function limitsMoney({ channel, ...config }: BudgetConfig): boolean {
  return [config, channel].some(one => one?.hour?.money !== undefined || one?.day?.money !== undefined)
}

/** Throws what {@link checkPrices} throws. */
export function createBudget({
  config,
  models,
  ledger,
  clock,
  currentTurn,
  currentCaller = () => undefined,
}: BudgetSetup): Budget {
  const { channel } = config ?? {}
  const prices = new Map(config && Object.entries({ offline: FREE, ...config.prices }))
  if (config) checkPrices(config, models)
  const overdrawnBy = new WeakMap<ChargedTurn, { readonly account: Account; readonly caller?: Caller | undefined }>()

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
    const caller = currentCaller()
    const place = turn ? channelIn(turn) : caller && channelOf(caller.conversation)
    // A person is refused the answer, not a part of it.
    const own = caller ? ownAccounts(caller).map(account => (role === 'chat' ? account : unlimited(account))) : []
    return [...accountsOf(shareOf(role, turn), place), ...own]
  }

  /** The accounts of a person: all calls in this hour, and the share of the limits of a channel that others read too. */
  function ownAccounts({ conversation, person, tokensPerHour }: Caller): Account[] {
    const all = { ...personal(conversation, person), tokens: tokensPerHour ?? UNLIMITED }
    const mayTake = channel?.share ?? SHARE
    if (!channel || mayTake === 1 || conversation.visibility === 'direct') return tokensPerHour === undefined ? [] : [all]
    const scope = ofPerson(channelOf(conversation), person.id)
    // Where the share is smaller than one call, it is one call.
    const shares = accountsIn(mayTake, scope, channel).map(account => ({ ...account, allowsFirst: true }))
    return tokensPerHour === undefined ? shares : [all, ...shares]
  }

  const personal = ({ platform }: Conversation, { id }: Person): Account => ({
    scope: ofPerson(encodeURIComponent(platform), id),
    period: 'hour',
    start: periodOf('hour').start,
    ...{ tokens: UNLIMITED, money: UNLIMITED },
  })

  /** Why a person may not call in this period, for people. */
  function whyOf({ scope, period }: Account, { callsPerHour, tokensPerHour }: Caller, isCall: boolean): string {
    if (isCall) return `access.callsPerHour: ${callsPerHour} calls of one person`
    if (!scope.includes('/')) return `access.tokensPerHour: ${tokensPerHour} tokens of one person`
    return `budget.channel.share: ${Math.round(100 * (channel?.share ?? SHARE))} % of what the channel may spend in this ${period}`
  }

  const overdrawnFor = async (caller: Caller, account: Account, isCall = false): Promise<Overdrawn> => ({
    why: whyOf(account, caller, isCall),
    tell: await ledger.notice(personal(caller.conversation, caller.person), TOLD),
  })

  function periodOf(period: Account['period']): { start: Date; length: number } {
    const now = clock.now()
    const length = period === 'hour' ? HOUR : DAY
    return { start: new Date(now - (now % length)), length }
  }

  function accountsIn(share: number, scope: string, allowance: Allowance | undefined): Account[] {
    const account = (period: Account['period'], limits: Limits | undefined): Account[] => {
      if (!limits) return []
      const { start } = periodOf(period)
      const { tokens, money } = bounds(limits)
      return [{ scope, period, start, tokens: Math.floor(tokens * share), money: money * share }]
    }
    return [...account('hour', allowance?.hour), ...account('day', allowance?.day)]
  }

  const accountsOf = (share: number, place: string | undefined): Account[] => [
    ...accountsIn(share, '', config),
    ...(place === undefined ? [] : accountsIn(share, place, channel)),
  ]

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

  async function admitted(caller: Caller, own: readonly Account[]): Promise<Overdrawn | undefined> {
    const { conversation, person, callsPerHour } = caller
    if (callsPerHour !== undefined) {
      const calls = { ...personal(conversation, person), calls: callsPerHour }
      if (await ledger.book([calls], { tokens: 0, money: 0, calls: 1 })) return overdrawnFor(caller, calls, true)
    }
    const usedUp = own.length > 0 ? await ledger.noticed(own, USED_UP) : undefined
    return usedUp && overdrawnFor(caller, usedUp)
  }

  return {
    price,

    async reserve(expense) {
      const touched = accounts(expense.role)
      if (touched.length === 0) return async () => {}
      const booked = { ...costOf(expense), calls: expense.role === 'chat' ? 1 : 0 }
      const overdrawn = await ledger.book(touched, booked)
      if (overdrawn) {
        const turn = currentTurn()
        const caller = overdrawn.scope.includes('@') ? currentCaller() : undefined
        if (caller) await ledger.notice(overdrawn, USED_UP)
        // A limit that refuses a judge call can still allow an answer.
        if (turn && shareOf(expense.role, turn) === 1) overdrawnBy.set(turn, { account: overdrawn, caller })
        const whose = caller ? 'the person who calls' : overdrawn.scope === '' ? 'the bot' : 'this channel'
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

    admit(caller) {
      const own = ownAccounts(caller)
      // Most bots have no limit for one person.
      return caller.callsPerHour === undefined && own.length === 0 ? undefined : admitted(caller, own)
    },

    async overspent(turn) {
      const { account, caller } = overdrawnBy.get(turn) ?? {}
      if (!account) return undefined
      if (caller) return { person: await overdrawnFor(caller, account) }
      return (await ledger.notice(account, channelIn(turn))) ? { tell: account.period } : {}
    },

    async left(conversation) {
      const shares = accountsOf(1, channelOf(conversation)).map(async account => {
        const { tokens, money } = await ledger.spent(account)
        return 1 - Math.max(tokens / account.tokens, money / account.money)
      })
      return Math.max(0, Math.min(1, ...(await Promise.all(shares))))
    },

    spending: async () => [
      ...(await spendingOf('hour', config?.hour, channel?.hour)),
      ...(await spendingOf('day', config?.day, channel?.day)),
    ],

    sweep: () => ledger.sweep(new Date(clock.now() - 2 * DAY)),
  }
}

/** The value of a missing limit. */
function bounds({ tokens = UNLIMITED, money = UNLIMITED }: Limits): Cost {
  return { tokens, money }
}

function limitsOf({ tokens, money }: Limits): Spending['limits'] {
  return { ...(tokens !== undefined && { tokens }), ...(money !== undefined && { money }) }
}

function shareOf(role: string, turn: ChargedTurn | undefined): number {
  return SHARES[role] ?? (turn?.addressed ? 1 : UNASKED)
}

/** Counts a cost without a limit. */
function unlimited(account: Account): Account {
  return { ...account, tokens: UNLIMITED, money: UNLIMITED }
}

/** The id of a conversation begins with that of its channel. */
function channelIn({ conversation }: Pick<ChargedTurn, 'conversation'>): string {
  return conversation.split('/').slice(0, 3).join('/')
}
