/** The statements on the way of a message, on a log of some months: `DATABASE_URL=… node scripts/run.mjs bench/speed/storage/hot-path.ts [PARTITIONS]`. */
import { performance } from 'node:perf_hooks'
import { type Conversation, conversationId, type Database, systemClock } from 'kikimimi'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { migrate } from '../../../core/storage/database/migrate.ts'
import { KERNEL_MIGRATIONS } from '../../../core/storage/kernel-migrations.ts'
import { createSqlStore } from '../../../core/storage/store/sql.ts'
import { inFolder, onServer } from '../../base/databases.ts'
import { benchLog } from '../../base/talk.ts'

const ROUNDS = 400
const DAY = 24 * 60 * 60_000
const partitions = Number(process.argv[2] ?? 0)
const { DATABASE_URL } = process.env

const figures = DATABASE_URL ? await onServer(DATABASE_URL, measure) : await inFolder(measure)
process.stdout.write(`${JSON.stringify({ partitions, ...figures })}\n`)

async function measure(target: string) {
  const db = await openDatabase(target, { clock: systemClock, log: benchLog })
  try {
    await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
    await prepare(db)
    const store = createSqlStore(db, benchLog, systemClock)
    const times: Record<string, number[]> = { record: [], loadTurn: [], find: [], batch: [] }
    const time = async (what: string, run: () => Promise<unknown>) => {
      const start = performance.now()
      await run()
      times[what]?.push(performance.now() - start)
    }
    for (let n = 0; n < ROUNDS; n++) {
      const where = place(n % 20)
      await time('record', () => store.record(where, message(`new${n}`), new Date()))
      await time('loadTurn', () => store.loadTurn(where.id, 50, new Date(Date.now() - DAY)))
      await time('find', () => store.find(where, [`new${n}`, `new${n - 20}`]))
      if (n % 10 === 0)
        await time('batch', () =>
          Promise.all(Array.from({ length: 50 }, (_, k) => store.record(place(k % 20), message(`b${n}-${k}`), new Date()))),
        )
    }
    return Object.fromEntries(
      Object.entries(times).map(([what, all]) => [
        what,
        Number(all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]?.toFixed(3)),
      ]),
    )
  } finally {
    await db.close()
  }
}

async function prepare(db: Database): Promise<void> {
  if (partitions > 0) await db.query(`select kikimimi.add_months(now(), now() + $1 * interval '1 month')`, [partitions - 3])
  const store = createSqlStore(db, benchLog, systemClock)
  for (let n = 0; n < 100; n++)
    await Promise.all(
      Array.from({ length: 200 }, (_, k) =>
        store.record(place(k % 20), message(`old${n}-${k}`, 600 - n), new Date(Date.now() - (600 - n) * 60_000)),
      ),
    )
  for (let n = 0; n < 20; n++) await store.markProcessed(place(n).id, 19_000)
  await db.query('vacuum analyze')
}

function place(n: number): Conversation {
  const where = { platform: 'bench', workspace: 'w', channel: `c${n}`, name: 'c', visibility: 'public' as const }
  return { ...where, id: conversationId(where) }
}

function message(id: string, minutesAgo = 0) {
  const at = new Date(Date.now() - minutesAgo * 60_000)
  return {
    id,
    author: { id: `u${id.length % 7}`, name: 'User' },
    text: `the text of ${id}`,
    at,
    mentions: [],
    attachments: [],
    own: false,
  }
}
