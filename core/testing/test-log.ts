import { type Clock, systemClock } from '../base/clock.ts'
import { createLogger, type Logger, type LogLevel } from '../base/log.ts'

/** A logger that writes nothing. */
export const silentLog: Logger = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

export interface TestLogOptions {
  /** Lowest level that is written. Default `debug`. */
  readonly level?: LogLevel
  /** `json`: one JSON object per line, with all fields. Default `json`. */
  readonly format?: 'lines' | 'json'
  /** Default: the system clock. */
  readonly clock?: Clock
}

/** A logger that appends its lines to an array, oldest first. */
export function collectLog(
  lines: string[],
  { level = 'debug', format = 'json', clock = systemClock }: TestLogOptions = {},
): Logger {
  return createLogger({ level, format, write: line => void lines.push(line), clock })
}
