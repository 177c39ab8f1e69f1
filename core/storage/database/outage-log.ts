import type { Logger } from '../../base/log.ts'
import type { Availability } from './availability.ts'

/**
 * The same log during an outage of the database: a warning that only repeats its reason becomes `debug`. Whatever uses the database
 * warns when it fails, and all of them say the same. The reason is recognized by its text, because most warnings quote an error.
 */
export function createOutageLog(log: Logger, availability: Pick<Availability, 'repeats'>): Logger {
  return {
    ...log,
    warn(message, fields) {
      const repeats = availability.repeats([message, ...Object.values(fields ?? {}).map(textOf)].join('\n'))
      log[repeats ? 'debug' : 'warn'](message, fields)
    },
    child: plugin => createOutageLog(log.child(plugin), availability),
  }
}

function textOf(value: unknown): string {
  return value instanceof Error ? value.message : typeof value === 'string' ? value : ''
}
