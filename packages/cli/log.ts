import { KikimimiError, type Logger, systemClock } from 'kikimimi'
import { createLogger, type LogLevel, secretsOf } from 'kikimimi/host'

const LOG_LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent'] satisfies LogLevel[]

/**
 * The log of a process, on standard error.
 * @param bot name of the bot in each line. Absent: the process has one bot
 * @throws USAGE for an unknown level or format
 */
export function createLog(usual: LogLevel, bot?: string): Logger {
  const { LOG_LEVEL = usual, LOG_FORMAT = process.stderr.isTTY ? 'lines' : 'json' } = process.env
  if (!isLevel(LOG_LEVEL))
    throw new KikimimiError('USAGE', `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, got "${LOG_LEVEL}".`)
  if (LOG_FORMAT !== 'lines' && LOG_FORMAT !== 'json')
    throw new KikimimiError('USAGE', `LOG_FORMAT must be lines or json, got "${LOG_FORMAT}".`)
  const write = (line: string) => void process.stderr.write(line)
  const secrets = secretsOf(process.env)
  return createLogger({ level: LOG_LEVEL, format: LOG_FORMAT, write, clock: systemClock, bot, secrets })
}

function isLevel(level: string): level is LogLevel {
  return LOG_LEVELS.includes(level)
}
