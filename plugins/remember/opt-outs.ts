import { cached, type IncomingMessage, type PersonKey, type PluginContext } from 'kikimimi'

/** Who does not want to be heard. */
export interface OptOuts {
  /** Whether they do not want to be heard now. */
  holds(person: PersonKey): Promise<boolean>
  /**
   * Whether they did not when they said this, with any of their accounts. One that was linked to them since is from now on
   * on the list itself.
   *
   * @param accounts the first is the one that speaks
   */
  covers(accounts: readonly PersonKey[], at: Date): Promise<boolean>
  /** @param since when they said so */
  begin(people: readonly PersonKey[], since: Date): Promise<void>
  end(people: readonly PersonKey[], until: Date): Promise<void>
}

interface Period {
  readonly since: Date
  readonly until: Date | null
}

/** So long after it has ended nobody reads what was said in it: the platform's history is read from the last message on. */
const KEPT_MS = 90 * 86_400_000

/** The list is kept in memory, for it is asked for with every message: see `cached`. */
export async function createOptOuts(ctx: Pick<PluginContext, 'db' | 'clock' | 'scope'>): Promise<OptOuts> {
  const { db, clock } = ctx
  const list = await cached(ctx, 'remember.opt_out', async () => {
    const { rows } = await db.query<Period & { platform: string; person: string }>(
      'select platform, person, since, until from remember.opt_out',
    )
    return Map.groupBy(rows, ({ platform, person }) => `${platform}/${person}`)
  })

  const periods = async ({ platform, id }: PersonKey): Promise<readonly Period[]> =>
    (await list.read()).get(`${encodeURIComponent(platform)}/${id}`) ?? []

  const write = (sql: string, people: readonly PersonKey[], at: Date) =>
    list.write(() => db.query(sql, [people.map(({ platform }) => encodeURIComponent(platform)), people.map(({ id }) => id), at]))

  const begin = async (people: readonly PersonKey[], since: Date) => {
    await write(
      `insert into remember.opt_out (platform, person, since)
       select platform, person, $3 from unnest($1::text[], $2::text[]) as p(platform, person)
       where not exists (select 1 from remember.opt_out o where o.platform = p.platform and o.person = p.person and until is null)
       on conflict do nothing`,
      people,
      since,
    )
  }

  return {
    holds: async person => (await periods(person)).some(({ until }) => until === null),

    async covers(accounts, at) {
      const [own = [], ...others] = await Promise.all(accounts.map(periods))
      const linked = others.flat()
      const open = linked.find(({ until }) => until === null)
      if (open && !own.some(({ until }) => until === null)) await begin(accounts.slice(0, 1), open.since)
      return [...own, ...linked].some(({ since, until }) => until === null || (at > since && at < until))
    },

    begin,

    async end(people, until) {
      await write(
        `update remember.opt_out o set until = greatest($3, since) from unnest($1::text[], $2::text[]) as p(platform, person)
         where o.platform = p.platform and o.person = p.person and o.until is null`,
        people,
        until,
      )
      await db.query('delete from remember.opt_out where until < $1', [new Date(clock.now() - KEPT_MS)])
    },
  }
}

/**
 * What a message may call the bot; nothing when it does not call it, as far as can be told on arrival. Nothing else of those
 * who do not want to be heard is looked at.
 *
 * @param me the bot's id there; unknown until it has taken a turn
 */
export function calledIn(
  message: IncomingMessage,
  names: readonly string[],
  me: string | undefined,
): readonly string[] | undefined {
  const { conversation, mentions = [], replyTo, text } = message
  const isMe = (id: string | undefined) => id === undefined || me === undefined || id === me
  const mentioned = mentions.filter(({ id }) => isMe(id))
  const calls =
    conversation.visibility === 'direct' ||
    mentioned.length > 0 ||
    (replyTo !== undefined && isMe(replyTo.author)) ||
    names.some(name => text.toLowerCase().includes(name.toLowerCase()))
  return calls ? [...names, ...mentioned.map(({ name }) => name)] : undefined
}
