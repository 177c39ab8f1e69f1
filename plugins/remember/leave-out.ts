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
import { readOffRecord } from './off-record.ts'
import { readOrder } from './orders.ts'

export interface LeavingOut {
  /** Call it before the message is recorded: no reader of the log finds the message unmarked, nor one that was edited before. */
  heed(message: IncomingMessage): Promise<void>
  /** Leaves out the messages that an edit made into such a request. Call it before a turn reads what is remembered. */
  heedEdits(): Promise<void>
  /** Leaves out what the author of the message says next in the conversation, for ten minutes. */
  next(conversation: Conversation, message: Message): Promise<void>
  forget(person: PersonKey): Promise<void>
}

/** How long "off the record for a moment" holds, and how far "don't remember this" reaches. */
const AHEAD = 10 * 60_000
const NEAR = 2 * 60_000
const BACK = 30 * 60_000

/** How long an edit can take to be committed. */
const LATE = 60_000

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

  /** The message that the request replies to, or the last one before it, if it is of the same author. */
  async function before({ conversation, author, replyTo, id }: IncomingMessage, ms: number): Promise<readonly string[]> {
    const where = conversationId(conversation)
    const since = new Date(clock.now() - ms)
    const { rows } = await (replyTo
      ? db.query<{ id: string }>(
          `select id from kikimimi_v1.message
           where channel = $1 and id = $2 and conversation = $3 and author_id = $4 and id <> $5 and deleted_at is null`,
          [channelOf({ ...conversation, id: where }), replyTo.id, where, author.id, id],
        )
      : db.query<{ id: string }>(
          // A missed message was said before it was received.
          `select id from kikimimi_v1.message
           where conversation = $1 and author_id = $2 and id <> $3 and deleted_at is null and received_at >= $4 and at > $4::timestamptz - interval '8 days'
           order by seq desc limit 1`,
          [where, author.id, id, since],
        ))
    return rows.map(one => one.id)
  }

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
      const means = readOffRecord(text, ctx.bot.personaIn(place).names)
      if (means !== undefined && means !== 'over') await leaveOut(channel, [id])
    }
    readUpto = started
  }

  return {
    heedEdits,

    next: ({ id }, { author }) => setPeriod(id, author.id, new Date(clock.now() + AHEAD)),

    async heed(message) {
      await heedEdits()
      const { conversation, author, text, id } = message
      if (author.bot) return
      const place = conversationId(conversation)
      const { names } = ctx.bot.personaIn(conversation)
      const means = readOffRecord(text, names)
      const until = (await list.read()).get(`${place}\n${author.id}`)
      if (means === 'over') {
        if (until) await setPeriod(place, author.id, now(clock))
        return
      }
      // A message that is read from the history of the platform is older.
      const said = Math.min(clock.now(), message.at.getTime())
      if (means === 'after') await setPeriod(place, author.id, new Date(said + AHEAD))
      // Who says "remember that …" meanwhile wants it to be remembered.
      const isOff = until !== undefined && until.getTime() > clock.now() && readOrder(text, names)?.kind !== 'remember'
      if (means === 'around' && !isOff) await setPeriod(place, author.id, new Date(said + NEAR))
      const earlier = means === 'before' ? await before(message, BACK) : means === 'around' ? await before(message, NEAR) : []
      if (means !== undefined || isOff) await leaveOut(channelOf({ ...conversation, id: place }), [id, ...earlier])
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
