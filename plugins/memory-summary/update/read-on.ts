/** Writes the new messages of a channel or thread into its memory. */
import type { LogBatch, Person, PluginContext } from 'kikimimi'
import { findMemory, holdForgetting, type PlacedMemory, writeRecent } from '../storage/memories.ts'
import { keepPlaces } from '../storage/places.ts'
import { keepSources, keepSpeakers, keptOf } from './batch.ts'
import type { UpdateSettings } from './settings.ts'
import type { UpdateOne } from './update-one.ts'
import type { Writer } from './writer.ts'

/** Maximum number of participants in a memory. */
const PEOPLE = 10

interface ReadOn {
  readonly writer: Writer
  /** Merges what has become history. */
  readonly updateOne: UpdateOne
  /** A memory has changed. */
  updateSoon(): Promise<void>
}

/** The returned function asks the model. It returns what stores the result. */
export function createReadOn(
  { db, clock }: PluginContext,
  { foldAfter }: UpdateSettings,
  { writer, updateOne, updateSoon }: ReadOn,
) {
  const now = () => new Date(clock.now())

  async function memoryOf({ place, messages }: LogBatch, signal: AbortSignal): Promise<PlacedMemory | undefined> {
    await keepPlaces(db, place, new Date(Math.max(...messages.map(({ receivedAt }) => receivedAt.getTime()))))
    const memory = await findMemory(db, place.id)
    if (!memory?.recent_since || clock.now() - memory.recent_since.getTime() < foldAfter) return memory
    await updateOne(place.id, signal)
    return findMemory(db, place.id)
  }

  return async (batch: LogBatch, signal: AbortSignal) => {
    const memory = await memoryOf(batch, signal)
    const read = await keptOf(db, batch.messages)
    const people = read.flatMap(({ own, author }) => (own ? [] : author))
    if (!memory || people.length === 0) return undefined
    const made = await writer.recent(memory, read, signal)
    const since = new Date(Math.min(...[memory.recent_since ?? [], read.map(({ at }) => at)].flat().map(Number)))
    return async () => {
      await holdForgetting(db)
      if ((await keptOf(db, read)).length < read.length) return false
      // Before the memory is written: a deletion of a message locks the sources first, and then the memory.
      await keepSources(db, memory.id, batch.sources)
      if (!(await writeRecent(db, memory, { ...made, since, activeUsers: lastFirst(memory, people) }, now()))) return false
      await keepSpeakers(
        db,
        memory.id,
        people.map(({ id }) => id),
      )
      return updateSoon()
    }
  }
}

function lastFirst({ active_users }: PlacedMemory, people: readonly Person[]): Pick<Person, 'id' | 'name'>[] {
  const latest = new Map([...people].reverse().map(({ id, name }) => [id, { id, name }]))
  for (const one of active_users) if (!latest.has(one.id)) latest.set(one.id, one)
  return [...latest.values()].slice(0, PEOPLE)
}
