/** The quality and the speed of recall: on PGlite, or on the server of DATABASE_URL. */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { systemClock } from 'kikimimi'
import pg from 'pg'
import { openDatabase } from '../core/storage/database/database.ts'
import { machine, progress } from './base/measure.ts'
import { benchLog } from './base/talk.ts'
import { readSet } from './recall/data.ts'
import { factsBench } from './recall/facts.ts'
import { prepare } from './recall/memory.ts'
import { talksBench } from './recall/talks.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The number of facts in which those of the file are searched. */
    distractors: { type: 'string', default: '2000' },
    /** The total number of facts, those of the file included. */
    facts: { type: 'string' },
    /** Without verdicts of a model: superseded facts are found only by words of change. */
    'no-verdicts': { type: 'boolean', default: false },
  },
})
const [file] = positionals
if (file === undefined) {
  progress('Which facts or conversations? npm run bench:recall -- FILE [--distractors 2000 | --facts 20000] [--no-verdicts]')
  process.exit(2)
}

const set = await readSet(file)
const { DATABASE_URL } = process.env
const results = await withDatabase(async target => {
  const db = await openDatabase(target, { clock: systemClock, log: benchLog })
  try {
    await prepare(db)
    const load = machine()
    if ('conversations' in set) return { machine: load, database: db.kind, ...(await talksBench(db, set)) }
    const count = values.facts === undefined ? Number(values.distractors) : Number(values.facts) - set.facts.length
    const figures = await factsBench(db, set, { count, verdicts: !values['no-verdicts'] })
    return { machine: load, database: db.kind, ...figures }
  } finally {
    await db.close()
  }
})
process.stdout.write(`${JSON.stringify({ ...results, loadAtEnd: machine().load }, null, 2)}\n`)

/** In memory, or a separate database on the server, dropped afterwards. */
async function withDatabase<T>(run: (target: string) => Promise<T>): Promise<T> {
  if (!DATABASE_URL) return run('memory')
  const name = `kikimimi_bench_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name}`)
  try {
    return await run(Object.assign(new URL(DATABASE_URL), { pathname: name }).href)
  } finally {
    await administer(`drop database if exists ${name} with (force)`)
  }
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
