/** Leaves messages out of what is remembered when their author asks for it: before they are recorded, or afterwards. */
import {
  type Clock,
  type Conversation,
  cached,
  channelOf,
  conversationId,
  type IncomingMessage,
  type Message,
  MessageLog,
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

/** Number of messages of a conversation among which those before a request are found. */
const RECENT = 1_000

/** Number of requests whose messages are known until they are answered. */
const KNOWN = 100

/** Number of edited messages that are read at once. */
const MOST = 10_000

/** How long an edit can take to be committed. */
const LATE = 60_000

/** A turn may answer a message after a delay of ten minutes. */
const ANSWERED_BY_THEN = 15 * 60_000

/** Messages that are left out within this time are deleted together. */
const TOGETHER = 10 * 60_000

/** Milliseconds from the start until the first deletion is planned. */
const FIRST = 1_000

export async function createLeavingOut(
  ctx: Pick<PluginContext, 'bot' | 'db' | 'clock' | 'job' | 'log' | 'scope' | 'use' | 'history'>,
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
    readonly conversation: Conversation
    readonly author: string
    readonly id: string
    readonly replyTo: string | undefined
    readonly at: number
  }

  const askingOf = (conversation: Conversation, { id, author, at }: IncomingMessage | Message, replyTo?: string): Asking => ({
    ...{ conversation, author: author.id, id, replyTo },
    // A message that is read from the history of the platform is older.
    at: Math.min(clock.now(), at.getTime()),
  })

  /**
   * The message that the request replies to, or the last ones before it without a word of another person between them, if they are of the
   * same author. The last one first, also those that are left out already.
   */
  async function before({ conversation, author, id, replyTo, at }: Asking, ms: number): Promise<readonly Message[]> {
    const history = await ctx.history(conversation, RECENT)
    if (replyTo !== undefined) {
      const place = { conversations: [conversation.id], messages: [{ channel: channelOf(conversation), id: replyTo }] }
      const [found] = await ctx.use(MessageLog).read({ ...place, readers: 'operator', limit: 1 })
      const replied = found ?? history.find(one => one.id === replyTo)
      // In an answer to the bot, it is what the person said before.
      if (!replied?.own) return replied?.author.id === author ? [replied] : []
    }
    const end = history.findIndex(one => one.id === id)
    const said = history
      .slice(0, end < 0 ? undefined : end)
      .filter(({ own }) => !own)
      .toReversed()
    const last = said.findIndex(one => one.author.id === author)
    const lines = last < 0 ? [] : said.slice(last, last + LINES)
    const pause = (line: number) => (lines[line - 1] ?? lines[0])?.at.getTime() ?? 0
    const other = lines.findIndex(
      (one, line) => one.author.id !== author || at - one.at.getTime() > ms || pause(line) - one.at.getTime() > PAUSE,
    )
    return lines.slice(0, other < 0 ? LINES : other)
  }

  /** How the messages begin that a request has left out, by the request. */
  const done = new Map<string, readonly string[]>()

  async function carryOut(asking: Asking, means: Means): Promise<readonly string[]> {
    const { author, id, at } = asking
    const place = asking.conversation.id
    const until = (await list.read()).get(keyOf(place, author))
    if (means === 'over') {
      if (until) await setPeriod(place, author, now(clock))
      return []
    }
    if (means === 'after') await setPeriod(place, author, new Date(at + AHEAD))
    if (means === 'around' && !isAfter(until)) await setPeriod(place, author, new Date(at + NEAR))
    const earlier =
      means === 'before' ? await before(asking, BACK) : means === 'around' || means === 'near' ? await before(asking, NEAR) : []
    await leaveOut(channelOf(asking.conversation), [id, ...earlier.map(one => one.id)])
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
    const editedSince = new Date(readUpto - LATE)
    const query = { readers: 'operator', people: true, editedSince, limit: MOST } as const
    const found = await ctx
      .use(MessageLog)
      .read(query)
      .catch((error: unknown) => {
        edited = true
        throw error
      })
    for (const { conversation, id, text } of found) {
      const order = readOrder(text, ctx.bot.personaIn(conversation).names)
      if (order?.kind === 'leave-out' && !order.isUnsure && order.means !== 'over') await leaveOut(channelOf(conversation), [id])
    }
    readUpto = started
  }

  return {
    heedEdits,

    async carryOut(conversation, message, means) {
      const key = keyOf(conversation.id, message.id)
      const left = done.get(key) ?? (await carryOut(askingOf(conversation, message, message.replyTo), means))
      done.delete(key)
      return left
    },

    async heed(message) {
      await heedEdits()
      const { author, text, id, replyTo } = message
      if (author.bot) return
      const conversation = { ...message.conversation, id: conversationId(message.conversation) }
      const order = readOrder(text, ctx.bot.personaIn(conversation).names)
      if (order?.kind === 'leave-out' && !order.isUnsure)
        await carryOut(askingOf(conversation, message, replyTo?.id), order.means)
      // Who says "remember that …" meanwhile wants it to be remembered.
      else if (order?.kind !== 'remember' && isAfter((await list.read()).get(keyOf(conversation.id, author.id))))
        await leaveOut(channelOf(conversation), [id])
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
