/**
 * The cost of a message: in memory, with the embedded database, and with the server of DATABASE_URL if that is set.
 * With `--old FOLDER`, a checkout with its packages: the speeds in memory beside those of that version.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import { machine, progress } from '../base/measure.ts'
import { comparedWith, inMemory } from './pipeline/in-memory.ts'
import { withPglite, withPostgres } from './pipeline/with-database.ts'

const { old } = parseArgs({ options: { old: { type: 'string' } } }).values
const { DATABASE_URL } = process.env
if (!old && !DATABASE_URL) progress('DATABASE_URL is not set: no figures of a Postgres server')

const config = { persona: { name: 'kiki' }, plugins: [addressing(), judgeRules()] }
const results = {
  machine: machine(),
  ...(old
    ? { inMemory: await comparedWith(resolve(old)) }
    : {
        inMemory: await inMemory(),
        pglite: await withPglite(config),
        ...(DATABASE_URL && { postgres: await withPostgres(DATABASE_URL, config) }),
      }),
  // Other load on the machine is visible here.
  loadAtEnd: machine().load,
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
