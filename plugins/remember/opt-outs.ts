import { cached, type IncomingMessage, type PersonKey, type PluginContext } from 'kikimimi'

/** People who opted out. */
export interface OptOuts {
  /** Whether the person is opted out now. */
  holds(person: PersonKey): Promise<boolean>
  /**
   * Whether the person was opted out at this time, with any of their accounts. An account that was linked since is added to
   * the list now.
   *
   * @param accounts the first is the account that wrote the message
   */
  covers(accounts: readonly PersonKey[], at: Date): Promise<boolean>
  /** @param since time of the opt-out */
  begin(people: readonly PersonKey[], since: Date): Promise<void>
  end(people: readonly PersonKey[], until: Date): Promise<void>
}

interface Period {
  readonly since: Date
  readonly until: Date | null
}

/** Time that an ended opt-out is kept. Catch-up reads no older messages. */
const KEPT_MS = 90 * 86_400_000

/**
 * The list is cached in memory (see `cached`), because every message asks for it.
 *
 * @param onLinked called for an account that is opted out because it was linked with one that is
 */
export async function createOptOuts(
  ctx: Pick<PluginContext, 'db' | 'clock' | 'scope'>,
  onLinked: (person: PersonKey) => Promise<void>,
): Promise<OptOuts> {
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
      const [account] = accounts
      if (account && open && !own.some(({ until }) => until === null)) {
        await begin([account], open.since)
        await onLinked(account)
      }
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
 * How a message may address the bot, as far as the platform tells on arrival; undefined if it does not. Other messages of
 * people
 * who opted out are not read.
 *
 * @param me the bot's id on the platform; undefined before its first turn
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
