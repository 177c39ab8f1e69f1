/**
 * The speed of recall among very many facts, on the server of DATABASE_URL, and the share of nearest facts that it finds.
 */
import { parseArgs } from 'node:util'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { buildGraphs } from '../../plugins/facts/vectors/graph.ts'
import { onServer } from '../base/databases.ts'
import { heapStep, machine, progress } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'
import { prepare } from '../quality/recall/memory.ts'
import { askAll, fill } from '../quality/recall/scale.ts'

const { values } = parseArgs({
  options: {
    facts: { type: 'string', default: '1000000' },
    /** In each workspace. */
    questions: { type: 'string', default: '200' },
  },
})
const { DATABASE_URL } = process.env
if (!DATABASE_URL) {
  progress('Which server? DATABASE_URL=postgres://… npm run bench:scale -- [--facts 1000000] [--questions 200]')
  process.exit(2)
}

const results = await onServer(DATABASE_URL, async target => {
  const db = await openDatabase(target, { clock: systemClock, log: benchLog })
  try {
    await prepare(db)
    const load = machine()
    progress(`${values.facts} facts`)
    const fillSeconds = await seconds(() => fill(db, Number(values.facts)))
    progress('the graph of their vectors')
    const buildSeconds = await seconds(() => buildGraphs(db))
    const before = heapStep(0)
    const searches = await askAll(db, Number(values.questions))
    return {
      machine: load,
      facts: Number(values.facts),
      fillSeconds,
      buildSeconds,
      searches,
      memory: { before, after: heapStep(1) },
    }
  } finally {
    await db.close()
  }
})
process.stdout.write(`${JSON.stringify({ ...results, loadAtEnd: machine().load }, null, 2)}\n`)

async function seconds(run: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await run()
  return Math.round((performance.now() - start) / 1_000)
}
