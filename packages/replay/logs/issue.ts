import type { z } from 'zod'

/** The first mistake, with its place: `author.id: Invalid input`. */
export function issueOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.')}: ${issue?.message}`
}
