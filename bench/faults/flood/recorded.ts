import { setTimeout as pause } from 'node:timers/promises'
import { on } from '../../base/databases.ts'

/** The ids of all messages of people in a database. */
export const recorded = (database: string): Promise<ReadonlySet<string>> =>
  on(database, async db => {
    const { rows } = await db.query<{ id: string }>('select id from kikimimi.message where not own')
    return new Set(rows.map(({ id }) => id))
  })

/** Waits until it is true, for so many milliseconds at most. It looks every `lookMs`. */
export async function until(isDone: () => boolean, ms: number, lookMs = 100): Promise<void> {
  for (const end = Date.now() + ms; !isDone() && Date.now() < end; ) await pause(lookMs)
}

/** Waits while shed messages are read. A folder has one process, so the metrics of the bot tell how many were read. */
export async function readLater(metrics: () => Promise<string>, end: number): Promise<void> {
  let before = -1
  let still = 0
  while (Date.now() < end && still < 5) {
    await pause(2_000)
    const now = Number(/^kikimimi_read_later_total\S* (\d+)/m.exec(await metrics())?.[1] ?? 0)
    still = now === before ? still + 1 : 0
    before = now
  }
}
