/** What the routes of replays share. */
import { KikimimiError, type PluginContext } from 'kikimimi'

export type TuningApp = Pick<PluginContext, 'db' | 'log' | 'use'>

/** Numbers of last messages that a person can choose. */
export const LIMITS = [500, 2_000, 5_000] as const

export const noReplays = { message: 'replay() is not in bot.config.ts: add it, and other options can be tried on what was said.' }

const STATUS: Readonly<Record<string, 404 | 409 | 422>> = {
  OPTIONS_INVALID: 422,
  MODEL_MISSING: 422,
  LOG_FILE_INVALID: 422,
  REPLAY_NOTHING: 404,
  REPLAY_BUSY: 409,
}

/** Nothing: it is no error of the request. */
export function statusOf(error: unknown): 404 | 409 | 422 | undefined {
  return error instanceof KikimimiError ? STATUS[error.code] : undefined
}
