/**
 * Every way in which kikimimi refuses, by its stable code. The message is for the person who must act:
 * who, what, what was given, what to do.
 */
export type ErrorCode =
  /** bot.config.ts: missing, does not load, exports no bot, has an unknown or wrong setting. */
  | 'CONFIG_NOT_FOUND'
  | 'CONFIG_BROKEN'
  | 'CONFIG_INVALID'
  /** Plugins that do not fit together. */
  | 'PLUGIN_INVALID'
  | 'PLUGIN_DUPLICATE'
  | 'HOOK_UNKNOWN'
  | 'OPTIONS_INVALID'
  | 'SERVICE_MISSING'
  | 'SERVICE_DUPLICATE'
  | 'SERVICE_CYCLE'
  | 'SERVICE_NOT_DECLARED'
  | 'TOOL_DUPLICATE'
  | 'COMMAND_DUPLICATE'
  | 'SETUP_FAILED'
  | 'SETUP_TIMEOUT'
  | 'PLATFORM_MISSING'
  | 'PLATFORM_DUPLICATE'
  | 'PLATFORM_START_FAILED'
  | 'PLATFORM_LOST'
  | 'RELOAD_FAILED'
  /** The database. */
  | 'DATABASE_LOCKED'
  | 'DATABASE_UNREACHABLE'
  | 'DATABASE_BROKEN'
  | 'DATABASE_EXTENSION_MISSING'
  | 'DATABASE_NONE'
  | 'MIGRATION_FAILED'
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_UNKNOWN'
  /** Models. */
  | 'MODEL_MISSING'
  | 'MODEL_TIMEOUT'
  | 'MODEL_UNAVAILABLE'
  | 'MODEL_REFUSED'
  | 'MODEL_EMPTY'
  | 'MODEL_UNREADABLE'
  | 'MODEL_BREAKER_OPEN'
  | 'MODEL_BUDGET_SPENT'
  /** Prompts. */
  | 'PROMPT_MISSING'
  | 'PROMPT_VALUE_MISSING'
  /** Texts of the product, in `locales/`. */
  | 'TEXT_MISSING'
  | 'TEXT_VALUE_MISSING'
  /** At run time. */
  | 'MESSAGE_INVALID'
  | 'SEND_FAILED'
  | 'STAGE_TIMEOUT'
  | 'STAGE_NONSENSE'
  | 'JOB_MISPLACED'
  | 'IN_TRANSACTION'
  | 'STOPPED'
  | 'FORGET_FAILED'
  | 'HALTED'
  | 'REPLAY_BUSY'
  | 'REPLAY_NOTHING'
  /** The command line. */
  | 'USAGE'
  | 'INVITE_NOWHERE'
  | 'EXPORT_NOTHING'
  | 'EXPORT_UNFIT'
  | 'NEW_REFUSED'
  | 'BACKUP_UNREADABLE'
  | 'BACKUP_UNFIT'
  | 'LOG_FILE_INVALID'

/** An error that a person can act on. The original, if there is one, is its `cause`. */
export class KikimimiError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'KikimimiError'
    this.code = code
  }
}

/** Name and code of whatever was thrown, for where a message must not go: that may quote what people said, or hold a key. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error'
  const words = [error.name, 'code' in error ? error.code : undefined]
  return words.filter(word => typeof word === 'string' && /^\w{1,60}$/.test(word)).join(' ') || 'an error'
}

/** No person reads more of a message. */
const MESSAGE_LENGTH = 10_000

/** The message of whatever was thrown, on one line. Never throws itself: authors of plugins can throw anything. */
export function reason(error: unknown): string {
  return readable(error)
    .slice(0, MESSAGE_LENGTH)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

function readable(error: unknown): string {
  try {
    return String(message(error)) || 'an error without a message'
  } catch {
    return 'an error that cannot be read'
  }
}

function message(error: unknown): unknown {
  // A refused connection to a name with several addresses is one of these, with no message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(message).join('; ')
  if (error instanceof Error) return error.message || error.name
  const told = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return typeof told === 'object' ? JSON.stringify(told) : told
}
