/**
 * A flood of messages from another process into the whole bot: what is recorded, shed, read later and lost, how soon calls are answered,
 * and the memory meanwhile.
 */
import { parseArgs } from 'node:util'
import { inFolder, onServer } from './base/databases.ts'
import { machine, progress } from './base/measure.ts'
import { measured } from './flood/measured.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '60' },
    channels: { type: 'string', default: '10000' },
    /** All talk in one channel, and 100 quiet channels beside it. */
    loud: { type: 'boolean', default: false },
    /** Seconds for which the tables are locked in the middle of the flood. Only on a server. */
    away: { type: 'string', default: '0' },
    /** Seconds in which the shed messages may be read. */
    later: { type: 'string', default: '300' },
  },
})
const load = {
  perSecond: Number(values.rate),
  seconds: Number(values.seconds),
  channels: Number(values.channels),
  loud: values.loud,
  awaySeconds: Number(values.away),
  laterSeconds: Number(values.later),
}
const { DATABASE_URL } = process.env
const begun = machine()
const result = DATABASE_URL
  ? await onServer(DATABASE_URL, target => measured(target, load))
  : await inFolder(target => measured(target, load))
// Other load on the machine is visible in the load.
const database = DATABASE_URL ? 'Postgres' : 'PGlite'
process.stdout.write(`${JSON.stringify({ machine: begun, database, load, ...result, loadAtEnd: machine().load }, null, 2)}\n`)
for (const one of result.mistakes) progress(`NOT met: ${one}`)
process.exitCode = result.mistakes.length > 0 ? 1 : 0
