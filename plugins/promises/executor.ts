/** Carries out orders about reminders, for messages, commands and the tool of the model. */

import { type IsHoliday, isOfDay, movedTo, type Now, type Repeat, type Resolved, resolve, saidIn, toWall } from '@kikimimi/times'
import {
  type Conversation,
  commandName,
  type Database,
  KikimimiError,
  type Locale,
  type MessageSource,
  type Person,
  type PluginContext,
} from 'kikimimi'
import type { Which } from './orders.ts'
import { readTime } from './request.ts'
import { orderOf, type Reminder, type Reminders } from './store.ts'
import type { OrderTo } from './target.ts'
import type { Telling } from './telling.ts'
import { texts } from './texts.ts'
import type { Watch, Watches } from './watches.ts'
import { formatEvery, formatWhen } from './when.ts'

/** Who asks, and where. */
export interface Asked {
  readonly conversation: Conversation
  readonly person: Person
  /** The message that asks. Absent: a command. */
  readonly message?: string
  /** What else the words are made from. Default: nothing. */
  readonly sources?: readonly MessageSource[]
  readonly locale: Locale
  /** Whether the person may change what others asked for. Absent: no. */
  moderates?(): Promise<boolean>
}

/** Reminders in one conversation. */
const MOST = 100
/** Lines of a list. */
const LINES = 20
/** "It" is a reminder that was made or changed within this time. */
const RECENT = 30 * 60_000
const LONGEST_CONTENT = 500

export interface ExecutorDeps {
  readonly ctx: Pick<PluginContext, 'bot' | 'clock'>
  readonly db: Database
  readonly reminders: Reminders
  readonly telling: Telling
  readonly watches: Watches
  readonly isHoliday: IsHoliday | undefined
  zoneIn(conversation: Conversation): string
}

export type Executor = ReturnType<typeof createExecutor>

export function createExecutor({ ctx, db, reminders, telling, watches, isHoliday, zoneIn }: ExecutorDeps) {
  const { clock } = ctx

  function nowIn(conversation: Conversation): Now {
    return { now: clock.now(), zone: zoneIn(conversation), ...(isHoliday && { isHoliday }) }
  }

  /** Stores a reminder and its job. */
  async function add(
    asked: Asked,
    { at, repeat }: Extract<Resolved, { at: number }>,
    content: string,
    kind: Reminder['kind'] = 'reminder',
    target?: Person,
  ): Promise<Reminder> {
    const { conversation, person, message, locale, sources = [] } = asked
    const now = new Date(clock.now())
    return db.transaction(async () => {
      const added = await reminders.add(
        {
          ...{ kind, conversation, author: person.id, authorName: person.name, message, locale, repeat },
          ...(target && target.id !== person.id && { target }),
          ...{ content: content.slice(0, LONGEST_CONTENT), at: new Date(at), zone: zoneIn(conversation) },
        },
        now,
      )
      if (sources.length > 0 && !(await reminders.madeFrom(added.id, sources)))
        throw new KikimimiError('SOURCES_LOST', '[promises] A message that the reminder is made from is gone.')
      await telling.plan(added)
      return added
    })
  }

  async function set(asked: Asked, when: Resolved | undefined, content: string, target?: Person): Promise<string> {
    const { conversation, locale } = asked
    const say = texts(locale)
    if (!when) return say('askTime')
    if ('problem' in when) return say(`problem.${when.problem}`)
    if (content === '') return say('askContent')
    if ((await reminders.count(conversation)) >= MOST) return say('tooMany', { count: MOST })
    return confirmed(await add(asked, when, content, 'reminder', target), locale)
  }

  /** Changes what a reminder says and when. Returns what the bot answers. */
  async function change(
    one: Reminder,
    { at, repeat }: Extract<Resolved, { at: number }>,
    content: string,
    locale: Locale,
    to?: Person,
  ): Promise<string> {
    const [target, targetName] = to && to.id !== one.author ? [to.id, to.name] : [null, null]
    const news = { at: new Date(at), repeat: repeat ?? null, content: content.slice(0, LONGEST_CONTENT), target, targetName }
    await db.transaction(async () => {
      await reminders.madeFrom(one.id, [])
      await reminders.change(one, news, new Date(clock.now()))
      await telling.plan({ id: one.id, at: news.at })
    })
    return confirmed({ ...one, ...news }, locale)
  }

  function confirmed(one: Pick<Reminder, 'id' | 'at' | 'zone' | 'content' | 'repeat' | 'targetName'>, locale: Locale): string {
    const { id, at, zone, repeat, targetName: name } = one
    const say = texts(locale)
    const content = name === null ? one.content : say('for', { content: one.content, name })
    const values = { when: formatWhen(at, zone, locale), zone, content, id: String(id) }
    return repeat ? say('setRepeat', { ...values, every: formatEvery(repeat, say) }) : say('set', values)
  }

  // ---------------------------------------------------------------- the list

  async function list({ conversation, locale }: Asked): Promise<string> {
    const say = texts(locale)
    const lines = [
      ...(await reminders.in(conversation, MOST)).map(one => lineOf(one, locale)),
      ...(await watches.in(conversation)).map(one => watchLine(one, locale)),
    ]
    if (lines.length === 0) return say('none')
    const more = lines.length - LINES
    return [say('list'), ...lines.slice(0, LINES), ...(more > 0 ? [say('more', { count: more })] : [])].join('\n')
  }

  function lineOf(one: Reminder, locale: Locale): string {
    const { id, at, zone, authorName: name, repeat, targetName } = one
    const say = texts(locale)
    const content = targetName === null ? one.content : say('for', { content: one.content, name: targetName })
    const values = { id: String(id), when: formatWhen(at, zone, locale), content, name }
    return repeat ? say('lineRepeat', { ...values, every: formatEvery(repeat, say) }) : say('line', values)
  }

  function watchLine({ id, words, content, authorName: name }: Watch, locale: Locale): string {
    return texts(locale)('lineWatch', { id: String(id), words, content, name })
  }

  // ---------------------------------------------------------------- one of them

  /** The reminders that the words can mean. */
  async function find(conversation: Conversation, which: Which): Promise<readonly Reminder[]> {
    const there = await reminders.in(conversation, MOST)
    if (which.by === 'all') return there
    if (which.by === 'number') return which.isWatch ? [] : there.filter(({ id }) => id === which.number)
    if (which.by === 'last') {
      const since = clock.now() - RECENT
      const recent = there.filter(({ changedAt }) => changedAt.getTime() >= since)
      return recent.toSorted((a, b) => b.changedAt.getTime() - a.changedAt.getTime() || b.id - a.id).slice(0, 1)
    }
    const words = fold(which.words).split(/\s+/).filter(Boolean)
    return words.length === 0 ? [] : there.filter(({ content }) => words.every(word => fold(content).includes(word)))
  }

  async function findWatch(conversation: Conversation, which: Which): Promise<Watch | undefined> {
    if (which.by !== 'number' || !which.isWatch) return undefined
    return (await watches.in(conversation)).find(({ id }) => id === which.number)
  }

  const mayChange = async (
    { person, moderates }: Asked,
    { author, target }: { readonly author: string; readonly target?: string | null },
  ) => [author, target].includes(person.id) || (await moderates?.()) === true

  function refusal({ authorName: name }: { readonly authorName: string }, locale: Locale): string {
    return texts(locale)('notYours', { name, command: commandName(ctx.bot) })
  }

  /** The one reminder, or what to answer instead. */
  async function only(asked: Asked, which: Which): Promise<Reminder | string> {
    const { conversation, locale } = asked
    const say = texts(locale)
    const found = await find(conversation, which)
    const [one] = found
    if (!one) return say('notFound')
    if (found.length > 1) return [say('which'), ...found.slice(0, LINES).map(each => lineOf(each, locale))].join('\n')
    return (await mayChange(asked, one)) ? one : refusal(one, locale)
  }

  async function cancel(asked: Asked, which: Which): Promise<string> {
    const { conversation, locale } = asked
    const say = texts(locale)
    if (which.by === 'all') return cancelAll(asked)
    const watch = await findWatch(conversation, which)
    if (watch) {
      if (!(await mayChange(asked, watch))) return refusal(watch, locale)
      await watches.remove(watch.id)
      return say('cancelled', { content: watch.content })
    }
    const one = await only(asked, which)
    if (typeof one === 'string') return one
    return say((await reminders.remove(one)) ? 'cancelled' : 'notFound', { content: one.content })
  }

  /** Cancels what the person may change there. What others asked for stays, and is named. */
  async function cancelAll(asked: Asked): Promise<string> {
    const { conversation, locale } = asked
    const say = texts(locale)
    const moderates = (await asked.moderates?.()) === true
    const isMine = ({ author, target }: { readonly author: string; readonly target?: string | null }) =>
      moderates || [author, target].includes(asked.person.id)
    const there = await reminders.in(conversation, MOST)
    const watched = await watches.in(conversation)
    const [mine, ofWatches] = [there.filter(isMine), watched.filter(isMine)]
    const removed = await Promise.all(mine.map(one => reminders.remove(one)))
    await watches.removeAll(ofWatches.map(({ id }) => id))
    const count = removed.filter(Boolean).length + ofWatches.length
    const left = there.length + watched.length - mine.length - ofWatches.length
    const ofOthers = left > 0 ? [say('ofOthers', { count: left, command: commandName(ctx.bot) })] : []
    return [count > 0 ? say('cancelledAll', { count }) : say('noneOfYours'), ...ofOthers].join(' ')
  }

  async function move(asked: Asked, which: Which, when: string): Promise<string> {
    const { conversation, locale } = asked
    const say = texts(locale)
    const one = await only(asked, which)
    if (typeof one === 'string') return one
    const moved = movedWhen(one, when, nowIn(conversation))
    if (!moved) return say('askTime')
    if ('problem' in moved) return say(`problem.${moved.problem}`)
    const at = new Date(moved.at)
    const repeat = moved.repeat ?? null
    const isMoved = await db.transaction(async () => {
      if (!(await reminders.move(one, at, repeat, new Date(clock.now())))) return false
      await telling.plan({ id: one.id, at })
      return true
    })
    if (!isMoved) return say('notFound')
    const { id, zone, content } = one
    return say('moved', { when: formatWhen(at, zone, locale), zone, content, id: String(id) })
  }

  /** What a list of the reminders and watches there is made from. */
  async function sourcesIn(conversation: Conversation): Promise<readonly MessageSource[]> {
    const watched = await watches.in(conversation)
    return [...(await reminders.sources(await reminders.in(conversation, MOST))), ...watched.flatMap(orderOf)]
  }

  return {
    add,
    set,
    sourcesIn,
    change,
    find,
    findWatch,
    nowIn,

    /** What the bot answers. */
    async execute(order: OrderTo, asked: Asked): Promise<string> {
      switch (order.kind) {
        case 'set':
          return set(asked, order.when, order.content, order.target)
        case 'list':
          return list(asked)
        case 'cancel':
          return cancel(asked, order.which)
        case 'move':
          return move(asked, order.which, order.when)
        case 'watch': {
          const { words, content } = order
          const { person, message = null } = asked
          if ((await watches.in(asked.conversation)).length >= MOST) return texts(asked.locale)('tooMany', { count: MOST })
          const one = { author: person.id, authorName: person.name, message, words, content: content.slice(0, LONGEST_CONTENT) }
          const id = await watches.add(one, asked.conversation)
          return texts(asked.locale)('watch', { words, content: one.content, id: String(id) })
        }
      }
    },
  }
}

/**
 * A time without a day is on the day of the reminder; of one that repeats it is the new time of each. A day moves the next time only.
 */
function movedWhen({ at, repeat, zone }: Reminder, when: string, now: Now): Resolved | undefined {
  const said = saidIn(when)
  if (!said) return undefined
  if (isOfDay(said)) {
    const moved = readTime(when, { ...now, zone })
    return moved && 'at' in moved && !moved.repeat && repeat ? { at: moved.at, repeat } : moved
  }
  const day = new Date(toWall(at.getTime(), zone))
  const date = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, date: day.getUTCDate() }
  const moved = resolve({ ...said, ...date }, { ...now, zone })
  if ('problem' in moved) return moved
  const repeats: Repeat | undefined = repeat ? movedTo(repeat, moved.at, zone) : undefined
  return { at: moved.at, ...(repeats && { repeat: repeats }) }
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
