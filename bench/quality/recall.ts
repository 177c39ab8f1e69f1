/** The quality and the speed of recall: on PGlite, or on the server of DATABASE_URL. */
import { parseArgs } from 'node:util'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'
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
    /** Without verdicts of a model: no fact is superseded. */
    'no-verdicts': { type: 'boolean', default: false },
    /** For conversations: with a line for each step of the ranking. */
    ablation: { type: 'boolean', default: false },
  },
})
const [file] = positionals
if (file === undefined) {
  progress(
    'Which facts or conversations? npm run bench:recall -- FILE [--distractors 2000 | --facts 20000] [--no-verdicts | --ablation]',
  )
  process.exit(2)
}

const set = await readSet(file)
const { DATABASE_URL } = process.env
const results = await (DATABASE_URL ? onServer(DATABASE_URL, recalled) : recalled('memory'))
process.stdout.write(`${JSON.stringify({ ...results, loadAtEnd: machine().load }, null, 2)}\n`)

async function recalled(target: string) {
  const db = await openDatabase(target, { clock: systemClock, log: benchLog })
  try {
    await prepare(db)
    const load = machine()
    if ('conversations' in set) {
      const figures = await talksBench(db, set, { ablation: values.ablation })
      return { machine: load, database: db.kind, ...figures }
    }
    const count = values.facts === undefined ? Number(values.distractors) : Number(values.facts) - set.facts.length
    const figures = await factsBench(db, set, { count, verdicts: !values['no-verdicts'] })
    return { machine: load, database: db.kind, ...figures }
  } finally {
    await db.close()
  }
}
