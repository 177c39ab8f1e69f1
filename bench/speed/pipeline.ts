/** The cost of a message: in memory, with the embedded database, and with the server of DATABASE_URL if that is set. */
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import { machine, progress } from '../base/measure.ts'
import { inMemory } from './pipeline/in-memory.ts'
import { withPglite, withPostgres } from './pipeline/with-database.ts'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) progress('DATABASE_URL is not set: no figures of a Postgres server')

const config = { persona: { name: 'kiki' }, plugins: [addressing(), judgeRules()] }
const results = {
  machine: machine(),
  inMemory: await inMemory(),
  pglite: await withPglite(config),
  ...(DATABASE_URL && { postgres: await withPostgres(DATABASE_URL, config) }),
  // Other load on the machine is visible here.
  loadAtEnd: machine().load,
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
