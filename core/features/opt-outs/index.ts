/**
 * People who opted out. Their messages are dropped before any plugin gets them. The triggers of the table `opt_out` hold the same rule
 * in the log: for edits and reactions, and for a message that another process drops only a moment later.
 */
import { definePlugin, type IncomingMessage, type OptOutOrders, OptOuts, type PersonKey, type Plugin } from '../../api/index.ts'
import { type Cached, cached } from '../../storage/database/cached.ts'

/** The opt-outs of each account. */
type List = ReadonlyMap<string, readonly Period[]>

interface Period {
  readonly since: Date
  readonly until: Date | null
}

/** Time that an ended opt-out is kept. Catch-up reads no older messages. */
const KEPT_MS = 90 * 86_400_000

export function optOutsFeature(): Plugin {
  return definePlugin({
    name: 'kikimimi-opt-outs',
    provides: [OptOuts],
    async setup(ctx) {
      const { db, clock } = ctx
      // Kept in memory, because every message asks for it. Without a database nothing is stored, and so nobody is opted out.
      const list: Cached<List> | undefined =
        db.kind === 'none'
          ? undefined
          : await cached(ctx, 'kikimimi.opt_out', async () => {
              const { rows } = await db.query<Period & { platform: string; person: string }>(
                'select platform, person, since, until from kikimimi.opt_out',
              )
              return Map.groupBy(rows, ({ platform, person }) => `${platform}/${person}`)
            })
      let orders: OptOutOrders | undefined

      const openOf = async (person: PersonKey) => of(await list?.read(), person)?.find(isOpen)

      function write(sql: string, people: readonly PersonKey[], at: Date): Promise<unknown> {
        const change = () =>
          db.query(sql, [people.map(({ platform }) => encodeURIComponent(platform)), people.map(({ id }) => id), at])
        return list ? list.write(change) : change()
      }

      const begin = async (accounts: readonly PersonKey[], since: Date) => void (await write(BEGIN, accounts, since))

      ctx.provide(OptOuts, {
        has: async person => (await openOf(person)) !== undefined,
        begin,

        async end(accounts, until) {
          await write(END, accounts, until)
          await db.query('delete from kikimimi.opt_out where until < $1', [new Date(clock.now() - KEPT_MS)])
        },

        async link(accounts) {
          const open = await Promise.all(accounts.map(openOf))
          const since = open.find(period => period !== undefined)?.since
          if (!since) return
          for (const [at, account] of accounts.entries()) {
            if (open[at]) continue
            await begin([account], since)
            await orders?.linked(account)
          }
        },

        accept(given, scope) {
          orders = given
          scope.defer(() => {
            if (orders === given) orders = undefined
          })
        },
      })

      function refusal(known: List, message: IncomingMessage): string | undefined {
        const { conversation, author, at } = message
        const periods = of(known, { platform: conversation.platform, id: author.id })
        if (!periods?.some(({ since, until }) => until === null || (at > since && at < until))) return undefined
        return periods.some(isOpen) && orders?.accepts(message) ? undefined : 'does not want to be heard'
      }

      return {
        ...(list && {
          filter(message) {
            const known = list.peek()
            return known ? refusal(known, message) : list.read().then(read => refusal(read, message))
          },
        }),
      }
    },
  })()
}

function of(list: List | undefined, { platform, id }: PersonKey): readonly Period[] | undefined {
  return list?.get(`${encodeURIComponent(platform)}/${id}`)
}

function isOpen({ until }: Period): boolean {
  return until === null
}

const BEGIN = `
  insert into kikimimi.opt_out (platform, person, since)
  select platform, person, $3 from unnest($1::text[], $2::text[]) as p(platform, person)
  where not exists (select 1 from kikimimi.opt_out o where o.platform = p.platform and o.person = p.person and until is null)
  on conflict do nothing`

const END = `
  update kikimimi.opt_out o set until = greatest($3, since) from unnest($1::text[], $2::text[]) as p(platform, person)
  where o.platform = p.platform and o.person = p.person and o.until is null`
