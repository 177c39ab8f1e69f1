/** The cost of a message without a mention, for the bot of bot.config.ts: total, by plugin and by statement. */
import config from '../../bot.config.ts'
import { machine, progress } from '../base/measure.ts'
import { withPglite, withPostgres } from './pipeline/with-database.ts'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) progress('DATABASE_URL is not set: no figures of a Postgres server')

const results = {
  machine: machine(),
  pglite: await withPglite(config),
  ...(DATABASE_URL && { postgres: await withPostgres(DATABASE_URL, config) }),
  // Other load on the machine is visible here.
  loadAtEnd: machine().load,
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
