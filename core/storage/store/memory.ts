import { type Conversation, channelOf, type Message, type MessageSource, type Trace } from '../../api/index.ts'
import { RecentMap } from '../../base/recent-map.ts'
import { createMemoryForgetting } from './erasure-memory.ts'
import { nextBatch } from './next-batch.ts'
import { changed } from './reactions.ts'
import { refuseLost, refuseNewReaders, sameReaders } from './readers.ts'
import { answerOf } from './rows.ts'
import type { Claimed, Delivery, Entry, Mark, Revision, Store, TurnState, Unfinished } from './store.ts'
import { createMemoryTurns } from './turns-memory.ts'

/** The largest number of messages of a conversation, of conversations, and of traces. Older ones are dropped. */
const MESSAGES = 200
const CONVERSATIONS = 10_000
const TRACES = 1_000

const NEVER = new Date(0)

/**
 * `answeredBy`: the turn whose answer covers it. `isRecalled`: see {@link Store.readdress}. `isSaid`: a person said it while the bot was
 * there, and `isCall` that it addresses the bot: a turn looks at hundreds of entries, and each message would have to be read for it.
 */
interface KeptEntry extends Entry {
  readonly isSaid: boolean
  readonly isCall: boolean
  readonly answeredBy?: string
  readonly revise?: Revision
  readonly isRecalled?: boolean
  readonly editedAt?: Date
  /** Of the bot's own message that is no reply: the turn that posted it. */
  readonly turn?: string
}

interface Kept {
  conversation: Conversation
  entries: KeptEntry[]
  processed: number
  /** An entry may be recalled. False for nearly every conversation, whose processed messages need no look then. */
  mayBeRecalled: boolean
  lastReplyAt?: Date
  calledAt?: Date
  unreadAfter?: string
}

/** An id of a channel. A message that was deleted before it came is never recorded. */
interface Known {
  readonly own: boolean
  readonly isRecorded: boolean
  readonly isRemoved?: true
}

/** `isLost`: a source was lost while the platform took it. */
type KeptDelivery = Unfinished & { readonly conversation: string; readonly isLost?: true }

type Range = Extract<MessageSource, { readonly first: number }>

/** The kernel's store in memory, bounded. It is gone with the process. */
export function createMemoryStore(): Store {
  // Least recently used first.
  const conversations = new RecentMap<Kept>(CONVERSATIONS)
  const channels = new RecentMap<Map<string, Known>>(CONVERSATIONS)
  const deliveries = new Map<string, KeptDelivery>()
  /** What messages that are no replies are made from, by their turn. */
  const sources = new RecentMap<readonly Range[]>(TRACES)
  const unreadSince = new RecentMap<{ readonly platform: string; readonly since: Date }>(CONVERSATIONS)
  let traces: Trace[] = []
  /** The latest sent texts. */
  let sent: (Delivery & { readonly conversation: string; readonly message: string })[] = []
  let seq = 0

  /** @param own the bot itself says it: only platforms know who reads a conversation now */
  function keep(conversation: Conversation, own = false): Kept {
    const kept = conversations.get(conversation.id) ?? { conversation, entries: [], processed: 0, mayBeRecalled: false }
    const { details = kept.conversation.details } = conversation
    if (!own) kept.conversation = { ...conversation, ...(details && { details }) }
    conversations.set(conversation.id, kept)
    return kept
  }

  function idsOf(conversation: Conversation): Map<string, Known> {
    const channel = channelOf(conversation)
    const ids = channels.get(channel) ?? new RecentMap<Known>(MESSAGES)
    channels.set(channel, ids)
    return ids
  }

  /** Returns whether the message was unknown. It will not be recorded from now on. */
  function take(conversation: Conversation, id: string, known: Known): boolean {
    const ids = idsOf(conversation)
    if (ids.has(id)) return false
    ids.set(id, known)
    return true
  }

  function inChannel(conversation: Conversation): Kept[] {
    const channel = channelOf(conversation)
    return [...conversations.values()].filter(kept => channelOf(kept.conversation) === channel)
  }

  /** @param keeps the bot replaces its own message: what was made of it stays */
  function update(conversation: Conversation, id: string, to: (message: Message) => Message | undefined, keeps = false): void {
    const changed: [string, number][] = []
    for (const kept of inChannel(conversation)) {
      kept.entries = kept.entries.flatMap(entry => {
        if (entry.message.id !== id) return [entry]
        const message = to(entry.message)
        if (!message?.text.includes(entry.message.text) && !keeps) changed.push([kept.conversation.id, entry.seq])
        return message ? [{ ...entry, message, isCall: message.addressed !== undefined }] : []
      })
    }
    for (const one of changed) lose(...one)
  }

  function rangesOf(source: MessageSource): Range[] {
    if ('conversation' in source) return [source]
    return [...conversations.values()].flatMap(({ conversation, entries }) =>
      channelOf(conversation) === source.channel
        ? entries.flatMap(({ seq, message }) =>
            source.messages.includes(message.id) ? [{ conversation: conversation.id, first: seq, last: seq }] : [],
          )
        : [],
    )
  }

  const isIn = (id: string, seq: number) => (one: Range) => one.conversation === id && one.first <= seq && seq <= one.last

  /** Whether one of the sources is removed, of a person who is being forgotten, or edited since. */
  async function isLost(given: readonly MessageSource[], ranges: readonly Range[], at: Date): Promise<boolean> {
    const removed = given.some(
      one => 'channel' in one && one.messages.some(id => channels.get(one.channel)?.get(id)?.isRemoved === true),
    )
    if (removed) return true
    const asked = await forgetting.asked()
    return [...conversations.values()].some(({ conversation: { id, platform }, entries }) =>
      entries.some(
        ({ seq, editedAt, receivedAt, message: { author } }) =>
          ranges.some(isIn(id, seq)) &&
          ((editedAt && editedAt > at) ||
            asked.some(one => one.platform === platform && one.id === author.id && receivedAt <= one.before)),
      ),
    )
  }

  /** Nothing stays of what was made from a message. */
  function lose(conversation: string, seq: number): void {
    const turns = new Set([...sources].flatMap(([turn, ranges]) => (ranges.some(isIn(conversation, seq)) ? [turn] : [])))
    if (turns.size === 0) return
    for (const turn of turns) sources.delete(turn)
    for (const [nonce, one] of deliveries) {
      if (turns.has(one.turn) && one.state === 'pending') deliveries.delete(nonce)
      else if (turns.has(one.turn)) deliveries.set(nonce, { ...one, isLost: true })
    }
    for (const kept of conversations.values()) {
      const lost = kept.entries.filter(({ turn }) => turn !== undefined && turns.has(turn))
      if (lost.length > 0) kept.entries = kept.entries.filter(one => !lost.includes(one))
      for (const one of lost) lose(kept.conversation.id, one.seq)
    }
  }

  function write(conversation: string, news: readonly Delivery[], at: Date): void {
    for (const one of news) deliveries.set(one.nonce, { ...one, state: one.isDraft ? 'writing' : 'pending', at, conversation })
  }

  /** Nothing when the message is known. */
  function record(conversation: Conversation, message: Message, receivedAt: Date): Kept | undefined {
    if (!take(conversation, message.id, { own: message.own, isRecorded: true })) return undefined
    const kept = keep(conversation, message.own)
    const [isSaid, isCall] = [!message.own && !message.missed, message.addressed !== undefined]
    kept.entries.push({ seq: ++seq, receivedAt, message, isSaid, isCall })
    // Removes many at once: a shift for every message would move the whole array each time.
    if (kept.entries.length >= 2 * MESSAGES) kept.entries = kept.entries.slice(-MESSAGES)
    return kept
  }

  function load(id: string, { size, since }: { readonly size: number; readonly since: Date }): TurnState | undefined {
    const kept = conversations.get(id)
    if (!kept) return undefined
    const { entries: all, processed } = kept
    const from = since.getTime()
    const window = Math.max(0, all.length - size)
    const entries: KeptEntry[] = []
    const unseen: KeptEntry[] = []
    let first: KeptEntry | undefined
    for (let at = kept.mayBeRecalled ? 0 : Math.min(window, firstAfter(all, processed)); at < all.length; at++) {
      const one = all[at] as KeptEntry
      const isUnseen = isWaiting(one, processed)
      if (isUnseen) first ??= one
      const isShown = isUnseen ? at >= window || one.isCall : at >= window && (one.seq > processed || isSince(one, from))
      if (isShown) entries.push(one)
      if (isShown && isUnseen) unseen.push(one)
    }
    const next = nextBatch(unseen, entries, processed)
    const { revise: how, answeredBy: turn } = (next.batch.at(-1) ?? {}) as Partial<KeptEntry>
    return {
      conversation: kept.conversation,
      ...(how && turn !== undefined && { revises: { how, turn } }),
      ...(kept.lastReplyAt && { lastReplyAt: kept.lastReplyAt }),
      ...(first && { waitingSince: first.receivedAt }),
      ...next,
      unfinished: deliveries.size > 0 && [...deliveries.values()].some(({ conversation }) => conversation === id),
    }
  }

  function markProcessed(id: string, lastSeq: number): boolean {
    const kept = conversations.get(id)
    if (!kept) return false
    const recalled = recalledIn(kept).filter(({ seq }) => seq <= lastSeq)
    if (kept.processed >= lastSeq && recalled.length === 0) return false
    kept.processed = Math.max(kept.processed, lastSeq)
    replace(kept, recalled, one => ({ ...withoutRevision(one), isRecalled: false }))
    return true
  }

  const recalledIn = ({ mayBeRecalled, entries }: Kept) => (mayBeRecalled ? entries.filter(one => one.isRecalled) : [])

  /** Replaces some entries in place: a conversation can hold hundreds. */
  function replace(kept: Kept, these: readonly (KeptEntry | undefined)[], to: (entry: KeptEntry) => KeptEntry): void {
    for (const one of these) {
      const at = one ? kept.entries.lastIndexOf(one) : -1
      if (one && at >= 0) kept.entries[at] = to(one)
    }
    kept.mayBeRecalled = kept.mayBeRecalled && kept.entries.some(one => one.isRecalled)
  }

  const turns = createMemoryTurns(load)

  const forgetting = createMemoryForgetting({
    deliveries,
    conversations: () => conversations.values(),
    lose,
    traces: () => traces,
    keepTraces: kept => {
      traces = [...kept]
    },
  })

  return {
    forgetting,
    turns,

    async record(conversation, message, receivedAt, also) {
      if (!record(conversation, message, receivedAt)) return false
      await also?.()
      return true
    },

    async receive(conversation, message, receivedAt, wait) {
      const kept = record(conversation, message, receivedAt)
      if (!kept) return undefined
      const { lastReplyAt = NEVER, calledAt = NEVER } = kept
      if (wait.urgent) kept.calledAt = wait.due
      return { dueAt: turns.wait(conversation.id, wait, lastReplyAt > calledAt ? lastReplyAt : calledAt) }
    },

    async edit(conversation, id, edit, at) {
      const { text, mentions, attachments, parts } = edit
      const changed = { text, ...(mentions && { mentions }), ...(attachments && { attachments }), ...(parts && { parts }) }
      update(conversation, id, message => (message.own && message.text !== text ? message : { ...message, ...changed }))
      for (const { entries, processed } of inChannel(conversation)) {
        const index = entries.findIndex(({ message }) => message.id === id)
        const entry = entries[index]
        if (entry) entries[index] = { ...entry, editedAt: at }
        if (entry && !entry.message.own) return { message: entry.message, waits: entry.seq > processed }
      }
      return undefined
    },

    async rewrite(conversation, id, text) {
      update(conversation, id, message => (message.own ? { ...message, text } : message), true)
    },

    async readdress(conversation, id, addressed, refused) {
      for (const kept of inChannel(conversation)) {
        kept.entries = kept.entries.map(entry => {
          if (entry.message.id !== id) return entry
          const { addressed: before, refused: _, ...rest } = entry.message
          const isRecalled = addressed !== undefined && !before && entry.answeredBy === undefined && entry.seq <= kept.processed
          const now = { ...(addressed && { addressed }), ...(refused !== undefined && { refused }) }
          kept.mayBeRecalled ||= isRecalled
          return { ...entry, message: { ...rest, ...now }, isCall: addressed !== undefined, isRecalled }
        })
      }
    },

    async describe(conversation) {
      if (conversations.has(conversation.id)) keep(conversation)
    },

    async find(conversation, ids) {
      const found = inChannel(conversation).flatMap(({ entries }) => entries.filter(({ message }) => ids.includes(message.id)))
      return found.sort((a, b) => a.seq - b.seq).map(({ message }) => message)
    },

    async known(conversation, ids) {
      const known = idsOf(conversation)
      return new Set(ids.filter(id => known.get(id)?.isRecorded))
    },

    async remove(conversation, id) {
      const known = idsOf(conversation).get(id) ?? { own: false, isRecorded: false }
      idsOf(conversation).set(id, { ...known, isRemoved: true })
      update(conversation, id, () => undefined)
    },

    async retract(conversation, id) {
      take(conversation, id, { own: false, isRecorded: false })
      update(conversation, id, message => (message.own ? undefined : message), true)
    },

    async react(conversation, id, change) {
      update(conversation, id, message => {
        const { reactions: before, ...rest } = message
        const reactions = changed(before ?? [], change)
        return reactions.length > 0 ? { ...rest, reactions } : rest
      })
    },

    async isOwn(conversation, id) {
      return idsOf(conversation).get(id)?.own === true
    },

    async history(id, size) {
      return (conversations.get(id)?.entries ?? []).slice(-size).map(({ message }) => message)
    },

    async heard(platform, limit) {
      return [...conversations.values()]
        .filter(({ conversation }) => conversation.platform === platform)
        .flatMap(({ conversation, entries, unreadAfter }) => {
          const last = entries.findLast(({ message }) => !message.own) ?? entries.at(-1)
          return last ? [{ conversation, last, unreadAfter }] : []
        })
        .sort((a, b) => b.last.seq - a.last.seq)
        .slice(0, limit)
        .map(({ conversation, last: { message, receivedAt }, unreadAfter = message.id }) => ({
          conversation,
          last: unreadAfter,
          receivedAt,
        }))
    },

    async beginReading(marks) {
      for (const { conversation, last } of marks) {
        const kept = conversations.get(conversation.id)
        if (kept) kept.unreadAfter = last
      }
    },

    async endReading({ id }) {
      delete conversations.get(id)?.unreadAfter
    },

    async markUnread(gaps) {
      for (const { conversation, at } of gaps) {
        const kept = conversations.get(conversation)
        const last = kept?.entries.findLast(({ message }) => !message.own && message.at < at)
        if (kept && last) kept.unreadAfter ??= last.message.id
      }
      return new Set(gaps.flatMap(({ conversation: id }) => (conversations.get(id)?.unreadAfter === undefined ? [] : id)))
    },

    async beginReadingSince(platform, gaps) {
      for (const { conversation, at } of gaps) {
        const since = unreadSince.get(conversation)?.since
        if (since === undefined || at < since) unreadSince.set(conversation, { platform, since: at })
      }
    },

    async endReadingSince({ id }) {
      unreadSince.delete(id)
    },

    async readingSince(platform) {
      return new Map([...unreadSince].flatMap(([id, { platform: one, since }]) => (one === platform ? [[id, since]] : [])))
    },

    async unread(platform, limit, after) {
      return [...conversations.values()]
        .filter(
          ({ conversation: { platform: one, id }, unreadAfter }) => one === platform && unreadAfter !== undefined && id > after,
        )
        .sort(({ conversation: a }, { conversation: b }) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ conversation, unreadAfter: last = '' }) => ({ conversation, last, receivedAt: new Date(0) }))
    },

    loadTurn: async (id, size, since) => load(id, { size, since }),

    async since(id, lastSeq) {
      const entries = conversations.get(id)?.entries ?? []
      const news = entries.filter(({ seq, message, answeredBy }) => seq > lastSeq && !message.own && answeredBy === undefined)
      return news.slice(0, 50).map(({ message }) => message)
    },

    async overtaken(marks) {
      const isOvertaken = ({ conversation, lastSeq }: Mark) =>
        conversations
          .get(conversation)
          ?.entries.some(
            ({ seq, message, answeredBy }) => seq > lastSeq && !message.own && !message.missed && answeredBy === undefined,
          )
      return new Set(marks.filter(isOvertaken).map(({ conversation }) => conversation))
    },

    markProcessed: async (id, lastSeq) => markProcessed(id, lastSeq),

    async claim({ conversation, turn, lastSeq, unlessNewer, covers, deliveries: news, at }): Promise<Claimed> {
      const kept = conversations.get(conversation.id)
      const covered = covers.map(({ id }) => kept?.entries.findLast(({ message }) => message.id === id))
      const [trigger] = covered
      if (!kept || (kept.processed >= lastSeq && !trigger?.isRecalled)) return 'taken'
      if (!trigger) return 'deleted'
      if (covered.some((entry, index) => entry?.message.text !== covers[index]?.text)) return 'edited'
      if (!sameReaders(conversation, kept.conversation)) return 'readers'
      const isNewer = (one: KeptEntry) =>
        one.seq > lastSeq &&
        !one.message.own &&
        one.answeredBy === undefined &&
        !covered.includes(one) &&
        (unlessNewer === 'anyone' || one.message.author.id === trigger.message.author.id)
      if (unlessNewer && kept.entries.some(isNewer)) return 'newer'
      kept.processed = Math.max(kept.processed, lastSeq)
      replace(kept, covered, one => ({ ...withoutRevision(one), answeredBy: turn, isRecalled: false }))
      write(conversation.id, news, at)
      return 'mine'
    },

    async enqueue(conversation, news, at, given, also) {
      refuseNewReaders(conversation, keep(conversation, true).conversation)
      const ranges = given.flatMap(rangesOf)
      if (await isLost(given, ranges, at)) refuseLost()
      if (ranges.length > 0) sources.set(news[0].turn, ranges)
      write(conversation.id, news, at)
      await also()
    },

    async spoke(conversation, at) {
      keep(conversation, true).lastReplyAt = at
    },

    async sending(nonce, from, at) {
      const delivery = deliveries.get(nonce)
      if (delivery?.state !== from || delivery.isLost) return false
      const { retryAt: _, ...rest } = delivery
      deliveries.set(nonce, { ...rest, state: 'sending', at, begun: delivery.begun ?? at })
      return true
    },

    async writing(nonce, message, at) {
      const delivery = deliveries.get(nonce)
      if (delivery?.state !== 'writing' && delivery?.state !== 'sending') return false
      deliveries.set(nonce, { ...delivery, ...(message !== undefined && { message }), at, begun: delivery.begun ?? at })
      return true
    },

    async complete(first, rest, at) {
      const delivery = deliveries.get(first.nonce)
      if (delivery?.state !== 'writing') return false
      deliveries.set(first.nonce, { ...delivery, ...first, at })
      write(delivery.conversation, rest, at)
      return true
    },

    async withdraw(nonce, at) {
      const { retryAt: _, ...delivery } = deliveries.get(nonce) ?? {}
      if ('nonce' in delivery) deliveries.set(nonce, { ...delivery, state: 'unwanted', body: '', at })
    },

    async renew(nonce, to, at) {
      const { message: _, begun: __, retryAt: ___, isDraft: ____, ...delivery } = deliveries.get(nonce) ?? {}
      const all = [...deliveries]
      deliveries.clear()
      for (const [key, one] of all) {
        if (key === nonce && 'nonce' in delivery) deliveries.set(to, { ...delivery, nonce: to, state: 'pending', at })
        deliveries.set(key, key === nonce ? { ...one, turn: nonce, state: 'unwanted', body: '', at } : one)
      }
    },

    async reopen(conversation, turn, revise) {
      let isFound = false
      for (const kept of inChannel(conversation)) {
        kept.entries = kept.entries.map(entry => {
          if (entry.answeredBy !== turn) return entry
          isFound = true
          const { answeredBy, revise: _, ...rest } = entry
          const isRecalled = entry.message.addressed !== undefined
          kept.mayBeRecalled ||= isRecalled
          return { ...rest, isRecalled, ...(revise && { answeredBy }), ...(revise && isRecalled && { revise }) }
        })
      }
      return isFound
    },

    async answer(conversation, by) {
      const channel = channelOf(conversation)
      const here = sent.filter(one => one.conversation === channel || one.conversation.startsWith(`${channel}/`))
      const turn = 'turn' in by ? by.turn : here.findLast(({ message }) => message === by.message)?.turn
      const entries = inChannel(conversation).flatMap(kept =>
        kept.entries.map(({ message }) => ({ message, thread: kept.conversation.thread ?? null })),
      )
      const rows = here
        .filter(one => one.turn === turn)
        .flatMap(one => {
          const said = entries.find(({ message }) => message.id === one.message)
          const asker = entries.find(({ message }) => message.id === one.answers)?.message.author.id ?? null
          return said ? [{ ...one, thread: said.thread, text: said.message.text, asker }] : []
        })
      return answerOf(rows)
    },

    async sent(nonce, message, at) {
      const delivery = deliveries.get(nonce)
      const kept = conversations.get(delivery?.conversation ?? '')
      if (kept) kept.lastReplyAt = at
      deliveries.delete(nonce)
      if (delivery?.kind !== 'text') return
      for (const one of kept ? inChannel(kept.conversation) : []) {
        const index = one.entries.findIndex(({ message: { id, own } }) => own && id === message)
        const entry = one.entries[index]
        if (entry && delivery.isLost) one.entries.splice(index, 1)
        else if (entry && sources.get(delivery.turn)) one.entries[index] = { ...entry, turn: delivery.turn }
      }
      if (delivery.isLost) return
      sent.push({ ...delivery, message })
      if (sent.length >= 2 * TRACES) sent = sent.slice(-TRACES)
    },

    async goOnIn(turn, thread) {
      for (const [nonce, one] of deliveries)
        if (one.turn === turn && (one.state === 'writing' || one.state === 'pending')) deliveries.set(nonce, { ...one, thread })
    },

    async giveUp(nonce) {
      deliveries.delete(nonce)
    },

    async postpone(nonce, state, retryAt) {
      const delivery = deliveries.get(nonce)
      if (delivery) deliveries.set(nonce, { ...delivery, state, retryAt })
    },

    async ended(_conversation, turn, { outcome, sent, why = '' }) {
      traces = traces.map(trace => {
        if (trace.turn !== turn || trace.outcome !== 'delayed') return trace
        const { why: _, ...rest } = trace
        return { ...rest, outcome, sent: [...trace.sent, ...sent], ...(why !== '' && { why }) }
      })
      return traces.some(trace => trace.turn === turn)
    },

    async unfinished(id) {
      return [...deliveries.values()].filter(({ conversation, isLost }) => conversation === id && !isLost)
    },

    async keepTrace({ screen: _, sources: __, prompts: ___, ...trace }, processed) {
      if (processed !== undefined) markProcessed(trace.conversation, processed)
      traces.push(trace)
      if (traces.length >= 2 * TRACES) traces = traces.slice(-TRACES)
    },

    async traces(limit, id) {
      return traces
        .filter(trace => id === undefined || trace.conversation === id)
        .slice(-limit)
        .reverse()
    },

    sweepPrompts: async () => undefined,

    async sweep(messagesBefore, tracesBefore) {
      for (const kept of conversations.values()) {
        kept.entries = kept.entries.filter(({ receivedAt }) => receivedAt >= messagesBefore)
      }
      traces = traces.filter(({ at }) => at >= tracesBefore)
    },
  }
}

/** Whether a message waits for a turn. */
function isWaiting({ seq, isSaid, answeredBy, isRecalled }: KeptEntry, processed: number): boolean {
  return isRecalled || (isSaid && seq > processed && answeredBy === undefined)
}

const isSince = ({ receivedAt }: Entry, from: number) => receivedAt.getTime() >= from

/** The place of the first entry after `seq`. Entries are in the order of recording. */
function firstAfter(entries: readonly Entry[], seq: number): number {
  let at = entries.length
  while (at > 0 && (entries[at - 1]?.seq ?? 0) > seq) at--
  return at
}

function withoutRevision({ revise: _, ...entry }: KeptEntry): KeptEntry {
  return entry
}
