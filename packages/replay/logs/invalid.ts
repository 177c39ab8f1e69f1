import { KikimimiError } from 'kikimimi'
import type { z } from 'zod'

/** A chat log or an export that cannot be read, and why. `readChatLog` adds the file and the place. */
export function invalid(why: string, cause?: unknown): KikimimiError {
  return new KikimimiError('LOG_FILE_INVALID', why, { cause })
}

/** The first mistake, with its place: `author.id: Invalid input`. */
export function issueOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.')}: ${issue?.message}`
}
