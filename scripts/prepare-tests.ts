import { join } from 'node:path'
import { systemClock } from 'kikimimi'
import { createLogger } from '../core/base/log.ts'
import { loadTemplate } from '../core/storage/database/pglite-start.ts'

/** Makes what test files share, once, before each worker would make its own. */
export default async function prepareTests(): Promise<void> {
  // Half of the time that the command line takes to start, which tests do a hundred times.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')
  await loadTemplate(
    createLogger({ level: 'warn', format: 'lines', write: line => process.stderr.write(line), clock: systemClock }),
  )
}
