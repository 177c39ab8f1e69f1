/** Updates one memory: first the part that has become history, then the new messages. */
import {
  BATCH_ATTEMPTS,
  createFailureTracker,
  type ErrorCode,
  type LoggedMessage,
  MessageLog,
  modelFailure,
  type Person,
  type PluginContext,
} from 'kikimimi'
import { findMemory, forgetRecent, type PlacedMemory, writeHistory, writeRecent } from '../storage/memories.ts'
import { type Batch, isForgetting, keepSources, keepSpeakers, moveMarks, nextBatch } from './batch.ts'
import { keepFailure, setAside } from './failures.ts'
import { limit } from './limit.ts'
import type { UpdateSettings } from './settings.ts'
import { newsOf, passOver, writeWorkspace } from './workspace.ts'
import { createWriter } from './writer.ts'

/** Maximum number of batches in one job. The rest waits for the next run. */
const ROUNDS = 5

/** Maximum number of participants in a memory. */
const PEOPLE = 10

/** The result of a step: continue with this memory, stop for now, or the model is down. */
type Step = 'more' | 'done' | 'down'

/** The returned function returns whether to continue with the next memory. */
export function createUpdateOne(
  ctx: PluginContext,
  options: UpdateSettings,
): (id: string, signal: AbortSignal) => Promise<boolean> {
  const { db, clock, log } = ctx
  const messages = ctx.use(MessageLog)
  const writer = createWriter(ctx, options)
  const blame = createFailureTracker()
  const now = () => new Date(clock.now())
  const isOver = (at: Date, ms: number) => clock.now() - at.getTime() >= ms

  /** Calls the model. A failure is stored, and nothing is thrown. `never`: the model will not do it. */
  async function ask<T>(memory: PlacedMemory, upto: number | undefined, signal: AbortSignal, run: () => Promise<T>) {
    try {
      const made = await run()
      blame.worked()
      return { made }
    } catch (error) {
      signal.throwIfAborted()
      const code: ErrorCode = modelFailure(error)
      const refused = blame.refused(code)
      log.warn(`a memory could not be updated: ${code}`, { memory: memory.id })
      await keepFailure(db, memory, { refused, upto }, now())
      if (!refused) return 'down'
      return memory.refusals + 1 >= BATCH_ATTEMPTS ? 'never' : 'done'
    }
  }

  /** Merges recent events into the history; without a model if there is no history, or if the model fails. */
  async function fold(memory: PlacedMemory, signal: AbortSignal): Promise<Step> {
    const joined = limit([memory.history, memory.recent].filter(Boolean).join('\n'), options.historyTokens)
    if (memory.history === '') await writeHistory(db, memory, joined)
    else {
      const asked = await ask(memory, undefined, signal, () => writer.history(memory, signal))
      if (asked === 'done' || asked === 'down') return asked
      await writeHistory(db, memory, asked === 'never' ? joined : asked.made)
    }
    return 'more'
  }

  async function readOn(memory: PlacedMemory, eager: boolean, signal: AbortSignal): Promise<Step> {
    const batch = await nextBatch({ db, messages }, memory, options.everyMessages)
    if (!isDue(memory, batch, eager)) return 'done'
    const upto = batch.read.at(-1)?.seq
    const asked = await ask(memory, upto, signal, () => writer.recent(memory, batch.read, signal))
    if (asked === 'done' || asked === 'down') return asked
    if (asked === 'never') await setAside(db, memory, batch.read, now())
    else if (!(await keep(memory, batch.read, asked.made))) return 'more'
    return batch.full ? 'more' : 'done'
  }

  function isDue({ failed_upto }: PlacedMemory, { read }: Batch, eager: boolean): boolean {
    const unread = read.filter(({ own }) => !own)
    const first = unread[0]
    if (!first) return false
    return (
      eager ||
      failed_upto !== null ||
      unread.length >= options.everyMessages ||
      isOver(first.receivedAt, options.everyMinutes * 60_000)
    )
  }

  /** Returns false if the memory or a message has changed since: the step is repeated. */
  function keep(
    memory: PlacedMemory,
    read: readonly LoggedMessage[],
    made: { text: string; mood: string; topics: readonly string[] },
  ) {
    const people = read.flatMap(({ own, author }) => (own ? [] : author))
    const since = new Date(Math.min(...[memory.recent_since ?? [], read.map(({ at }) => at)].flat().map(Number)))
    return db.transaction(async () => {
      if (!(await messages.unchanged(read))) return false
      // Before the memory is written: a deletion of a message locks the sources first, and then the memory.
      await keepSources(db, memory.id, read)
      if (!(await writeRecent(db, memory, { ...made, since, activeUsers: lastFirst(memory, people) }, now()))) return false
      await moveMarks(db, memory.id, read)
      await keepSpeakers(
        db,
        memory.id,
        people.map(({ id }) => id),
      )
      return true
    })
  }

  async function readChannels(memory: PlacedMemory, eager: boolean, signal: AbortSignal): Promise<Step> {
    if (!eager && memory.updated_at && !isOver(memory.updated_at, options.workspaceEvery)) return 'done'
    const asOf = now()
    const sources = await newsOf(db, memory)
    const asked =
      sources.length > 0 ? await ask(memory, undefined, signal, () => writer.workspace(memory, sources, signal)) : 'never'
    if (asked === 'done' || asked === 'down') return asked
    if (asked === 'never') await passOver(db, memory, asOf)
    else if (!(await writeWorkspace(db, memory, asked.made, sources, asOf))) return 'more'
    return 'done'
  }

  return async (id, signal) => {
    let eager = await forgetDeleted(ctx, id)
    for (let round = 0; round < ROUNDS; round++) {
      if (await isForgetting(db, id)) return true
      const memory = await findMemory(db, id)
      if (!memory || (memory.retry_at && memory.retry_at.getTime() > clock.now())) return true
      const old = memory.recent_since !== null && isOver(memory.recent_since, options.foldAfter)
      const readNews = memory.kind === 'workspace' ? readChannels : readOn
      const step = await (old ? fold(memory, signal) : readNews(memory, eager, signal))
      if (step !== 'more') return step === 'done'
      // After the merge there are no recent events.
      eager ||= old
    }
    return true
  }
}

/** A message that was read has been deleted. Its summary is cleared and made again from the others. */
function forgetDeleted({ db }: PluginContext, id: string): Promise<boolean> {
  return db.transaction(async () => {
    const { rows } = await db.query('select 1 from memory_summary.progress where memory = $1 and changed limit 1', [id])
    if (rows.length > 0) await forgetRecent(db, [id])
    return rows.length > 0
  })
}

function lastFirst({ active_users }: PlacedMemory, people: readonly Person[]): Pick<Person, 'id' | 'name'>[] {
  const latest = new Map([...people].reverse().map(({ id, name }) => [id, { id, name }]))
  for (const one of active_users) if (!latest.has(one.id)) latest.set(one.id, one)
  return [...latest.values()].slice(0, PEOPLE)
}
