/**
 * Shows an answer while it is written: one message that is edited. Each draft is stored before its first words are posted. When its
 * process ends, another one deletes the message and answers the call anew; see {@link createDeliverer}.
 */
import { parsePosted } from '../../api/checks/results.ts'
import {
  type Conversation,
  channelOf,
  inThread,
  type Outgoing,
  type Platform,
  type Posted,
  type TextReply,
} from '../../api/index.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { RecentMap } from '../../base/recent-map.ts'
import { retryAfterMs } from '../../base/retry-after.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Deliverer, Draft, Sent } from '../../kernel/turns/deliverer.ts'
import type { Delivery, Store, Unfinished } from '../../storage/store/store.ts'
import { isResultUnknown, MessageDeleted, mayPass, NotWanted } from './failures.ts'
import type { TakeBack } from './take-back.ts'
import { visible } from './visible.ts'

/** Milliseconds between two edits in one channel. Slack takes one a second, Discord five in five seconds. */
const EDIT = 1_000

/** The first words are shown when there are this many characters, or after this many milliseconds. */
const ENOUGH = 40
const PATIENCE = 500

/** Milliseconds without edits after one that failed. */
const PAUSE = 5_000

/** Largest number of channels whose last edit is remembered. */
const CHANNELS = 1_000

/** One thing to send. `isShown`: its message has this text already. */
export type Part = (Delivery | Unfinished) & { readonly isShown?: boolean }

/** Workspaces that refuse edits: for an hour, people see answers there when they are whole. */
export interface FixedPlaces {
  add(conversation: Conversation): void
  has(conversation: Conversation): boolean
}

/** Milliseconds until an edit is tried again where edits were refused. */
const HOUR = 60 * 60_000

export function createFixedPlaces(clock: Clock): FixedPlaces {
  const until = new Map<string, number>()
  const keyOf = ({ platform, workspace }: Conversation) => `${platform}/${workspace}`
  return {
    add: conversation => void until.set(keyOf(conversation), clock.now() + HOUR),
    has: conversation => (until.get(keyOf(conversation)) ?? 0) > clock.now(),
  }
}

export interface DraftOptions extends Pick<Deliverer, 'prepare'> {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds that a platform has for one message. */
  readonly deadlineMs: number
  /** Milliseconds after which other processes take this one for dead. */
  readonly aliveMs: number
  /** The name and the picture of the persona of a place. */
  spokenAs(conversation: Conversation): Pick<Outgoing, 'as'>
  send(platform: Platform, conversation: Conversation, parts: readonly Part[], signal: AbortSignal): Promise<Sent>
  readonly takeBack: TakeBack
  /** Where messages cannot be edited. */
  readonly fixed: FixedPlaces
}

export function createDrafts(options: DraftOptions): Deliverer['draft'] {
  const { store, clock, log, deadlineMs, aliveMs, prepare, send, spokenAs, takeBack, fixed } = options
  /** When the next edit may be made in each channel. */
  const editableAt = new RecentMap<number>(CHANNELS)

  return (platform, turn, claim, signal) => {
    const { conversation } = turn
    const channel = channelOf(conversation)
    const call = { message: turn.message.id, isCall: true }
    let wanted: TextReply | undefined
    let since = 0
    let stored: Delivery | undefined
    let posted: Posted | undefined
    let where = conversation
    /** What people see, and the text that it was made from. */
    let text = ''
    let handled = ''
    let shown: { afterMs: number; edits: number } | undefined
    let pausedUntil = 0
    /** Why the rest is not shown before it is whole. */
    let failure: unknown
    let isClosed = false
    let timer: unknown
    let due = 0
    let alive: unknown
    let working: Promise<void> | undefined

    const inTime = <T>(run: (signal: AbortSignal) => Promise<T>) => {
      const late = () => new KikimimiError('PLATFORM_UNAVAILABLE', `${platform.name} took no message within ${deadlineMs} ms`)
      return withTimeout({ clock, ms: deadlineMs, late, signal }, run)
    }

    function plan(): void {
      if (isClosed || failure !== undefined || working || !wanted || wanted.text === handled) return
      const isEnough = stored !== undefined || wanted.text.length >= ENOUGH
      const next = Math.max(isEnough ? 0 : since + PATIENCE, stored ? (editableAt.get(channel) ?? 0) : 0, pausedUntil)
      if (timer !== undefined && next >= due) return
      clock.clearTimeout(timer)
      due = next
      timer = clock.setTimeout(work, Math.max(0, due - clock.now()))
    }

    function work(): void {
      timer = undefined
      working = step()
        .catch(error => {
          failure = error
          log.debug(`an answer is not shown while it is written: ${reason(error)}`, { conversation: conversation.id })
        })
        .finally(() => {
          working = undefined
          plan()
        })
    }

    async function step(): Promise<void> {
      handled = wanted?.text ?? ''
      const news = visible(handled, platform.limits.textLength)
      if (news === '' || news === text) return
      if (!stored) await begin(news)
      else if (posted) await edit(posted.id, news)
    }

    async function begin(news: string): Promise<void> {
      const [made] = prepare(platform, conversation, turn.id, { kind: 'text', ...wanted, text: news }, call)
      if (!made) return
      // The buttons come with the last edit.
      const { hasHandles: _, ...first } = made
      const draft = { ...first, isDraft: true as const }
      if (!(await claim([draft]))) throw new NotWanted()
      stored = draft
      alive = clock.setInterval(
        () => void store.writing(draft.nonce, undefined, new Date(clock.now())).catch(() => {}),
        aliveMs / 3,
      )
      const { nonce, target, answers, body } = draft
      const message = {
        text: body,
        nonce,
        ...(target && { replyTo: target }),
        ...(answers && { answers }),
        ...spokenAs(conversation),
      }
      posted = parsePosted(platform, await inTime(limit => platform.send(conversation, message, limit)))
      text = news
      shown = { afterMs: clock.now() - since, edits: 0 }
      edited()
      if (posted.thread !== undefined) {
        where = inThread(conversation, posted.thread)
        await store.goOnIn(turn.id, posted.thread)
      }
      if (!(await store.writing(nonce, posted.id, new Date(clock.now())))) throw new NotWanted()
    }

    async function edit(id: string, news: string): Promise<void> {
      try {
        if (!(await inTime(async limit => platform.edit?.(where, id, { text: news }, limit)))) throw new MessageDeleted()
        text = news
        if (shown) shown.edits++
      } catch (error) {
        if (error instanceof MessageDeleted) throw error
        if (!mayPass(error)) fixed.add(conversation)
        // The last edit decides. Until then a failed one is left out.
        pausedUntil = clock.now() + (retryAfterMs(error) ?? PAUSE)
      } finally {
        edited()
      }
    }

    function edited(): void {
      editableAt.set(channel, clock.now() + EDIT)
    }

    const draft: Draft = {
      get shown() {
        return shown
      },

      show(reply) {
        if (isClosed || (!stored && fixed.has(conversation))) return
        wanted = reply
        since ||= clock.now()
        plan()
      },

      async end() {
        isClosed = true
        clock.clearTimeout(timer)
        await working
        clock.clearInterval(alive)
        return stored !== undefined
      },

      async complete(reply) {
        const [whole, ...rest] = prepare(platform, conversation, turn.id, reply, call)
        if (!stored || !whole || failure instanceof MessageDeleted) {
          await draft.withdraw()
          return { ids: [], problem: failure instanceof MessageDeleted ? failure.message : 'there is nothing to send' }
        }
        const { body, hasHandles } = whole
        const done = { ...stored, body, ...(hasHandles && { hasHandles }), ...(posted && { message: posted.id }) }
        const state = posted || !isResultUnknown(failure) ? 'pending' : 'sending'
        if (!(await store.complete({ ...done, state }, rest, new Date(clock.now())))) {
          await draft.withdraw()
          return { ids: [], problem: new NotWanted().message }
        }
        if (posted && (text !== whole.body || hasHandles)) {
          await sleep(clock, Math.max(0, (editableAt.get(channel) ?? 0) - clock.now()), signal).catch(() => {})
          edited()
        }
        const first: Part = { ...done, state, at: new Date(clock.now()), isShown: text === whole.body && !hasHandles }
        return send(platform, where, [first, ...rest], signal)
      },

      async withdraw() {
        if (!stored) return undefined
        const begun: Unfinished = {
          ...stored,
          state: 'unwanted',
          at: new Date(clock.now()),
          ...(posted && { message: posted.id }),
        }
        return takeBack(platform, where, begun, signal)
      },
    }
    return draft
  }
}
