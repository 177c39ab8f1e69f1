/** Leaves messages out of what is remembered when their author asks for it: before they are recorded, or afterwards. */
import {
  type Clock,
  type Conversation,
  cached,
  channelOf,
  conversationId,
  type IncomingMessage,
  type Message,
  type PersonaPlace,
  type PersonKey,
  type PluginContext,
} from 'kikimimi'
import { type Means, readOrder } from './orders.ts'
import { beginning } from './short.ts'

export interface LeavingOut {
  /** Call it before the message is recorded: no reader of the log finds the message unmarked, nor one that was edited before. */
  heed(message: IncomingMessage): Promise<void>
  /** Leaves out the messages that an edit made into such a request. Call it before a turn reads what is remembered. */
  heedEdits(): Promise<void>
  /** Carries the request of a message out, if that has not been done when it arrived. Returns how each message before it begins that was left out. */
  carryOut(conversation: Conversation, message: Message, means: Means): Promise<readonly string[]>
  forget(person: PersonKey): Promise<void>
}

/** How long "off the record for a moment" holds, and how far "don't remember this" reaches. */
const AHEAD = 10 * 60_000
const NEAR = 2 * 60_000
const BACK = 30 * 60_000
/** Time between two messages that one thought can have, and how many. */
const PAUSE = 60_000
const LINES = 5

/** Number of requests whose messages are known until they are answered. */
const KNOWN = 100

/** How long an edit can take to be committed. */
const LATE = 60_000

interface Said {
  readonly id: string
  readonly text: string
  readonly at: Date
}

interface Edited {
  readonly channel: string
  readonly id: string
  readonly text: string
  readonly place: PersonaPlace
}

/** A turn may answer a message after a delay of ten minutes. */
const ANSWERED_BY_THEN = 15 * 60_000

/** Messages that are left out within this time are deleted together. */
const TOGETHER = 10 * 60_000

/** Milliseconds from the start until the first deletion is planned. */
const FIRST = 1_000

export async function createLeavingOut(
  ctx: Pick<PluginContext, 'bot' | 'db' | 'clock' | 'job' | 'log' | 'scope'>,
): Promise<LeavingOut> {
  const { db, clock, scope } = ctx
  const list = await cached(ctx, 'remember.off_record', async () => {
    const { rows } = await db.query<{ conversation: string; person: string; until: Date }>(
      'select conversation, person, until from remember.off_record',
    )
    return new Map(rows.map(({ conversation, person, until }) => [`${conversation}\n${person}`, until]))
  })

  /** Edits up to this time were read. */
  let readUpto = clock.now() - AHEAD
  /** Whether there may be later ones. */
  let edited = true
  const deleting = ctx.job<null>('drop-left-out', async () => {
    await heedEdits()
    await db.query('select kikimimi_v1.drop_left_out($1, $2)', [new Date(clock.now() - ANSWERED_BY_THEN), now(clock)])
    await list.write(() => db.query('delete from remember.off_record where until < $1', [now(clock)]))
  })

  /** Plans the deletion of messages that no turn will answer any more. Without such messages it costs no statement. */
  function planDeletion(): Promise<void> {
    const at = new Date((Math.floor((clock.now() + ANSWERED_BY_THEN + LATE) / TOGETHER) + 1) * TOGETHER)
    return deleting.schedule(null, { at, key: at.toISOString() })
  }
  const planSoon = () =>
    void planDeletion().catch((error: unknown) => ctx.log.warn('could not plan the deletion of what is left out', { error }))

  scope.defer(
    await db.listen('remember.edited', () => {
      if (!edited) planSoon()
      edited = true
    }),
  )
  // What was edited while no process ran.
  scope.adopt(clock.setTimeout(planSoon, FIRST), timer => clock.clearTimeout(timer))

  const leaveOut = (channel: string, ids: readonly string[]) =>
    db.transaction(async () => {
      await db.query('select kikimimi_v1.leave_out($1, $2, $3)', [channel, ids, now(clock)])
      await planDeletion()
    })

  const setPeriod = (conversation: string, person: string, until: Date) =>
    list.write(() =>
      db.transaction(async () => {
        await db.query(
          `insert into remember.off_record (conversation, person, until) values ($1, $2, $3)
           on conflict (conversation, person) do update set until = excluded.until`,
          [conversation, person, until],
        )
        await planDeletion()
      }),
    )

  interface Asking {
    readonly place: string
    readonly channel: string
    readonly author: string
    readonly id: string
    readonly replyTo: string | undefined
  }

  /**
   * The message that the request replies to, or the last ones before it without a word of another person between them, if they are of the
   * same author.
   */
  async function before({ place, channel, author, id, replyTo }: Asking, ms: number): Promise<readonly Said[]> {
    const since = new Date(clock.now() - ms)
    if (replyTo !== undefined) {
      const { rows } = await db.query<Said & { isOwn: boolean; isTheirs: boolean }>(
        `select id, text, at, own as "isOwn", author_id = $4 as "isTheirs" from kikimimi_v1.message
         where channel = $1 and id = $2 and conversation = $3 and id <> $5 and deleted_at is null`,
        [channel, replyTo, place, author, id],
      )
      // In an answer to the bot, it is what the person said before.
      if (!rows[0]?.isOwn) return rows.filter(({ isTheirs }) => isTheirs)
    }
    const { rows } = await db.query<Said>(
      // A missed message was said before it was received.
      `with own as (
         select seq, id, text, at from kikimimi_v1.message
         where conversation = $1 and author_id = $2 and deleted_at is null and received_at >= $4 and at > $4::timestamptz - interval '8 days'
           and seq < coalesce((select seq from kikimimi_v1.message where conversation = $1 and id = $3), 9223372036854775807)
         order by seq desc limit $5)
       select id, text, at from own
       where not exists (
         select 1 from kikimimi_v1.message other
         where other.conversation = $1 and other.author_id <> $2 and not other.own and other.deleted_at is null
           and other.seq > own.seq and other.seq < (select max(seq) from own))
       order by seq desc`,
      [place, author, id, since, LINES],
    )
    const paused = rows.findIndex(({ at }, line) => line > 0 && (rows[line - 1]?.at.getTime() ?? 0) - at.getTime() > PAUSE)
    return rows.slice(0, paused < 0 ? undefined : paused)
  }

  /** How the messages begin that a request has left out, by the request. */
  const done = new Map<string, readonly string[]>()

  async function carryOut(asking: Asking, means: Means, said: number): Promise<readonly string[]> {
    const { place, channel, author, id } = asking
    const until = (await list.read()).get(`${place}\n${author}`)
    if (means === 'over') {
      if (until) await setPeriod(place, author, now(clock))
      return []
    }
    if (means === 'after') await setPeriod(place, author, new Date(said + AHEAD))
    if (means === 'around' && !isAfter(until)) await setPeriod(place, author, new Date(said + NEAR))
    const earlier =
      means === 'before' ? await before(asking, BACK) : means === 'around' || means === 'near' ? await before(asking, NEAR) : []
    await leaveOut(channel, [id, ...earlier.map(one => one.id)])
    const [oldest] = done.size < KNOWN ? [] : done.keys()
    if (oldest !== undefined) done.delete(oldest)
    const left = earlier.map(({ text }) => beginning(text)).toReversed()
    done.set(keyOf(place, id), left)
    return left
  }

  const isAfter = (until: Date | undefined) => until !== undefined && until.getTime() > clock.now()

  async function heedEdits(): Promise<void> {
    if (!edited) return
    const started = clock.now()
    // Before the query: an edit meanwhile needs another one.
    edited = false
    const { rows } = await db
      .query<Edited>(
        `select m.channel, m.id, m.text,
           json_build_object('workspace', c.workspace, 'channel', c.channel, 'name', c.name, 'visibility', c.visibility) as place
         from kikimimi_v1.message m join kikimimi_v1.conversation c on c.id = m.conversation
         where edited_at > $1 and deleted_at is null and not own and not author_bot and not being_forgotten`,
        [new Date(readUpto - LATE)],
      )
      .catch((error: unknown) => {
        edited = true
        throw error
      })
    for (const { channel, id, text, place } of rows) {
      const order = readOrder(text, ctx.bot.personaIn(place).names)
      if (order?.kind === 'leave-out' && !order.isUnsure && order.means !== 'over') await leaveOut(channel, [id])
    }
    readUpto = started
  }

  return {
    heedEdits,

    async carryOut(conversation, { id, author, replyTo }, means) {
      const key = keyOf(conversation.id, id)
      const asking = { place: conversation.id, channel: channelOf(conversation), author: author.id, id, replyTo }
      const left = done.get(key) ?? (await carryOut(asking, means, clock.now()))
      done.delete(key)
      return left
    },

    async heed(message) {
      await heedEdits()
      const { conversation, author, text, id, replyTo } = message
      if (author.bot) return
      const place = conversationId(conversation)
      const order = readOrder(text, ctx.bot.personaIn(conversation).names)
      // A message that is read from the history of the platform is older.
      const said = Math.min(clock.now(), message.at.getTime())
      const channel = channelOf({ ...conversation, id: place })
      const asking = { place, channel, author: author.id, id, replyTo: replyTo?.id }
      if (order?.kind === 'leave-out' && !order.isUnsure) await carryOut(asking, order.means, said)
      // Who says "remember that …" meanwhile wants it to be remembered.
      else if (order?.kind !== 'remember' && isAfter((await list.read()).get(`${place}\n${author.id}`)))
        await leaveOut(channel, [id])
    },

    async forget({ platform, id }) {
      await list.write(() =>
        db.query(`delete from remember.off_record where person = $2 and starts_with(conversation, $1 || '/')`, [
          encodeURIComponent(platform),
          id,
        ]),
      )
    },
  }
}

function now(clock: Clock): Date {
  return new Date(clock.now())
}

function keyOf(place: string, id: string): string {
  return `${place}\n${id}`
}
