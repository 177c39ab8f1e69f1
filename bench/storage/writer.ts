/**
 * One process of a running bot: records messages one after another for some seconds, and tells the longest pause and how many it recorded.
 * `node scripts/run.mjs bench/storage/writer.ts URL NAME SECONDS`
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { conversationId, systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { createSqlStore } from '../../core/storage/store/sql.ts'
import { benchLog } from '../base/talk.ts'

const [, , url = '', name = '', seconds = '60'] = process.argv
const db = await openDatabase(url, { clock: systemClock, log: benchLog })
const store = createSqlStore(db, benchLog, systemClock)
const end = performance.now() + Number(seconds) * 1_000
let [count, longest, retried] = [0, 0, 0]
const refusals = new Set<string>()
const stop = new Promise<void>(resolve => process.once('SIGTERM', resolve))
let stopped = false
void stop.then(() => {
  stopped = true
})
while (!stopped && performance.now() < end) {
  const where = { platform: 'bench', workspace: 'w', channel: `${name}${count % 20}`, name: 'c', visibility: 'public' as const }
  const message = {
    ...{ id: `${name}-${count}`, author: { id: name, name }, text: 'said during the upgrade', at: new Date() },
    ...{ mentions: [], attachments: [], own: false },
  }
  const start = performance.now()
  // As the bot does: it tries again until the database takes the message.
  for (;;) {
    try {
      await store.record({ ...where, id: conversationId(where) }, message, new Date())
      break
    } catch (error) {
      refusals.add(String(error).slice(0, 200))
      retried++
      if (stopped) break
      await sleep(50)
    }
  }
  longest = Math.max(longest, performance.now() - start)
  count++
  await sleep(5)
}
process.stdout.write(`${JSON.stringify({ name, count, longestMs: Math.round(longest), retried, refusals: [...refusals] })}\n`)
await db.close()
