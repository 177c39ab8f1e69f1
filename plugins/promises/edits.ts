/** Follows changes of the messages that asked for a reminder or a watch: no old words are told. */
import { isDeepStrictEqual } from 'node:util'
import type { Now } from '@kikimimi/times'
import { type Conversation, channelOf, type Database, type Locale, MessageLog, type Person, type PluginContext } from 'kikimimi'
import type { Executor } from './executor.ts'
import type { Questions } from './questions.ts'
import { type Order, readNoteOrder, readOrder } from './reading/orders.ts'
import { COLUMNS, OPEN, type Reminder, type Reminders } from './store.ts'
import type { Telling } from './telling.ts'
import { texts } from './texts.ts'
import type { Watch, Watches } from './watches.ts'

export interface EditDeps {
  readonly ctx: Pick<PluginContext, 'bot' | 'clock' | 'job' | 'log' | 'scope' | 'send' | 'use'>
  readonly db: Database
  readonly executor: Executor
  readonly questions: Questions
  readonly reminders: Reminders
  readonly telling: Telling
  readonly watches: Watches
  localeOf(text: string): Locale
}

interface Edited {
  readonly channel: string
  readonly message: string
  readonly text: string
  readonly isCall: boolean
  readonly mentions: readonly Person[]
  readonly at: Date
  /** The name of the account of the bot, as far as it has written there. */
  readonly account: string | undefined
}

interface Dropped {
  readonly name: string
  readonly place: Conversation
  readonly author: string
  readonly authorName: string
  readonly locale: Locale | null
}

/** What one message asked for. */
interface Asked {
  readonly place: Conversation
  readonly person: Person
  readonly reminders: readonly Reminder[]
  readonly watch: Watch | undefined
}

/** Milliseconds from the start until edits are followed that no process has followed. */
const FIRST = 1_000

export async function createEdits({
  ctx,
  db,
  executor,
  questions,
  reminders,
  telling,
  watches,
  localeOf,
}: EditDeps): Promise<void> {
  const job = ctx.job<null>('edits', async () => {
    // One that fails is tried again, and holds up no other.
    const ended = await Promise.allSettled([...(await unfollowed(db, ctx.use(MessageLog))).map(follow), tellDropped()])
    const failed = ended.find(one => one.status === 'rejected')
    if (failed) throw failed.reason
  })
  const plan = () =>
    void job
      .schedule(null, { key: 'edits' })
      .catch((error: unknown) => ctx.log.warn('could not plan to follow the edit of a reminder', { error }))
  ctx.scope.defer(await db.listen('promises.edited', plan))
  const { rowCount } = await db.query('select 1 from promises.edited union all select 1 from promises.dropped limit 1')
  if (rowCount > 0) ctx.scope.adopt(ctx.clock.setTimeout(plan, FIRST), timer => ctx.clock.clearTimeout(timer))

  async function follow(edited: Edited): Promise<void> {
    await reminders.forgetTold(edited.channel, edited.message)
    const asked = await askedBy(db, edited)
    if (!asked) return done(edited)
    const { place } = asked
    const locale = localeOf(edited.text)
    const names = [...ctx.bot.personaIn(place).names, ...(edited.account ? [edited.account] : [])]
    const known = asked.reminders.flatMap(({ target: id, targetName: name }) =>
      id !== null && name !== null ? [{ id, name }] : [],
    )
    const people = [...edited.mentions, ...known].filter(({ id, name }) => id !== asked.person.id && !names.includes(name))
    // Words that did not change mean the time that they meant.
    const readAt = (now: Now) => {
      const read = edited.isCall
        ? (readOrder(edited.text, names, people, now) ?? readNoteOrder(edited.text, names, now))
        : undefined
      return read?.kind === 'both' ? read.set : read
    }
    const said = readAt({ ...executor.nowIn(place), now: edited.at.getTime() })
    const isRepeated = said?.kind === 'set' && said.wanted.some(({ when }) => when && 'repeat' in when)
    const order = withTimes(isRepeated ? readAt(executor.nowIn(place)) : said, asked)
    if (order && isUnchanged(order, asked)) {
      // A job that came meanwhile has told nothing.
      for (const one of asked.reminders) await telling.plan(one)
      return done(edited)
    }
    const answer = await db.transaction(async () => {
      const text = await changed(asked, order, edited.message, locale)
      await done(edited)
      return text
    })
    await ctx
      .send(
        place,
        { kind: 'text', text: answer, replyTo: edited.message },
        { sources: [{ channel: edited.channel, messages: [edited.message] }] },
      )
      .catch((error: unknown) => ctx.log.info('could not say what the edit of a reminder changed', { error }))
  }

  /** Tells owners that what they asked for is dropped, once for all of it in a place. Its words are gone. */
  async function tellDropped(): Promise<void> {
    const { rows } = await db.query<Dropped>(
      'delete from promises.dropped returning name, place, author, author_name as "authorName", locale',
    )
    for (const all of Map.groupBy(rows, ({ place, author }) => `${place.id}\n${author}`).values()) {
      const [{ place, authorName: name, locale: own }] = all as [Dropped]
      const locale = own ?? ctx.bot.locale
      const numbers = all.map(one => one.name).toSorted(new Intl.Collator('en', { numeric: true }).compare)
      const ids = new Intl.ListFormat(locale).format(numbers)
      await ctx
        .send(place, { kind: 'text', text: texts(locale)('dropped', { count: all.length, name, ids }) }, { sources: 'none' })
        .catch((error: unknown) => ctx.log.info('could not say that a reminder is dropped', { error }))
    }
  }

  /** Does what the edited message asks for instead. Returns what to say: no words that the person took away. */
  async function changed(asked: Asked, order: Order | undefined, message: string, locale: Locale): Promise<string> {
    const { place, person } = asked
    const say = texts(locale)
    const [one, ...others] = asked.reminders
    const [wanted, ...more] = order?.kind === 'set' && order.isSure && !order.isUnknown ? order.wanted : []
    const [target, ...otherTargets] = (order?.kind === 'set' ? order.targets : undefined) ?? []
    if (
      one &&
      order?.kind === 'set' &&
      wanted &&
      more.length === 0 &&
      otherTargets.length === 0 &&
      wanted.content !== '' &&
      wanted.when &&
      'at' in wanted.when
    ) {
      for (const other of others) await reminders.drop(other.id)
      if (wanted.when.at > ctx.clock.now()) return executor.change(one, wanted.when, wanted.content, locale, target)
      await reminders.drop(one.id)
      return say('problem.past')
    }
    for (const reminder of asked.reminders) await reminders.drop(reminder.id)
    if (asked.watch && order?.kind !== 'watch') await watches.remove(asked.watch.id)
    if (order?.kind !== 'set' && order?.kind !== 'watch') return say('noLongerAsked')
    const { text, asks } = await executor.execute(order, { conversation: place, person, message, locale })
    if (asks) await questions.ask(place, person.id, message)
    return text
  }

  const done = async ({ channel, message }: Edited) =>
    void (await db.query('delete from promises.edited where channel = $1 and message = $2', [channel, message]))
}

/** A message without a time keeps the ones that the person gave when the bot asked for them. What the person has agreed to is sure. */
function withTimes(order: Order | undefined, { reminders }: Asked): Order | undefined {
  if (order?.kind !== 'set') return order
  const [only] = order.wanted
  if (order.wanted.length !== 1 || !only || only.when) return isSame(order, reminders) ? { ...order, isSure: true } : order
  const times = reminders.map(({ at, repeat }) => ({ at: at.getTime(), ...(repeat && { repeat }) }))
  return { ...order, isSure: true, wanted: times.map(when => ({ ...only, when })) }
}

/** Whether the edited message asks for the same, at the same time. */
function isUnchanged(order: Order, { reminders, watch }: Asked): boolean {
  if (order.kind === 'watch') return watch?.words === order.words && watch.content === order.content
  return order.kind === 'set' && isSame(order, reminders)
}

function isSame({ wanted, targets = [undefined] }: Extract<Order, { kind: 'set' }>, reminders: readonly Reminder[]): boolean {
  const all = wanted.flatMap(one => (one.targets ?? targets).map(target => ({ ...one, target })))
  return (
    all.length === reminders.length &&
    all.every(({ when, content, target }, index) => {
      const one = reminders[index]
      if (!one || !when || !('at' in when)) return false
      const { at, repeat = null } = when
      // "Every 30 minutes" counts from now.
      const isSameTime = at === one.at.getTime() || repeat?.unit === 'minute' || repeat?.unit === 'hour'
      return isSameTime && content === one.content && (target?.id ?? null) === one.target && isDeepStrictEqual(repeat, one.repeat)
    })
  )
}

async function unfollowed(db: Database, log: MessageLog): Promise<readonly Edited[]> {
  const { rows } = await db.query<{ channel: string; id: string }>('select channel, message as id from promises.edited')
  if (rows.length === 0) return []
  const found = await log.read({ readers: 'operator', messages: rows, limit: rows.length })
  const messages = new Map(found.map(one => [`${channelOf(one.conversation)} ${one.id}`, one]))
  return Promise.all(
    rows.map(async ({ channel, id }): Promise<Edited> => {
      const message = messages.get(`${channel} ${id}`)
      // What must not be remembered asks for nothing.
      if (!message) return { channel, message: id, text: '', isCall: false, mentions: [], at: new Date(0), account: undefined }
      const { conversation, text, addressed, mentions, at } = message
      const [own] = await log.read({ readers: 'operator', conversations: [conversation.id], own: true, limit: 1 })
      return { channel, message: id, text, isCall: addressed !== undefined, mentions, at, account: own?.author.name }
    }),
  )
}

async function askedBy(db: Database, { channel, message }: Edited): Promise<Asked | undefined> {
  const of = [channel, message]
  const { rows: reminders } = await db.query<Reminder>(
    `select ${COLUMNS} from promises.reminder where channel = $1 and message = $2 and ${OPEN} order by id`,
    of,
  )
  const { rows: found } = await db.query<Watch>(
    `select id, place, author, author_name as "authorName", words, content from promises.watch where channel = $1 and message = $2`,
    of,
  )
  const [watch] = found
  const one = reminders[0] ?? watch
  return one && { place: one.place, person: { id: one.author, name: one.authorName }, reminders, watch }
}
