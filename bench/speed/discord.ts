/** Several processes of one bot in a thousand servers of Discord: do they keep its limits together, and how soon do they answer? */
import { parseArgs } from 'node:util'
import { onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'
import { measured } from './discord/measured.ts'

const { values } = parseArgs({
  options: {
    guilds: { type: 'string', default: '1000' },
    shards: { type: 'string', default: '4' },
    processes: { type: 'string', default: '2' },
    rate: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '60' },
  },
})
const { DATABASE_URL } = process.env
if (!DATABASE_URL) {
  progress('Set DATABASE_URL to a Postgres server: a folder has one process.')
  process.exit(2)
}
const begun = machine()
const result = await onServer(DATABASE_URL, database =>
  measured({
    database,
    guilds: Number(values.guilds),
    shards: Number(values.shards),
    processes: Number(values.processes),
    perSecond: Number(values.rate),
    seconds: Number(values.seconds),
  }),
)
// Other load on the machine is visible in the load.
process.stdout.write(`${JSON.stringify({ machine: begun, ...result, loadAtEnd: machine().load }, null, 2)}\n`)
const { steady, resharding, refused } = result
const isKept = refused === 0 && [steady, resharding].every(one => one.answered === one.asked && one.answeredTwice === 0)
if (!isKept) progress('NOT within the limits, or NOT all answered once')
process.exitCode = isKept ? 0 : 1
