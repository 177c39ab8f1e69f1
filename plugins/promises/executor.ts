/** Carries out orders about reminders, for messages, commands and the tool of the model. */

import type { IsHoliday, Now, Resolved } from '@kikimimi/times'
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
import { type Chosen, choose } from './choose.ts'
import { movedWhen } from './moved.ts'
import type { OneChange, Which } from './reading/changes.ts'
import type { Order } from './reading/orders.ts'
import type { Request } from './reading/request.ts'
import { orderOf, type Reminder, type Reminders } from './store.ts'
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
/** "Again" means one that was told within this time. */
const RECENT = 60 * 60_000
const LONGEST_CONTENT = 500

/** What the bot answers. */
export interface Answer {
  readonly text: string
  /** The bot has asked, and the next words of the person can answer it. */
  readonly asks?: boolean
}

/** The time of a reminder that is set. */
type When = Extract<Resolved, { at: number }>

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
    { at, repeat, zone = zoneIn(asked.conversation) }: When,
    content: string,
    { kind = 'reminder', target, part = 0 }: { kind?: Reminder['kind']; target?: Person | undefined; part?: number } = {},
  ): Promise<Reminder> {
    const { conversation, person, message, locale, sources = [] } = asked
    const now = new Date(clock.now())
    return db.transaction(async () => {
      const added = await reminders.add(
        {
          ...{ kind, conversation, author: person.id, authorName: person.name, message, locale, repeat },
          ...(target && target.id !== person.id && { target }),
          ...{ content: content.slice(0, LONGEST_CONTENT), at: new Date(at), zone, part },
        },
        now,
      )
      if (sources.length > 0 && !(await reminders.madeFrom(added.id, sources)))
        throw new KikimimiError('SOURCES_LOST', '[promises] A message that the reminder is made from is gone.')
      await telling.plan(added)
      return added
    })
  }

  /** @param isAgreed the person has said yes to what the bot would set */
  async function set(
    asked: Asked,
    { wanted, isSure, isEither, isUnknown, targets = [undefined] }: Request,
    isAgreed = false,
  ): Promise<Answer> {
    const { conversation, locale, person } = asked
    const say = texts(locale)
    if (isUnknown) return { text: say('whom') }
    const ready: { readonly when: When; readonly content: string; readonly own?: Request['targets'] }[] = []
    for (const { when, content, targets: own } of wanted) {
      if (!when) return { text: say('askTime'), asks: content !== '' }
      if ('problem' in when) return { text: say(`problem.${when.problem}`), asks: content !== '' }
      if (content === '') return { text: say('askContent'), asks: true }
      ready.push({ when, content, ...(own && { own }) })
    }
    const everybody = ready.flatMap(({ own = targets }) => own)
    for (const target of everybody)
      if (target && target.id !== person.id && (await reminders.refuses({ platform: conversation.platform, id: target.id })))
        return { text: say('refused', { name: target.name }) }
    if (!isSure && !isAgreed) {
      const zone = zoneIn(conversation)
      const items = ready.map(({ when, content, own = [] }) => {
        const name = listOf(
          own.flatMap(one => one?.name ?? []),
          locale,
        )
        return itemOf(when, name === '' ? content : say('for', { content, name }), when.zone ?? zone, locale)
      })
      const text = isEither
        ? say('meanEither', { what: listOf(items, locale, 'disjunction') })
        : say('mean', { what: listOf(items, locale) })
      return { text, asks: true }
    }
    if ((await reminders.count(conversation)) + everybody.length > MOST) return { text: say('tooMany', { count: MOST }) }
    const lines: string[] = []
    for (const { when, content, own = targets } of ready)
      for (const target of own) lines.push(confirmed(await add(asked, when, content, { target, part: lines.length }), locale))
    return { text: lines.join('\n') }
  }

  function itemOf({ at, repeat }: Pick<When, 'at' | 'repeat'>, content: string, zone: string, locale: Locale): string {
    const say = texts(locale)
    const values = { when: formatWhen(at, zone, locale), zone, content }
    return repeat ? say('itemRepeat', { ...values, every: formatEvery(repeat, locale) }) : say('item', values)
  }

  const listOf = (items: readonly string[], locale: Locale, type: 'conjunction' | 'disjunction' = 'conjunction') =>
    new Intl.ListFormat(locale, { type }).format(items)

  /** Changes what a reminder says and when. Returns what the bot answers. */
  async function change(one: Reminder, { at, repeat }: When, content: string, locale: Locale, to?: Person): Promise<string> {
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
    return repeat ? say('setRepeat', { ...values, every: formatEvery(repeat, locale) }) : say('set', values)
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
    return repeat ? say('lineRepeat', { ...values, every: formatEvery(repeat, locale) }) : say('line', values)
  }

  function watchLine({ id, words, content, authorName: name }: Watch, locale: Locale): string {
    return texts(locale)('lineWatch', { id: String(id), words, content, name })
  }

  // ---------------------------------------------------------------- one of them

  /** The reminders that the words name, of those that are there. */
  async function find(conversation: Conversation, which: Which): Promise<Chosen> {
    return choose(await reminders.in(conversation, MOST), which, nowIn(conversation))
  }

  /** Whether an order that does not say "reminder" is one: it names something that is there. */
  async function isAbout(conversation: Conversation, { which, isOne, isGuess }: OneChange): Promise<boolean> {
    const { reminders: found, isSure, isKnown } = await find(conversation, which)
    if (isGuess) return found.length === 1
    if (isOne && (await reminders.count(conversation)) > 0) return true
    if (which.by === 'words' && which.names.length > 0) return (isSure || isKnown === true) && found.length > 0
    return found.length > 0 || (which.by === 'numbers' && (await watchesOf(conversation, which)).length > 0)
  }

  async function watchesOf(conversation: Conversation, which: Which): Promise<readonly Watch[]> {
    if (which.by === 'words') return which.all === 'all' && which.names.length === 0 && !which.at ? watches.in(conversation) : []
    if (which.by !== 'numbers') return []
    return (await watches.in(conversation)).filter(({ id }) => which.watches.includes(id))
  }

  const mayChange = async (
    { person, moderates }: Asked,
    { author, target }: { readonly author: string; readonly target?: string | null },
  ) => [author, target].includes(person.id) || (await moderates?.()) === true

  function refusal({ authorName: name }: { readonly authorName: string }, locale: Locale): string {
    return texts(locale)('notYours', { name, command: commandName(ctx.bot) })
  }

  /** Asks which one, of those that the words can mean, or of all. */
  async function askWhich({ conversation, locale }: Asked, found: readonly Reminder[]): Promise<Answer> {
    const say = texts(locale)
    const some = found.length > 0 ? found : await reminders.in(conversation, MOST)
    if (some.length === 0) return { text: say('none') }
    const head = found.length > 0 ? say('which') : `${say('notFound')} ${say('which')}`
    return { text: [head, ...some.slice(0, LINES).map(each => lineOf(each, locale))].join('\n'), asks: true }
  }

  /** Cancels what the person may change. What others asked for stays, and is named. */
  async function cancel(asked: Asked, order: Extract<OneChange, { kind: 'cancel' }>, isAgreed: boolean): Promise<Answer> {
    const { which } = order
    const { conversation, locale } = asked
    const say = texts(locale)
    const { reminders: found, isSure: isExact } = await find(conversation, which)
    const watched = await watchesOf(conversation, which)
    const all = [...found, ...watched]
    const isAll = which.by === 'words' && which.all !== undefined
    // "Cancel everything" can mean something else.
    const isSure = isExact && (order.isNamed || order.isOne || !isAll || which.names.length > 0)
    if (all.length === 0 && isAll && which.names.length === 0) return { text: say('noneOfYours') }
    if (all.length === 0 || (!isSure && !isAgreed && found.length > 1 && !isAll)) return askWhich(asked, found)
    const may = await Promise.all(all.map(one => mayChange(asked, one)))
    const [first] = all
    if (!may.includes(true) && first && !isAll) return { text: refusal(first, locale) }
    const mine = found.filter((_, index) => may[index])
    const ofWatches = watched.filter((_, index) => may[found.length + index])
    if (!isSure && !isAgreed && may.includes(true)) {
      const what = listOf(
        [...mine, ...ofWatches].map(({ content }) => `“${content}”`),
        locale,
      )
      return { text: say('meanCancel', { what }), asks: true }
    }
    const removed = await Promise.all(mine.map(one => reminders.remove(one)))
    await watches.removeAll(ofWatches.map(({ id }) => id))
    const gone = [...mine.filter((_, index) => removed[index]), ...ofWatches]
    const left = may.filter(one => !one).length
    const ofOthers = left > 0 ? [say('ofOthers', { count: left, command: commandName(ctx.bot) })] : []
    if (gone.length === 0) return { text: [say('noneOfYours'), ...ofOthers].join(' ') }
    const text = isAll
      ? say('cancelledAll', { count: gone.length })
      : say('cancelled', {
          content: listOf(
            gone.map(({ content }) => content),
            locale,
          ),
        })
    return { text: [text, ...ofOthers].join(' ') }
  }

  async function move(asked: Asked, { which, to }: Extract<OneChange, { kind: 'move' }>, isAgreed: boolean): Promise<Answer> {
    const { conversation, locale, person } = asked
    const say = texts(locale)
    const since = new Date(clock.now() - RECENT)
    const told = which.by === 'last' ? await reminders.lastTold(conversation, person.id, since) : undefined
    const { reminders: found, isSure } = await find(conversation, which)
    const [last] = found
    const isAgain = told && (!last || (told.toldAt?.getTime() ?? 0) > last.changedAt.getTime())
    const one = isAgain ? told : last
    if (!one || (found.length > 1 && !isAgain)) return askWhich(asked, found)
    if (!(await mayChange(asked, one))) return { text: refusal(one, locale) }
    if (!to) return { text: say('askTime'), asks: true }
    const moved = isAgain && 'laterMs' in to ? { at: clock.now() + to.laterMs } : movedWhen(one, to, nowIn(conversation))
    if ('problem' in moved) return { text: say(`problem.${moved.problem}`), asks: true }
    const { id, content, zone } = one
    const values = { when: formatWhen(moved.at, zone, locale), zone, content, id: String(id) }
    if ((!isSure || 'isUnsure' in to) && !isAgreed) return { text: say('meanMove', values), asks: true }
    // One that repeats goes on; this is once more.
    if (isAgain && one.repeat) {
      const target = one.target === null || one.targetName === null ? undefined : { id: one.target, name: one.targetName }
      return { text: confirmed(await add(asked, { at: moved.at }, content, { target }), locale) }
    }
    const at = new Date(moved.at)
    const isMoved = await db.transaction(async () => {
      if (!(await reminders.move(one, at, moved.repeat ?? null, { now: new Date(clock.now()) }))) return false
      await telling.plan({ id, at })
      return true
    })
    return { text: say(isMoved ? 'moved' : 'notFound', values) }
  }

  const changeOne = (asked: Asked, order: OneChange, isAgreed: boolean) =>
    order.kind === 'cancel' ? cancel(asked, order, isAgreed) : move(asked, order, isAgreed)

  /** What a list of the reminders and watches there is made from. */
  async function sourcesIn(conversation: Conversation): Promise<readonly MessageSource[]> {
    const watched = await watches.in(conversation)
    return [...(await reminders.sources(await reminders.in(conversation, MOST))), ...watched.flatMap(orderOf)]
  }

  return {
    add,
    sourcesIn,
    change,
    isAbout,
    nowIn,

    /** @param isAgreed the person has said yes to what the bot asked */
    async execute(order: Order, asked: Asked, isAgreed = false): Promise<Answer> {
      switch (order.kind) {
        case 'set':
          return set(asked, order, isAgreed)
        case 'list':
          return { text: await list(asked) }
        case 'cancel':
        case 'move':
          return changeOne(asked, order, isAgreed)
        case 'both': {
          const { change, set: request } = order
          if (!change || !request) return { text: texts(asked.locale)('oneByOne') }
          const first = await changeOne(asked, change, isAgreed)
          if (first.asks) return first
          return { text: `${first.text}\n${(await set(asked, request)).text}` }
        }
        case 'watch': {
          const { words, content } = order
          const { person, message = null } = asked
          if ((await watches.in(asked.conversation)).length >= MOST)
            return { text: texts(asked.locale)('tooMany', { count: MOST }) }
          const one = { author: person.id, authorName: person.name, message, words, content: content.slice(0, LONGEST_CONTENT) }
          const id = await watches.add(one, asked.conversation)
          return { text: texts(asked.locale)('watch', { words, content: one.content, id: String(id) }) }
        }
        case 'refuse': {
          const { conversation, person, locale } = asked
          await reminders.refuse({ platform: conversation.platform, id: person.id }, order.refuses)
          return { text: texts(locale)(order.refuses ? 'refuses' : 'accepts') }
        }
      }
    },
  }
}
