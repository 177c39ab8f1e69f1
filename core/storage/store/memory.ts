import { type Conversation, channelOf, type Message, type Trace } from '../../api/index.ts'
import { RecentMap } from '../../base/recent-map.ts'
import { createMemoryForgetting } from './erasure-memory.ts'
import { nextBatch } from './next-batch.ts'
import { changed } from './reactions.ts'
import { refuseNewReaders, sameReaders } from './readers.ts'
import { answerOf } from './rows.ts'
import type { Claimed, Delivery, Entry, Mark, Revision, Store, TurnState, Unfinished } from './store.ts'
import { createMemoryTurns } from './turns-memory.ts'

/** The largest number of messages of a conversation, of conversations, and of traces. Older ones are dropped. */
const MESSAGES = 200
const CONVERSATIONS = 10_000
const TRACES = 1_000

const NEVER = new Date(0)

/** `answeredBy`: the turn whose answer covers it. `isRecalled`: see {@link Store.readdress}. */
interface KeptEntry extends Entry {
  readonly answeredBy?: string
  readonly revise?: Revision
  readonly isRecalled?: boolean
}

interface Kept {
  conversation: Conversation
  entries: KeptEntry[]
  processed: number
  lastReplyAt?: Date
  calledAt?: Date
  unreadAfter?: string
}

/** An id of a channel. A message that was deleted before it came is never recorded. */
interface Known {
  readonly own: boolean
  readonly isRecorded: boolean
}

/** The kernel's store in memory, bounded. It is gone with the process. */
export function createMemoryStore(): Store {
  // Least recently used first.
  const conversations = new RecentMap<Kept>(CONVERSATIONS)
  const channels = new RecentMap<Map<string, Known>>(CONVERSATIONS)
  const deliveries = new Map<string, Unfinished & { readonly conversation: string }>()
  let traces: Trace[] = []
  /** The latest sent texts. */
  let sent: (Delivery & { readonly conversation: string; readonly message: string })[] = []
  let seq = 0

  /** @param own the bot itself says it: only platforms know who reads a conversation now */
  function keep(conversation: Conversation, own = false): Kept {
    const kept = conversations.get(conversation.id) ?? { conversation, entries: [], processed: 0 }
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

  function update(conversation: Conversation, id: string, to: (message: Message) => Message | undefined): void {
    for (const kept of inChannel(conversation)) {
      kept.entries = kept.entries.flatMap(entry => {
        if (entry.message.id !== id) return [entry]
        const message = to(entry.message)
        return message ? [{ ...entry, message }] : []
      })
    }
  }

  function write(conversation: string, news: readonly Delivery[], at: Date): void {
    for (const one of news) deliveries.set(one.nonce, { ...one, state: one.isDraft ? 'writing' : 'pending', at, conversation })
  }

  function record(conversation: Conversation, message: Message, receivedAt: Date): boolean {
    if (!take(conversation, message.id, { own: message.own, isRecorded: true })) return false
    const kept = keep(conversation, message.own)
    kept.entries.push({ seq: ++seq, receivedAt, message })
    // Removes many at once: a shift for every message would move the whole array each time.
    if (kept.entries.length >= 2 * MESSAGES) kept.entries = kept.entries.slice(-MESSAGES)
    return true
  }

  function load(id: string, { size, since }: { readonly size: number; readonly since: Date }): TurnState | undefined {
    const kept = conversations.get(id)
    if (!kept) return undefined
    const from = since.getTime()
    const window = kept.entries.length - size
    const isUnseen = (one: KeptEntry) =>
      one.isRecalled || (one.seq > kept.processed && !one.message.own && !one.message.missed && one.answeredBy === undefined)
    const entries = kept.entries.filter((one, index) =>
      index >= window
        ? one.seq > kept.processed || one.isRecalled || one.receivedAt.getTime() >= from
        : isUnseen(one) && one.message.addressed,
    )
    const first = kept.entries.find(isUnseen)
    const next = nextBatch(entries.filter(isUnseen), entries, kept.processed)
    const { revise: how, answeredBy: turn } = entries.find(({ seq }) => seq === next.batch.at(-1)?.seq) ?? {}
    return {
      conversation: kept.conversation,
      ...(how && turn !== undefined && { revises: { how, turn } }),
      ...(kept.lastReplyAt && { lastReplyAt: kept.lastReplyAt }),
      ...(first && { waitingSince: first.receivedAt }),
      ...next,
      unfinished: [...deliveries.values()].some(({ conversation }) => conversation === id),
    }
  }

  function markProcessed(id: string, lastSeq: number): boolean {
    const kept = conversations.get(id)
    if (!kept) return false
    const recalled = kept.entries.filter(({ seq, isRecalled }) => isRecalled && seq <= lastSeq)
    if (kept.processed >= lastSeq && recalled.length === 0) return false
    kept.processed = Math.max(kept.processed, lastSeq)
    kept.entries = kept.entries.map(one => (recalled.includes(one) ? { ...withoutRevision(one), isRecalled: false } : one))
    return true
  }

  const turns = createMemoryTurns(load)

  return {
    forgetting: createMemoryForgetting({
      deliveries,
      conversations: () => conversations.values(),
      traces: () => traces,
      keepTraces: kept => {
        traces = [...kept]
      },
    }),

    turns,

    async record(conversation, message, receivedAt, also) {
      if (!record(conversation, message, receivedAt)) return false
      await also?.()
      return true
    },

    async receive(conversation, message, receivedAt, wait) {
      if (!record(conversation, message, receivedAt)) return undefined
      const kept = keep(conversation)
      const { lastReplyAt = NEVER, calledAt = NEVER } = kept
      if (wait.urgent) kept.calledAt = wait.due
      return { dueAt: turns.wait(conversation.id, wait, lastReplyAt > calledAt ? lastReplyAt : calledAt) }
    },

    async edit(conversation, id, edit) {
      const { text, mentions, attachments, parts } = edit
      const changed = { text, ...(mentions && { mentions }), ...(attachments && { attachments }), ...(parts && { parts }) }
      update(conversation, id, message => (message.own && message.text !== text ? message : { ...message, ...changed }))
      for (const { entries, processed } of inChannel(conversation)) {
        const entry = entries.find(({ message }) => message.id === id)
        if (entry && !entry.message.own) return { message: entry.message, waits: entry.seq > processed }
      }
      return undefined
    },

    async rewrite(conversation, id, text) {
      update(conversation, id, message => (message.own ? { ...message, text } : message))
    },

    async readdress(conversation, id, addressed, refused) {
      for (const kept of inChannel(conversation)) {
        kept.entries = kept.entries.map(entry => {
          if (entry.message.id !== id) return entry
          const { addressed: before, refused: _, ...rest } = entry.message
          const isRecalled = addressed !== undefined && !before && entry.answeredBy === undefined && entry.seq <= kept.processed
          const now = { ...(addressed && { addressed }), ...(refused !== undefined && { refused }) }
          return { ...entry, message: { ...rest, ...now }, isRecalled }
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
      take(conversation, id, { own: false, isRecorded: false })
      update(conversation, id, () => undefined)
    },

    async retract(conversation, id) {
      take(conversation, id, { own: false, isRecorded: false })
      update(conversation, id, message => (message.own ? undefined : message))
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
      const covered = covers.map(({ id }) => kept?.entries.find(({ message }) => message.id === id))
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
      kept.entries = kept.entries.map(one =>
        covered.includes(one) ? { ...withoutRevision(one), answeredBy: turn, isRecalled: false } : one,
      )
      write(conversation.id, news, at)
      return 'mine'
    },

    async enqueue(conversation, news, at, also) {
      refuseNewReaders(conversation, keep(conversation, true).conversation)
      write(conversation.id, news, at)
      await also()
    },

    async spoke(conversation, at) {
      keep(conversation, true).lastReplyAt = at
    },

    async sending(nonce, from, at) {
      const delivery = deliveries.get(nonce)
      if (delivery?.state !== from) return false
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
      return [...deliveries.values()].filter(({ conversation }) => conversation === id)
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

function withoutRevision({ revise: _, ...entry }: KeptEntry): KeptEntry {
  return entry
}
