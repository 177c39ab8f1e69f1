/**
 * A flood of messages from another process into the whole bot: what is recorded, shed, read later and lost, how soon calls are answered,
 * and the memory meanwhile.
 */
import { parseArgs } from 'node:util'
import { inFolder, onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'
import { inDiscord, inSlack } from '../speed/platforms/people.ts'
import { throughClient } from './flood/client.ts'
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
    /** Seconds for which the process of the bot stands still in the middle of the flood. */
    still: { type: 'string', default: '0' },
    /** `discord` or `slack`: through its real client, in 500 channels. */
    through: { type: 'string' },
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
  stillSeconds: Number(values.still),
  laterSeconds: Number(values.later),
}
const { DATABASE_URL } = process.env
const clients = new Map([
  ['discord', inDiscord],
  ['slack', inSlack],
])
const open = clients.get(values.through ?? '')
if (values.through !== undefined && !open) {
  progress(`--through is discord or slack, not "${values.through}".`)
  process.exit(2)
}
const flood = (target: string): Promise<{ readonly mistakes: readonly string[] }> =>
  open ? throughClient(open, target, load) : measured(target, load)
const begun = machine()
const result = DATABASE_URL ? await onServer(DATABASE_URL, flood) : await inFolder(flood)
// Other load on the machine is visible in the load.
const database = DATABASE_URL ? 'Postgres' : 'PGlite'
process.stdout.write(`${JSON.stringify({ machine: begun, database, load, ...result, loadAtEnd: machine().load }, null, 2)}\n`)
for (const one of result.mistakes) progress(`NOT met: ${one}`)
process.exitCode = result.mistakes.length > 0 ? 1 : 0
