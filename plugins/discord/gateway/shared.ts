/**
 * The connections of one of several processes that share a Postgres server: a client for each of its shards. A process without
 * shards stands by: it receives nothing and does all other work.
 */
import { type APIUser, Routes } from 'discord.js'
import { KikimimiError, type Person, sleep } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { personOf } from '../messages/messages.ts'
import { isOfCall, loginRefused, sentence } from '../rest/errors.ts'
import { retryWhileUnavailable } from '../rest/retry.ts'
import type { OneShard } from './client.ts'
import { type Connection, type ConnectionApp, connect } from './connection.ts'
import { type Gateway, type GatewayOptions, notHeard, recommendation } from './gateway.ts'
import { createGrowth } from './growth.ts'
import { createLeases, FEWEST, LEASE_MS, RENEW_MS, type Shards } from './leases.ts'

/** Time limit for returning shards when the bot stops, in milliseconds. */
const FAREWELL_MS = 2_000

export function sharedGateway(ctx: ConnectionApp & Pick<PlatformContext, 'db'>, options: GatewayOptions): Gateway {
  const { clock, log } = ctx
  const { apiUrl, limit, rest } = options
  const open = new Map<number, Connection & { readonly count: number }>()
  /** Connections from before the bot was divided into more shards. They receive events until the new ones are complete. */
  let former: readonly Connection[] = []
  let held: Shards = { count: 0, own: [], perSecond: FEWEST }
  let account: Person | undefined

  async function ask(signal: AbortSignal) {
    try {
      const [user, told] = await Promise.all([rest.get(Routes.user(), { signal }), recommendation(rest, signal)])
      return { user: user as APIUser, told }
    } catch (error) {
      throw loginRefused(error, undefined) ?? error
    }
  }

  async function start(signal: AbortSignal): Promise<void> {
    const { user, told } = await retryWhileUnavailable(ctx, { apiUrl, signal }, () => ask(signal))
    const { id, name } = personOf(user)
    account = { id, name }
    const { max_concurrency: buckets } = told.session_start_limit
    const leases = createLeases(ctx.db, clock, options.shards === 'auto' ? told.shards : options.shards)
    let renewing: Promise<void> | undefined
    let connecting: Promise<void> | undefined
    let leaving: Promise<void> | undefined
    let renewedAt = clock.now()
    const growth =
      options.shards === 'auto'
        ? createGrowth(ctx, options, signal, {
            count: () => held.count,
            async grow(shards) {
              await untilStored(() => leases.atLeast(shards))
              await tick()
            },
          })
        : undefined

    async function untilStored(store: () => Promise<void>): Promise<void> {
      for (;;) {
        try {
          return await store()
        } catch (error) {
          log.warn(`could not store the number of shards, trying again: ${sentence(error)}`)
          await sleep(clock, RENEW_MS, signal)
        }
      }
    }

    const isOurs = (id: number, count: number) => !signal.aborted && count === held.count && held.own.includes(id)

    async function close(id: number): Promise<void> {
      const connection = open.get(id)
      open.delete(id)
      await connection?.close()
    }

    async function renew(): Promise<void> {
      held = await leases.renew()
      renewedAt = clock.now()
      limit.allow(held.perSecond)
      for (const [id, connection] of open) {
        if (connection.count === held.count || held.own.length === 0) continue
        open.delete(id)
        former = [...former, connection]
      }
      const moved = [...open].filter(([id, { count }]) => !isOurs(id, count))
      await Promise.all(moved.map(([id]) => close(id)))
    }

    async function connectOne(id: number): Promise<void> {
      const { count } = held
      const mayIdentify: OneShard['mayIdentify'] = async closed => {
        const turn = () => leases.takeTurn(id % buckets)
        try {
          for (let ms = await turn(); ms > 0; ms = await turn()) await sleep(clock, ms, closed)
        } catch {
          // An unavailable database must not disconnect the bot.
          await sleep(clock, RENEW_MS, closed)
        }
      }
      const connection = await connect(
        ctx,
        { ...options, shards: { id, count, mayIdentify }, tooFewShards: growth?.required },
        signal,
      )
      if (!isOurs(id, count)) return connection.close()
      open.set(id, { ...connection, count })
      // Not awaited: new messages are answered at once.
      void connection.catchUp()
    }

    async function closeFormer(): Promise<void> {
      const ended = former
      former = []
      await Promise.all(ended.map(one => one.close()))
    }

    /** One after the other: the wait for the identify limit must not exceed the deadline of the login. */
    async function connectAll(): Promise<void> {
      for (;;) {
        const next = held.own.find(id => !open.has(id))
        if (next === undefined) return closeFormer()
        await connectOne(next)
      }
    }

    function failed(error: unknown): void {
      // A shard of the former number.
      if (signal.aborted || growth?.isGrowing) return
      // The same as at the start: a supervisor restarts the bot, and another process takes its shards.
      if (error instanceof KikimimiError && !isOfCall(error)) ctx.fail(error)
      else log.warn(`could not connect a shard, trying again: ${sentence(error)}`)
    }

    async function tick(): Promise<void> {
      renewing ??= renew()
        .catch(error => {
          log.warn(`could not agree with other processes on shards, trying again: ${sentence(error)}`)
          // Other processes are about to take this one for dead.
          if (clock.now() - renewedAt >= LEASE_MS - RENEW_MS) limit.allow(FEWEST)
        })
        .finally(() => {
          renewing = undefined
        })
      await renewing
      connecting ??= connectAll()
        .catch(failed)
        .finally(() => {
          connecting = undefined
        })
    }

    async function leave(): Promise<void> {
      clock.clearInterval(timer)
      await Promise.all([...[...open.keys()].map(close), closeFormer()])
      await renewing
      await leases.giveBack().catch(error => log.warn(`could not give its shards back: ${sentence(error)}`))
    }

    /** An unavailable database must not delay the stop: shards become free when the lease ends. */
    async function left(): Promise<void> {
      leaving ??= leave()
      const waited = new AbortController()
      await Promise.race([leaving, sleep(clock, FAREWELL_MS, waited.signal).catch(() => {})])
      waited.abort()
    }

    await renew()
    const timer = clock.setInterval(() => void tick(), RENEW_MS)
    // At once, not after the last turn, so that other processes receive events meanwhile.
    signal.addEventListener('abort', () => (leaving ??= leave()), { once: true })
    ctx.scope.defer(left)
    const [first] = held.own
    connecting = first === undefined ? undefined : connectOne(first)
    await connecting
    connecting = undefined
    void tick()
  }

  return {
    start,
    unready() {
      // A shard that has just moved here does not make this process unready.
      return account ? notHeard([...open.values()].flatMap(({ lost }) => lost())) : 'not connected to Discord'
    },
    clients: () => [...open.values(), ...former].map(({ client }) => client),
    account: () => account,
  }
}
