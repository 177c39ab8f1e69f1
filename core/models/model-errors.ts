/**
 * Maps errors of models to our codes. Providers put prompts, addresses and keys into their messages, so our error repeats
 * no part of a message: only a status, a reason in capitals and the remedy. The original error is the `cause`.
 */
import { type ErrorCode, KikimimiError } from '../base/errors.ts'

/** Reasons with which a provider withholds an answer. */
const BLOCKED = new Set(['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'content_filter'])

export function modelError(model: string, error: unknown): KikimimiError {
  if (error instanceof KikimimiError) return error
  const fail = (code: ErrorCode, what: string) => new KikimimiError(code, `[models] ${model} ${what}`, { cause: error })
  const status = statusOf(error)
  const finish = word(read(error, 'finishReason'))
  const block = word(read(error, 'blockReason'))

  if (block !== undefined || (finish !== undefined && BLOCKED.has(finish))) {
    const what = block === undefined ? 'kept its answer back' : 'refused the prompt'
    return fail(
      'MODEL_REFUSED',
      `${what} (${block ?? finish}). If this happens often, loosen its safety settings in bot.config.ts.`,
    )
  }
  if (nameOf(error) === 'EmptyContentError') return fail('MODEL_EMPTY', `answered with nothing${finish ? ` (${finish})` : ''}.`)
  if (isUnreadable(error)) return fail('MODEL_UNREADABLE', 'answered with something that is not the JSON it was asked for.')
  if (status === 429) {
    return fail(
      'MODEL_UNAVAILABLE',
      'is asked more often than its quota allows (429). Raise the quota, or let the bot speak less.',
    )
  }
  if (status === 404 && read(error, 'status_code') === status) {
    return fail('MODEL_REFUSED', `is not installed in Ollama (404). Install it with: ollama pull ${model}`)
  }
  if (status !== undefined && status >= 400 && status < 500 && !PASSING.has(status)) {
    return fail('MODEL_REFUSED', `${refusal(status, reasonsOf(error))}`)
  }
  if (status !== undefined) return fail('MODEL_UNAVAILABLE', `is not available at the moment (${status}).`)
  const code = word(read(error, 'code')) ?? word(read(read(error, 'cause'), 'code')) ?? nameOf(error)
  return fail('MODEL_UNAVAILABLE', `could not be reached (${code}). If this lasts, check the network and the model's address.`)
}

/** How long the provider asks the bot to wait, in milliseconds. */
export function retryAfter(error: unknown): number | undefined {
  const cause = read(error, 'cause')
  const told = read(cause, 'retryAfterMs')
  if (typeof told === 'number') return told
  // google.rpc.RetryInfo: { "@type": "…/google.rpc.RetryInfo", "retryDelay": "34.07s" }
  const delays = details(cause).map(detail => Number.parseFloat(String(read(detail, 'retryDelay'))) * 1000)
  return delays.find(Number.isFinite)
}

/** The answer arrived and cannot be parsed. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || read(error, 'lc_error_code') === 'OUTPUT_PARSING_FAILURE'
}

export function statusOf(error: unknown): number | undefined {
  const found = [
    read(error, 'status'),
    read(error, 'statusCode'),
    // Ollama's client.
    read(error, 'status_code'),
    read(read(error, 'response'), 'status'),
  ]
  return found.find(status => typeof status === 'number')
}

/** Statuses below 500 of passing failures: time-out, conflict, too early. */
const PASSING = new Set([408, 409, 425])

function refusal(status: number, reasons: readonly string[]): string {
  const given = [status, ...reasons].join(' ')
  if (status === 401 || status === 403 || reasons.includes('API_KEY_INVALID')) {
    return `did not accept the API key (${given}). Check the key in .env.`
  }
  if (status === 404) return `is not known to its provider (${given}). Check the name of the model in bot.config.ts.`
  return `refused the request (${given}). Usual causes: a prompt that is too long, or a tool or schema it cannot take.`
}

function reasonsOf(error: unknown): string[] {
  return details(error).flatMap(detail => word(read(detail, 'reason')) ?? [])
}

function details(error: unknown): readonly unknown[] {
  const found = read(error, 'errorDetails')
  return Array.isArray(found) ? found : []
}

/** Keeps only codes and reasons. A word that could be text of a person is left out. */
function word(value: unknown): string | undefined {
  return typeof value === 'string' && /^([A-Z][A-Z0-9_]{1,40}|content_filter)$/.test(value) ? value : undefined
}

function nameOf(error: unknown): string {
  return error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : 'unknown error'
}

function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
