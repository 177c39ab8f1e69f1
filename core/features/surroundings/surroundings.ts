/**
 * What people see around a conversation and working memory does not hold: the root of a thread, the messages that others answer,
 * and what was said before. It comes from working memory, the database, events, and for a turn that addresses the bot from the
 * platform. What the platform gives is used in the turn and recorded only when the bot is told to.
 */
import { sanitizeConversation, sanitizeMessage } from '../../api/checks/sanitize.ts'
import {
  type Conversation,
  channelOf,
  type IncomingMessage,
  type Message,
  type Platform,
  type Surroundings,
  type Turn,
} from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { Clock } from '../../base/clock.ts'
import { redactError } from '../../base/redact-error.ts'
import type { TraceDraft } from '../../kernel/pipeline/trace.ts'
import type { CurrentSettings } from '../../kernel/turns/turn-settings.ts'
import { inOrder } from '../../storage/store/next-batch.ts'
import type { Store } from '../../storage/store/store.ts'
import { toMessage } from '../../storage/store/to-message.ts'
import { type Change, createCache, type Earlier, type Found } from './cache.ts'
import { wantsEarlier } from './language.ts'
import { type Asking, createRequests } from './requests.ts'

/** A conversation with fewer known messages is read further back. */
const ENOUGH = 10
/** Largest number of messages from before working memory. */
const MOST = 50
/** Largest number of messages of one answer of a platform that are looked at. */
const LOOKED_AT = 500
/** Largest number of links of a chain of replies. */
const LINKS = 3
/** The number of messages at the end of working memory whose targets are shown too. */
const LATEST = 10
/** Largest number of requests for the targets of one turn. */
const TARGETS = 5

export interface SurroundingsOptions {
  readonly store: Pick<Store, 'find' | 'known' | 'history' | 'forgetting'>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly settings: CurrentSettings
  readonly clock: Clock
  readonly keepsHistory: () => boolean
}

export interface SurroundingsReader {
  /** Never rejects. Nothing when nothing was needed. */
  surround(turn: Turn, trace: TraceDraft): Awaitable<Surroundings | undefined>
  /** Takes note of what an arriving message carries of the message that it answers. */
  note(message: IncomingMessage): void
  /** See {@link Change}. */
  changed(channel: string, message: string, to: Change): void
  /** Drops everything that is held in memory. */
  clear(): void
  /** Records what was read for a turn that is over. Does nothing unless the bot keeps what it reads. */
  recordRead(turn: Turn, record: (platform: Platform, message: IncomingMessage) => Promise<boolean>): Promise<void>
}

/** What is done for one turn. */
interface Reading {
  readonly turn: Turn
  readonly asking: Asking
  readonly problems: Set<string>
  /** What the platform gave for it, oldest first. */
  fresh: readonly IncomingMessage[]
}

type Seen = Message | 'deleted' | 'unreadable'

export function createSurroundings(options: SurroundingsOptions): SurroundingsReader {
  const { store, platforms, settings, clock, keepsHistory } = options
  const cache = createCache(clock)
  const requests = createRequests(clock)
  const read = new WeakMap<Surroundings, Reading>()

  /** Whether people see something around the turn that working memory does not hold. Mostly they do not. */
  function isNeeded({ conversation, history, messages, added, message, addressed }: Turn): boolean {
    const hasRoot = conversation.thread !== undefined && conversation.details?.root !== undefined
    const isReply = ({ replyTo }: Message) => replyTo !== undefined
    if (hasRoot || messages.some(isReply) || added.some(isReply) || history.slice(-LATEST).some(isReply)) return true
    return addressed !== undefined && (history.length < ENOUGH || !!cache.earlier(conversation) || wantsEarlier(message.text))
  }

  async function surround(turn: Turn, trace: TraceDraft): Promise<Surroundings | undefined> {
    const platform = platforms.get(turn.conversation.platform)
    if (!platform) return undefined
    const texts = turn.history.map(({ text }) => text)
    const asking = requests.begin({ platform, signal: turn.signal, texts })
    const reading: Reading = { turn, asking, problems: new Set(), fresh: [] }
    let root: Seen | undefined
    let quoted: readonly Message[] = []
    let earlier: readonly Message[] = []
    try {
      root = await rootOf(reading)
      const own = typeof root === 'object' ? [root] : []
      quoted = await quotedOf(reading, own)
      earlier = await earlierOf(reading, [...own, ...quoted])
    } catch (error) {
      reading.problems.add(redactError(error, texts))
    }
    // The answer goes when one of them is deleted or edited, as with a message of working memory.
    const messages = [...(typeof root === 'object' ? [root] : []), ...quoted, ...earlier].map(({ id }) => id)
    if (messages.length > 0) turn.sources.push({ channel: channelOf(turn.conversation), messages })
    const problem = [...reading.problems].join('; ')
    const isNothing = root === undefined && quoted.length === 0 && earlier.length === 0 && problem === ''
    if (isNothing && asking.requests === 0) return undefined
    const told = problem === '' ? {} : { problem }
    trace.surroundings = { earlier: earlier.length, quoted: quoted.length, requests: asking.requests, ...told }
    const surroundings = { ...(root !== undefined && { root }), quoted, earlier, ...told }
    read.set(surroundings, reading)
    return surroundings
  }

  // -------------------------------------------------------------- the root of the thread

  async function rootOf(reading: Reading): Promise<Seen | undefined> {
    const { conversation } = reading.turn
    const id = conversation.thread === undefined ? undefined : conversation.details?.root
    if (id === undefined) return undefined
    return (await look(reading, [id], 'root', 1)).get(id) ?? 'unreadable'
  }

  // -------------------------------------------------------------- what others answer

  async function quotedOf(reading: Reading, roots: readonly Message[]): Promise<readonly Message[]> {
    const { messages, added, history } = reading.turn
    const shown = new Map([...roots, ...history, ...messages, ...added].map(message => [message.id, message]))
    const quoted = new Map<string, Message>()
    // The latest first: it has the first claim on requests.
    let from: readonly Message[] = [...history.slice(-LATEST), ...messages, ...added].toReversed()
    const followed = new Set<string>()
    let left = TARGETS
    for (let link = 0; link < LINKS && from.length > 0; link++) {
      const ids = [...new Set(from.flatMap(({ replyTo }) => replyTo ?? []))].filter(id => !followed.has(id))
      for (const id of ids) followed.add(id)
      const missing = ids.filter(id => !shown.has(id))
      const before = reading.asking.requests
      const found = missing.length > 0 ? await look(reading, missing, 'quoted', left) : new Map<string, Seen>()
      left -= reading.asking.requests - before
      for (const [id, one] of found) if (typeof one === 'object') quoted.set(id, one)
      from = ids.flatMap(id => shown.get(id) ?? quoted.get(id) ?? [])
    }
    return [...quoted.values()].sort(byTime)
  }

  /** Messages of the channel by their ids. Absent in the result: not known, and not asked for. */
  async function look(reading: Reading, ids: readonly string[], what: string, most: number): Promise<ReadonlyMap<string, Seen>> {
    const { turn, asking, problems } = reading
    const { conversation } = turn
    const inHistory = [...turn.history, ...turn.messages].filter(({ id }) => ids.includes(id))
    const found = new Map<string, Seen>(inHistory.map(message => [message.id, message]))
    const unknown = ids.filter(id => !found.has(id))
    if (unknown.length === 0) return found
    for (const message of await store.find(conversation, unknown)) found.set(message.id, message)
    for (const id of await store.known(conversation, unknown)) if (!found.has(id)) found.set(id, 'deleted')
    const last = asking.requests + most
    for (const id of unknown.filter(id => !found.has(id))) {
      const cached = cache.message(conversation, id)
      const mayAsk = turn.addressed && asking.platform.message && asking.requests < last
      const one = cached ?? (mayAsk ? await request(reading, id, what) : undefined)
      if (cached === 'unreadable') problems.add(`${what}: the platform did not give it`)
      if (one === undefined) continue
      found.set(id, typeof one === 'string' ? one : ((await screened(reading, [one], 'pointed at'))[0] ?? 'unreadable'))
    }
    return found
  }

  async function request({ turn, asking, problems }: Reading, id: string, what: string): Promise<Found> {
    const { conversation } = turn
    return cache.reading(async keep => {
      const told = await requests.make(asking, async signal => asking.platform.message?.(conversation, id, signal))
      if (!told.isAnswered) {
        problems.add(`${what}: ${told.problem}`)
        return told.wasMade ? keep.message(conversation, id, 'unreadable') : 'unreadable'
      }
      if (told.value === undefined) return keep.message(conversation, id, 'deleted')
      const [message] = await notForgotten(asking.platform, taken([told.value], conversation))
      if (message?.id === id) return keep.message(conversation, id, message)
      problems.add(`${what}: the platform gave another message`)
      return keep.message(conversation, id, 'unreadable')
    })
  }

  // -------------------------------------------------------------- what was said before

  async function earlierOf(reading: Reading, shown: readonly Message[]): Promise<readonly Message[]> {
    const { turn } = reading
    const { conversation, history, messages, message } = turn
    if (!turn.addressed) return []
    const wanted = wantsEarlier(message.text)
    const cached = cache.earlier(conversation)
    if (!wanted && !cached && (history.length >= ENOUGH || !reading.asking.platform.history)) return []
    const known = new Set([...history, ...messages, ...shown].map(({ id }) => id))
    const oldest = history[0] ?? message
    const recorded = inOrder(await store.history(conversation.id, MOST + history.length), one => one)
    const stored = recorded.slice(
      0,
      Math.max(
        0,
        recorded.findIndex(({ id }) => id === oldest.id),
      ),
    )
    if (!wanted && !cached && history.length + stored.length >= ENOUGH) return []
    const first = stored[0] ?? oldest
    const told = cached ?? (stored.length < MOST ? await requestEarlier(reading, first) : undefined)
    // Working memory ends where it is told to end, unless the call wants more or the bot came late.
    if (!wanted && !told) return []
    if (told?.problem !== undefined) reading.problems.add(told.problem)
    const before = (told?.messages ?? []).filter(({ id, at }) => !known.has(id) && at <= first.at)
    const read = await screened(reading, before, 'among others')
    if (told && !cached) reading.fresh = before.filter(({ id }) => read.some(one => one.id === id))
    return [...read, ...stored.filter(({ id, leftOut }) => !known.has(id) && !leftOut)].slice(-MOST)
  }

  async function requestEarlier({ turn, asking }: Reading, oldest: Message): Promise<Earlier | undefined> {
    const { conversation } = turn
    if (!asking.platform.history) return undefined
    return cache.reading(async keep => {
      const range = { before: oldest.id, limit: MOST }
      const told = await requests.make(asking, async signal => asking.platform.history?.(conversation, range, signal))
      if (!told.isAnswered) {
        const failed = { messages: [], problem: `history: ${told.problem}` }
        return told.wasMade ? keep.earlier(conversation, failed) : failed
      }
      const given: unknown = told.value
      if (!Array.isArray(given)) return keep.earlier(conversation, { messages: [], problem: 'history: no list of messages' })
      const there = taken(given.slice(-LOOKED_AT), conversation).filter(one => whereOf(one) === conversation.id)
      const once = [...new Map(there.map(one => [one.id, one])).values()].filter(({ at }) => at <= oldest.at)
      const messages = (await notForgotten(asking.platform, once)).sort(byTime).slice(-MOST)
      return keep.earlier(conversation, { messages })
    })
  }

  // -------------------------------------------------------------- what may be shown

  /** The valid messages among those that a platform gave. What they carry of other messages is noted. */
  function taken(given: readonly unknown[], conversation: Conversation): IncomingMessage[] {
    return given.flatMap(one => {
      try {
        const message = sanitizeMessage(one as IncomingMessage)
        return channelOf(sanitizeConversation(message.conversation)) === channelOf(conversation) ? [alone(message)] : []
      } catch {
        return []
      }
    })
  }

  /** The message without the messages that it carries: they are noted by their own ids, so that a deletion finds them. */
  function alone(message: IncomingMessage): IncomingMessage {
    const { replyTo, ...rest } = message
    if (!replyTo?.message) return message
    const { message: target, ...reference } = replyTo
    const conversation = sanitizeConversation(message.conversation)
    if (target.id === replyTo.id && channelOf(sanitizeConversation(target.conversation)) === channelOf(conversation)) {
      cache.note(conversation, alone(target))
    }
    return { ...rest, replyTo: reference }
  }

  /**
   * What may be shown of messages that the bot did not record: nothing of people who are left out or being forgotten, and nothing
   * that was recorded and then deleted. A bot that a person points at is heard: what it says cannot start a conversation of bots.
   */
  async function screened(
    { turn, asking }: Reading,
    given: readonly IncomingMessage[],
    how: 'pointed at' | 'among others',
  ): Promise<Message[]> {
    if (given.length === 0) return []
    const { conversation, me } = turn
    const { ignores } = settings.current.turns
    const ids = given.map(({ id }) => id)
    const [known, heard] = await Promise.all([store.known(conversation, ids), notForgotten(asking.platform, given)])
    const shown = heard.map(async message => {
      const isOwn = message.author.id === me.id
      const { bot: _, ...author } = message.author
      const unwanted =
        known.has(message.id) ||
        !isVisibleFrom(conversation, message) ||
        ignores(how === 'pointed at' || isOwn ? { ...message, author } : message, conversation) !== undefined ||
        (!isOwn && (await isFiltered(message, turn.signal)))
      return unwanted ? [] : [toMessage(message, { own: isOwn })]
    })
    const allowed = (await Promise.all(shown)).flat()
    // A filter may have found that its author asked not to remember it.
    const leftOut = await store.known(
      conversation,
      allowed.map(({ id }) => id),
    )
    return allowed.filter(({ id }) => !leftOut.has(id))
  }

  /** Whether it would not have been recorded then, or would not be now: its author may have opted out since. */
  async function isFiltered(message: IncomingMessage, signal: AbortSignal): Promise<boolean> {
    const { pipeline } = settings.current.turns
    const now = { ...message, at: new Date(clock.now()) }
    return ((await pipeline.filter(message, signal)) ?? (await pipeline.filter(now, signal))) !== undefined
  }

  async function notForgotten({ name }: Platform, messages: readonly IncomingMessage[]): Promise<IncomingMessage[]> {
    if (messages.length === 0) return []
    const asked = await store.forgetting.asked()
    const leaving = new Set(asked.flatMap(({ platform, id }) => (platform === name ? [id] : [])))
    return messages.filter(({ author }) => !leaving.has(author.id))
  }

  return {
    surround: (turn, trace) => (isNeeded(turn) ? surround(turn, trace) : undefined),

    note(message) {
      if (message.replyTo?.message) alone(message)
    },

    changed: cache.change,
    clear: cache.clear,

    async recordRead({ surroundings }, record) {
      const reading = surroundings && read.get(surroundings)
      if (!reading || !keepsHistory()) return
      for (const message of reading.fresh) await record(reading.asking.platform, message)
    },
  }
}

function whereOf({ conversation }: IncomingMessage): string {
  return sanitizeConversation(conversation).id
}

/** Whether the people of a conversation can read a message of its channel: it is said there, or in the channel itself. */
function isVisibleFrom({ thread }: Conversation, { conversation }: IncomingMessage): boolean {
  return conversation.thread === undefined || conversation.thread === thread
}

function byTime(one: { readonly at: Date }, other: { readonly at: Date }): number {
  return one.at.getTime() - other.at.getTime()
}
