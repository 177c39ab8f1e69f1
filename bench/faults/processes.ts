/**
 * Two processes of one bot on one Postgres server, one of which is killed halfway: is every message recorded and answered
 * once?
 */
import { parseArgs } from 'node:util'
import { onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'
import { measured } from './processes/measured.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    rate: { type: 'string', default: '200' },
    kills: { type: 'string', default: '1' },
    'without-nonce': { type: 'boolean', default: false },
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
    seconds: Number(values.seconds),
    perSecond: Number(values.rate),
    kills: Number(values.kills),
    idempotent: !values['without-nonce'],
  }),
)
const { messages, questions } = result
// Other load on the machine is visible in the load.
process.stdout.write(`${JSON.stringify({ machine: begun, ...result, loadAtEnd: machine().load }, null, 2)}\n`)
const isKept = messages.recorded === messages.said && questions.answeredOnce === questions.asked && result.unasked === 0
if (!isKept) progress('NOT all was recorded once and answered once')
process.exitCode = isKept ? 0 : 1
