/**
 * A log that a new index reads from its beginning: the processor time of an index that keeps nothing, and of the profiles, which count; and
 * that a follower reads again, which keeps nothing. The embedded database, so that all work is in this process. `npm run bench:log -- [--messages 1000000]`
 */
import { parseArgs } from 'node:util'
import { type Database, type LogBatch, type LoggedMessage, systemClock } from 'kikimimi'
import { messageLogOf } from '../../core/features/message-log/index.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { migrate } from '../../core/storage/database/migrate.ts'
import { KERNEL_MIGRATIONS } from '../../core/storage/kernel-migrations.ts'
import { countMessages } from '../../plugins/profiles/counting/count.ts'
import profiles from '../../plugins/profiles/index.ts'
import { inFolder } from '../base/databases.ts'
import { machine, progress, round } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'
import { fill } from './storage/fill.ts'

const { values } = parseArgs({ options: { messages: { type: 'string', default: '1000000' } } })
const messages = Number(values.messages)

const results = await inFolder(async target => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openDatabase(target, { log: benchLog, clock: systemClock }), opened => opened.close())
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
  await fill(db, { messages, channels: 3_000, people: 20_000, months: 3 })
  const { migrations } = profiles.definition
  if (migrations) await migrate(db, 'profiles', migrations, systemClock)
  return {
    nothing: await read(db, 'nothing', async () => {}),
    profiles: await read(db, 'profiles', some => countMessages(db, some)),
    follower: await follow(db),
  }
})
process.stdout.write(`${JSON.stringify({ machine: machine(), messages, ...results }, null, 2)}\n`)

async function read(db: Database, name: string, store: (messages: readonly LoggedMessage[]) => Promise<void>) {
  const index = messageLogOf(db).index({ name, most: 1_000, store })
  return measured(name, () => index.run())
}

/** In batches of 100, as memory-summary and reflection read. */
async function follow(db: Database) {
  const name = 'follower'
  const jobs = new Map<string, (payload: null, signal: AbortSignal) => Promise<unknown>>()
  const job = (kind: string, run: (payload: null, signal: AbortSignal) => Promise<unknown>) => {
    jobs.set(kind, run)
    return { schedule: async () => {} }
  }
  const ctx = { clock: systemClock, log: benchLog, every: () => {}, job, scope: { defer: () => {} } }
  let count = 0
  const run = async ({ messages }: LogBatch) => {
    return () => {
      count += messages.length
    }
  }
  await messageLogOf(db).follow(ctx as never, { name, most: 100, lull: 0, run })
  await db.query('update kikimimi.follower set began = 0, seq = 0 where name = $1', [name])
  return measured(name, async () => {
    for (let before = -1; count > before; ) {
      before = count
      await jobs.get(name)?.(null, AbortSignal.timeout(24 * 60 * 60_000))
    }
    return count
  })
}

async function measured(name: string, run: () => Promise<number>) {
  progress(name)
  const [start, before] = [performance.now(), process.cpuUsage()]
  const count = await run()
  const { user, system } = process.cpuUsage(before)
  return { count, seconds: round((performance.now() - start) / 1_000), processorSeconds: round((user + system) / 1_000_000) }
}
