/** Keeps the latest lines of the log in memory, for a page that shows them. */
import type { LatestLog, LogLine } from '../../api/operator.ts'
import type { Clock } from '../../base/clock.ts'
import { conceal, errorsAsText, type LogFields, type Logger } from '../../base/log.ts'

/** Lines of each level, so that many of one level leave those of the others. */
const KEPT = 500

/** Characters of a message and of its fields. */
const LONGEST = 2_000

export interface KeptLog extends LatestLog {
  /** Writes to the given log, and keeps its lines. */
  readonly logger: Logger
}

/** @param secrets values that are kept out of the lines */
export function keepLatest(log: Logger, clock: Pick<Clock, 'now'>, secrets: readonly string[]): KeptLog {
  const kept: Readonly<Record<LogLine['level'], LogLine[]>> = { info: [], warn: [], error: [] }
  const listeners = new Set<(line: LogLine) => void>()
  let count = 0

  function keep(level: LogLine['level'], plugin: string | undefined, message: string, fields: LogFields | undefined): void {
    const details = fields && Object.keys(fields).length > 0 ? JSON.stringify(fields, errorsAsText) : undefined
    const line: LogLine = {
      number: ++count,
      at: new Date(clock.now()),
      level,
      ...(plugin !== undefined && { plugin }),
      message: conceal(message, secrets).slice(0, LONGEST),
      ...(details !== undefined && { fields: conceal(details, secrets).slice(0, LONGEST) }),
    }
    kept[level].push(line)
    if (kept[level].length > KEPT) kept[level].shift()
    for (const listen of listeners) listen(line)
  }

  function keeping(log: Logger, plugin?: string): Logger {
    const write = (level: LogLine['level']) => (message: string, fields?: LogFields) => {
      log[level](message, fields)
      keep(level, plugin, message, fields)
    }
    return {
      debug: (message, fields) => log.debug(message, fields),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: name => keeping(log.child(name), name),
    }
  }

  return {
    logger: keeping(log),
    recent: () =>
      Object.values(kept)
        .flat()
        .sort((one, other) => one.number - other.number),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
