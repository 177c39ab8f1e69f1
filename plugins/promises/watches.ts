/** "When somebody mentions …, tell them …": words that the bot watches for in a channel. */
import {
  type Cached,
  type Conversation,
  cached,
  channelOf,
  KikimimiError,
  languageOf,
  type Message,
  type NameMatcher,
  nameMatcher,
  type PluginContext,
} from 'kikimimi'
import { orderOf, placeText } from './store.ts'
import { texts } from './texts.ts'

export interface Watch {
  readonly id: number
  readonly conversation: string
  readonly channel: string
  readonly place: Conversation
  readonly author: string
  readonly authorName: string
  readonly message: string | null
  readonly words: string
  readonly content: string
}

interface Listening extends Watch {
  readonly matcher: NameMatcher
}

/** The bot tells one watch at most once in this time. */
const REST = 60_000

/** Limit of watches in memory. */
const WATCHES = 10_000

const COLUMNS = 'id, conversation, channel, place, author, author_name as "authorName", message, words, content'

export type Watches = Awaited<ReturnType<typeof createWatches>>

class Told extends Error {}

export async function createWatches(ctx: Pick<PluginContext, 'bot' | 'db' | 'clock' | 'scope' | 'send' | 'log'>) {
  const { db, clock } = ctx
  /** By channel, because each recorded message asks. */
  const known: Cached<ReadonlyMap<string, readonly Listening[]>> = await cached(ctx, 'promises.watch', async () => {
    const { rows } = await db.query<Watch>(`select ${COLUMNS} from promises.watch order by id limit $1`, [WATCHES])
    const listening = rows.map(row => ({ ...row, matcher: nameMatcher([fold(row.words)]) }))
    return Map.groupBy(listening, ({ channel }) => channel)
  })
  /** When this process last told each watch, so that a lively topic costs no statements. */
  const told = new Map<number, number>()

  async function seenIn({ id, thread }: Conversation, channel: string): Promise<readonly Listening[]> {
    const there = (await known.read()).get(channel) ?? []
    return there.filter(({ conversation }) => conversation === id || (thread !== undefined && conversation === channel))
  }

  async function tell(watch: Watch, { id, author, text }: Message, conversation: Conversation): Promise<void> {
    const say = texts(languageOf([{ text: watch.content, own: false }], languageOf([{ text, own: false }], ctx.bot.locale)))
    const now = new Date(clock.now())
    const also = async () => {
      const { rowCount: rested } = await db.query(
        'update promises.watch set told_at = $2 where id = $1 and (told_at is null or told_at <= $3)',
        [watch.id, now, new Date(now.getTime() - REST)],
      )
      const { rowCount: isNew } = await db.query(
        'insert into promises.watch_told (watch, person) select id, $2 from promises.watch where id = $1 on conflict do nothing',
        [watch.id, author.id],
      )
      // Both or none: the person is told later.
      if (rested === 0 || isNew === 0) throw new Told()
    }
    try {
      const line = say('watchTell', { name: author.name, content: watch.content, author: watch.authorName })
      // Those who could read the watch when it was made.
      const { readers: _, ...where } = conversation
      const { visibility, readers } = watch.place
      const sources = [...orderOf(watch), { channel: watch.channel, messages: [id] }]
      await ctx.send({ ...where, visibility, ...(readers && { readers }) }, { kind: 'text', text: line }, { sources, also })
      told.set(watch.id, now.getTime())
    } catch (error) {
      if (error instanceof Told) return
      if (!(error instanceof KikimimiError)) throw error
      ctx.log.info(`did not tell what somebody watches for: ${error.code}`, { watch: watch.id, conversation: conversation.id })
    }
  }

  return {
    /** Those that people see in a conversation. */
    async in(conversation: Conversation): Promise<readonly Watch[]> {
      return seenIn(conversation, channelOf(conversation))
    },

    add: (one: Omit<Watch, 'id' | 'conversation' | 'channel' | 'place'>, conversation: Conversation): Promise<number> =>
      known.write(async () => {
        const { rows } = await db.query<{ id: number }>(
          `insert into promises.watch as w (conversation, channel, place, author, author_name, message, words, content, made_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           on conflict (channel, message) where message is not null do update set content = excluded.content, words = excluded.words
           returning id`,
          [
            ...[conversation.id, channelOf(conversation), placeText(conversation), one.author, one.authorName, one.message],
            ...[one.words, one.content, new Date(clock.now())],
          ],
        )
        return rows[0]?.id ?? 0
      }),

    remove: (id: number): Promise<void> =>
      known.write(async () => void (await db.query('delete from promises.watch where id = $1', [id]))),

    removeAll: (ids: readonly number[]): Promise<void> =>
      known.write(async () => void (await db.query('delete from promises.watch where id = any($1)', [ids]))),

    /** A person has said something. */
    async heard(message: Message, conversation: Conversation): Promise<void> {
      const { own, author, missed, leftOut, text } = message
      if (own || author.bot || missed || leftOut) return
      const listening = await seenIn(conversation, channelOf(conversation))
      if (listening.length === 0) return
      const said = fold(text)
      const now = clock.now()
      for (const watch of listening) {
        if (watch.author === author.id || watch.message === message.id || !watch.matcher.test(said)) continue
        if (now - (told.get(watch.id) ?? Number.NEGATIVE_INFINITY) >= REST) await tell(watch, message, conversation)
      }
      if (told.size > WATCHES) told.clear()
    },
  }
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
