import type { ErrorCode } from './error-codes.ts'

export type { ErrorCode }

/**
 * An error that a person can act on. Its message says who refuses, what was given and what to do. The original error, if there
 * is one, is its `cause`.
 */
export class KikimimiError extends Error {
  /** Stable across versions. docs/errors.md explains each. */
  readonly code: ErrorCode
  /** Milliseconds after which what failed can succeed. Absent: not known. */
  declare readonly retryAfterMs?: number

  constructor(code: ErrorCode, message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options)
    this.name = 'KikimimiError'
    this.code = code
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
  }
}

/** Codes whose messages can repeat a value that came from a person or from a platform. */
const QUOTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['ARGUMENT_INVALID', 'PLATFORM_REFUSED', 'PLATFORM_UNAVAILABLE'])

/** Whether the message of an error is our own and repeats no text of people, so that logs and tables may keep it. */
export function isSafeToKeep(error: unknown): error is KikimimiError {
  return error instanceof KikimimiError && !QUOTING.has(error.code)
}

/** Name and code of a thrown value, for places where its message must not go: it may quote people or contain a key. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error'
  const words = [error.name, 'code' in error ? error.code : undefined]
  return words.filter(word => typeof word === 'string' && /^\w{1,60}$/.test(word)).join(' ') || 'an error'
}

/** Largest length of a message; the rest is cut. */
const MESSAGE_LENGTH = 10_000

/** The message of a thrown value, on one line. Never throws, because plugins can throw values of any kind. */
export function reason(error: unknown): string {
  return readable(error)
    .slice(0, MESSAGE_LENGTH)
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
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
  // A refused connection to a host with several addresses throws an AggregateError without a message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(message).join('; ')
  if (error instanceof Error) return error.message || error.name
  const told = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return typeof told === 'object' ? JSON.stringify(told) : told
}
