import { styleText } from 'node:util'
import type { Clock } from './clock.ts'

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const

export type LogLevel = keyof typeof LEVELS

/** The names that the log itself gives in each line. */
const OWN_NAMES = ['at', 'level', 'plugin', 'message'] as const

/** Ids and counts beside a log message, by name. `at`, `level`, `plugin` and `message` are names of the log itself. */
export type LogFields = Readonly<Record<string, unknown>> & { readonly [Name in (typeof OWN_NAMES)[number]]?: never }

/**
 * Writes information for operators. Never pass it the text of a message, a name or a prompt. Ids and counts are enough to
 * find those in the database, where retention and erasure work.
 */
export interface Logger {
  /** For developers; hidden by default. */
  debug(message: string, fields?: LogFields): void
  /** The bot starts, connects or stops. */
  info(message: string, fields?: LogFields): void
  /** Something failed, and the bot continues without help. */
  warn(message: string, fields?: LogFields): void
  /** Something failed, and an operator has to act. */
  error(message: string, fields?: LogFields): void
  /** The same log; each line has the name of its plugin. */
  child(plugin: string): Logger
}

export interface LogOptions {
  readonly level: LogLevel
  /** `lines` for people at a terminal, `json` for machines. */
  readonly format: 'lines' | 'json'
  readonly write: (line: string) => void
  readonly clock: Clock
  /** Name of the bot, which each line has as a field. Absent: only one bot writes to this log. */
  readonly bot?: string | undefined
  /** Values that must not appear in the log: tokens, keys, passwords. */
  readonly secrets?: readonly string[]
}

export function createLogger(options: LogOptions, plugin?: string): Logger {
  const log = (level: Exclude<LogLevel, 'silent'>) => (message: string, fields?: LogFields) => {
    if (LEVELS[level] < LEVELS[options.level]) return
    const at = new Date(options.clock.now())
    const rest = { ...(options.bot !== undefined && { bot: options.bot }), ...renamed(fields ?? {}) }
    const line =
      options.format === 'json'
        ? JSON.stringify({ at, level, ...(plugin && { plugin }), message, ...rest }, errorsAsText)
        : pretty(at, level, plugin, message, rest)
    options.write(`${conceal(line, options.secrets ?? [])}\n`)
  }
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: name => createLogger(options, name),
  }
}

/** A plugin in JavaScript can pass a field with a name of the log. The field is written as `message_` and overwrites nothing. */
function renamed(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [OWN_NAMES.some(own => own === name) ? `${name}_` : name, value]),
  )
}

/** The secrets of an environment: values whose names say so, and the password in any URL. */
export function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    // `PGPASSWORD_FILE` is a path, which messages name.
    const found = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD)(_(?!FILE$)|$)/i.test(name) ? [value] : []
    if (URL.canParse(value)) {
      const { password } = new URL(value)
      found.push(password, decoded(password))
    }
    // The plain form and the JSON form.
    return found.filter(secret => secret.length >= 6).flatMap(secret => [secret, JSON.stringify(secret).slice(1, -1)])
  })
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

/** The text without the secrets. */
export function conceal(line: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line)
}

const COLOURS = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const

function pretty(
  at: Date,
  level: Exclude<LogLevel, 'silent'>,
  plugin: string | undefined,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): string {
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value, errorsAsText)}`)
  const mark = styleText(COLOURS[level], level, { stream: process.stderr })
  const head = `${at.toISOString().slice(11, 19)} ${mark}${plugin ? ` [${plugin}]` : ''} ${message}`
  return details.length ? `${head} ${styleText('dim', details.join(' '), { stream: process.stderr })}` : head
}

/** For `JSON.stringify`: errors are their messages. */
export function errorsAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value
}
