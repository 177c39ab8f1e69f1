/** Tells owners, once each, that a reminder could not be told: directly where the platform allows it, else at their next call. */
import { Channels, cached, type Locale, type MessageSource, type PersonKey, type PluginContext, type Turn } from 'kikimimi'
import type { Reminder } from './store.ts'
import { texts } from './texts.ts'
import { formatWhen } from './when.ts'

/**
 * `halted`: STOP is active. `failed`: the platform has refused the message. `readers`: other people read the place now. `refuses`: the person
 * whom it is for takes no reminders of others.
 */
export type Why = 'halted' | 'failed' | 'readers' | 'refuses'

interface Row {
  readonly reminder: number
  readonly platform: string
  readonly person: string
  readonly locale: Locale
  readonly why: Why
}

/** Milliseconds for which it is kept. */
const KEPT = 90 * 24 * 3_600_000

/** Another process has said it. */
class Known extends Error {}

export type Unsaid = Awaited<ReturnType<typeof createUnsaid>>

const keyOf = (platform: string, person: string) => JSON.stringify([platform, person])

export async function createUnsaid(ctx: Pick<PluginContext, 'clock' | 'db' | 'log' | 'scope' | 'send' | 'use'>) {
  const { db, clock } = ctx
  /** Those that their owners do not know of: each call asks. */
  const waiting = await cached(ctx, 'promises.unsaid', async () => {
    const { rows } = await db.query<Row>(
      'select reminder, platform, person, locale, why from promises.unsaid where not known order by reminder',
    )
    return Map.groupBy(rows, one => keyOf(one.platform, one.person))
  })
  const set = (reminders: readonly number[], known: boolean) =>
    db.query('update promises.unsaid set known = $2 where reminder = any($1) and known <> $2', [reminders, known])

  async function tellDirectly(reminder: Reminder, why: Why, sources: readonly MessageSource[]): Promise<void> {
    const { id, place, author, authorName, content, locale, at, zone } = reminder
    const direct = await ctx.use(Channels).direct(place, { id: author, name: authorName })
    if (!direct || direct.id === place.id) return
    const say = texts(locale)
    const values = { id: String(id), when: formatWhen(at, zone, locale), content, channel: place.name }
    // Words of others stay where they were said.
    const what = sources.length <= 1 ? say('unsaid.whole', values) : say('unsaid.short', values)
    const text = say(`unsaid.${why}`, { what })
    const also = async () => void (await set([id], true))
    try {
      await ctx.send(direct, { kind: 'text', text }, { sources, also })
    } catch (error) {
      ctx.log.info('could not say directly that a reminder is not told', { reminder: id, error })
      await set([id], false)
    }
  }

  return {
    /** @param sources what the reminder is made from */
    async tell(reminder: Reminder, why: Why, sources: readonly MessageSource[]): Promise<void> {
      const { id, place, author, locale } = reminder
      const now = new Date(clock.now())
      const isNew = await waiting.write(async () => {
        await db.query('delete from promises.unsaid where at < $1', [new Date(now.getTime() - KEPT)])
        const { rowCount } = await db.query(
          `insert into promises.unsaid (reminder, platform, person, locale, why, at) values ($1, $2, $3, $4, $5, $6)
           on conflict (reminder) do nothing`,
          [id, place.platform, author, locale, why, now],
        )
        return rowCount > 0
      })
      if (isNew) await waiting.write(() => tellDirectly(reminder, why, sources))
    },

    /** The reminder is told after all. */
    async told({ id }: Reminder): Promise<void> {
      const { rowCount } = await db.query('delete from promises.unsaid where reminder = $1', [id])
      if (rowCount > 0) await waiting.write(async () => {})
    },

    /** After the answer to a call of the owner. */
    async tellAfter({ conversation, message }: Turn): Promise<void> {
      const all = (await waiting.read()).get(keyOf(conversation.platform, message.author.id))
      const [first] = all ?? []
      if (!all || !first) return
      const say = texts(first.locale)
      const lines = all.map(({ reminder, why }) => say(`unsaid.${why}`, { what: say('unsaid.short', { id: String(reminder) }) }))
      const ids = all.map(({ reminder }) => reminder)
      await waiting.write(async () => {
        const also = async () => {
          const { rowCount } = await set(ids, true)
          if (rowCount === 0) throw new Known()
        }
        const reply = { kind: 'text', text: lines.join('\n'), replyTo: message.id } as const
        await ctx
          .send(conversation, reply, { sources: 'none', also })
          .catch((error: unknown) => ctx.log.info('could not say that a reminder is not told', { error }))
      })
    },

    async forget({ platform, id }: PersonKey): Promise<void> {
      await waiting.write(() => db.query('delete from promises.unsaid where platform = $1 and person = $2', [platform, id]))
    },
  }
}
