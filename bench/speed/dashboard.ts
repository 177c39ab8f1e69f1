/** How soon the page is seen on a slow phone, the cost for the bot when five people watch it live, and the memory of their pages. */
import { parseArgs } from 'node:util'
import { inFolder, onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'
import { loading } from './dashboard/loading.ts'
import { measured } from './dashboard/measured.ts'

const { values } = parseArgs({
  options: {
    'per-minute': { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '2' },
    hold: { type: 'string', default: '60' },
    loads: { type: 'string', default: '5' },
    /** `loading` or `live`. */
    only: { type: 'string', default: 'loading and live' },
  },
})
const load = {
  perMinute: Number(values['per-minute']),
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  hold: Number(values.hold),
}
const { DATABASE_URL } = process.env
if (!DATABASE_URL) progress('DATABASE_URL is not set: no figures of a Postgres server')

const begin = machine()
const results = {
  machine: begin,
  ...(values.only.includes('loading') && { loading: await loading(Number(values.loads)) }),
  ...(values.only.includes('live') && {
    load,
    pglite: await inFolder(database => measured({ ...load, database })),
    ...(DATABASE_URL && { postgres: await onServer(DATABASE_URL, database => measured({ ...load, database })) }),
  }),
  // Other load on the machine is visible here.
  loadAtEnd: machine().load,
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
