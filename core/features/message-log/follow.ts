/** Gives the new messages of each place to a plugin, batch by batch. */
import type { Conversation, Database, Following, LogBatch, LogFollower, LoggedMessage, PluginContext } from '../../api/index.ts'
import { channelOf } from '../../api/message.ts'
import { type ErrorCode, KikimimiError } from '../../base/errors.ts'
import { RecentMap } from '../../base/recent-map.ts'
import { estimateTokens } from '../../base/text/tokens.ts'
import { BATCH_ATTEMPTS, createFailureTracker } from '../../models/batch-retry.ts'
import { isAway } from '../../storage/database/unavailable.ts'
import { runWhenDue } from '../../storage/jobs/run-when-due.ts'
import { type Due, findDue, readNext } from './due.ts'
import { begin, type FollowedPlace, findPlace, keepFailure, markNews, moveMarks } from './marks.ts'
import { areUnchanged, isForgetting } from './read.ts'

/** The rest waits for the next run, because a long job counts as dead. */
const LONGEST_MS = 5 * 60_000
/** Maximum number of batches of one place before the next place. */
const ROUNDS = 5
/** Pause before what is still due is tried again, such as after a failure of the model. */
const PAUSE_MS = 60_000
/** Tokens of a batch. More messages are read in several batches. */
const TOKENS = 8_000
/** Maximum number of channels with counts. */
const CHANNELS = 10_000
/** Characters of a message that count: plugins cut longer texts, such as a pasted file. */
const LENGTH = 500

/** The result of a batch: continue with this place, stop for now, or the model is down. */
type Step = 'more' | 'done' | 'down'

type FollowContext = Pick<PluginContext, 'clock' | 'every' | 'job' | 'log' | 'scope'>

export async function followLog(ctx: FollowContext, db: Database, following: Following): Promise<LogFollower> {
  const { clock, log } = ctx
  const { name, most, least = 1, lull = Number.POSITIVE_INFINITY, every, run } = following
  const { messages: enough, ms: wait } = { messages: most + 1, ms: Number.POSITIVE_INFINITY, ...every }
  const blame = createFailureTracker()
  const now = () => new Date(clock.now())
  /** Unprocessed messages of the fullest place at the last run here. */
  let waiting = 0
  /** Messages in turns since, by channel. */
  const since = new RecentMap<number>(CHANNELS)

  const dueBy = runWhenDue(ctx, name, async signal => {
    const { next, most } = await processAll(signal)
    waiting = most
    since.clear()
    return next
  })

  async function due(only?: string): Promise<Due> {
    await markNews(db, following)
    return findDue(db, name, now(), following, only)
  }

  async function processAll(signal: AbortSignal): Promise<Due> {
    const before = await due()
    if (before.now.length === 0) return before
    await processPlaces(before.now, signal)
    const left = await due()
    return left.now.length > 0 ? { ...left, next: new Date(clock.now() + PAUSE_MS) } : left
  }

  async function processPlaces(places: readonly string[], signal: AbortSignal): Promise<void> {
    const start = clock.now()
    for (const place of places) {
      for (let round = 0; round < ROUNDS; round++) {
        if (signal.aborted || clock.now() - start > LONGEST_MS) return
        if (round > 0 && (await due(place)).now.length === 0) break
        const step = await processNext(await findPlace(db, name, place), signal)
        if (step === 'down') return
        if (step === 'done') break
      }
    }
  }

  async function processNext(place: FollowedPlace, signal: AbortSignal): Promise<Step> {
    if (await isForgetting(db, place.place)) return 'done'
    const messages = oneBatch(await readNext(db, place, most + least), following)
    const first = messages.find(following.all ? ({ own }) => !own : isEvidence)
    if (!first) {
      // Only bots have written, or the messages of a failed batch are deleted.
      await db.transaction(async () => void (await moveMarks(db, place, messages)))
      return 'more'
    }
    const batch = { place: placeOf(first.conversation, place.place), messages, sources: rangesOf(messages) }
    let store: Awaited<ReturnType<Following['run']>>
    try {
      store = await run(batch, signal)
    } catch (error) {
      signal.throwIfAborted()
      const why = codeOf(error)
      return failed(place, batch, why, blame.refused(why))
    }
    blame.worked()
    try {
      await db.transaction(async () => {
        if (!(await areUnchanged(db, messages)) || !(await moveMarks(db, place, messages))) return
        if ((await store?.()) === false) throw new Changed()
      })
    } catch (error) {
      if (error instanceof Changed) return 'more'
      if (isAway(error)) throw error
      // Otherwise the model would be called again every minute.
      return failed(place, batch, nameOf(error), true)
    }
    return 'more'
  }

  /** Stores the failure. Nothing is lost, and nothing is thrown. */
  async function failed(place: FollowedPlace, batch: LogBatch, why: string, isRefused: boolean): Promise<Step> {
    const { messages } = batch
    const about = { place: place.place, messages: messages.length, why }
    if (isRefused && place.refusals + 1 >= BATCH_ATTEMPTS) {
      log.warn('a batch is skipped after repeated failures', about)
      await db.transaction(async () => {
        if (await moveMarks(db, place, messages)) await following.skipped?.(batch)
      })
      return 'more'
    }
    log.warn('a batch failed, trying again later', about)
    await keepFailure(db, place, { isRefused, upto: messages.at(-1)?.seq ?? 0 }, now())
    return isRefused ? 'done' : 'down'
  }

  await begin(db, name, following.again)
  // Not in `after`: an edit leads to no turn.
  const onAgain = (follower: string) => {
    if (follower === name) dueBy(now()).catch((error: unknown) => log.warn('could not plan a run', { error }))
  }
  ctx.scope.defer(await db.listen('kikimimi.follower_again', onAgain))
  return {
    async after({ conversation, messages }) {
      const channel = channelOf(conversation)
      const count = (since.get(channel) ?? 0) + messages.length
      const isFull = waiting + count >= enough
      const oldest = Math.min(clock.now(), ...messages.map(({ at }) => at.getTime()))
      await dueBy(new Date(isFull ? clock.now() : Math.min(clock.now() + lull, oldest + wait)))
      since.set(channel, isFull ? 0 : count)
    },
  }
}

/** What a batch was made from has changed meanwhile. */
class Changed extends Error {}

/** The messages of a batch. A small rest is added to it. */
function oneBatch(rows: readonly LoggedMessage[], { most, least = 1 }: Following): LoggedMessage[] {
  const batch: LoggedMessage[] = []
  let tokens = 0
  for (const message of rows.slice(0, rows.length < most + least ? rows.length : most)) {
    const texts = [message.text, ...(message.parts ?? []).map(({ text = '' }) => text)]
    tokens += estimateTokens(texts.map(text => text.slice(0, LENGTH)).join('\n'))
    if (batch.length > 0 && tokens > TOKENS) break
    batch.push(message)
  }
  return batch
}

const isEvidence = ({ own, author, text }: LoggedMessage) => !own && !author.bot && text !== ''

/** A conversation in which the whole batch may be read: its messages may be from several threads. */
function placeOf(conversation: Conversation, place: string): Conversation {
  const id = place.replace(/\+$/, '')
  if (conversation.id === id) return conversation
  const { thread: _, ...channel } = conversation
  return { ...channel, id }
}

function rangesOf(messages: readonly LoggedMessage[]): LogBatch['sources'] {
  return [...Map.groupBy(messages, one => one.conversation.id)].map(([conversation, each]) => {
    const seqs = each.map(({ seq }) => seq)
    return { conversation, first: Math.min(...seqs), last: Math.max(...seqs) }
  })
}

/** The code of a failure of a model or of the plugin. Throws when the database is away. */
function codeOf(error: unknown): ErrorCode {
  if (isAway(error)) throw error
  return error instanceof KikimimiError ? error.code : 'INTERNAL'
}

/** The name of the error. The message of a database error may quote values. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error'
  return 'code' in error ? `${error.name} ${error.code}` : error.name
}
