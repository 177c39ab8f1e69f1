import { join } from 'node:path'
import { systemClock } from 'kikimimi'
import { createLogger } from '../core/base/log.ts'
import { loadTemplate } from '../core/storage/database/pglite/template.ts'

/** Prepares shared data of test files once, before the workers start. */
export default async function prepareTests(): Promise<void> {
  // The compiled code of the command line, which tests start a hundred times: it saves half of each start.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')
  await loadTemplate(
    createLogger({ level: 'warn', format: 'lines', write: line => process.stderr.write(line), clock: systemClock }),
  )
}
