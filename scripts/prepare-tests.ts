import { systemClock } from '../core/clock.ts'
import { loadTemplate } from '../core/database/pglite-start.ts'
import { createLogger } from '../core/log.ts'

/** Makes the empty database that tests start from, once, before each worker would make its own. */
export default async function prepareTests(): Promise<void> {
  await loadTemplate(
    createLogger({ level: 'warn', format: 'lines', write: line => process.stderr.write(line), clock: systemClock }),
  )
}
