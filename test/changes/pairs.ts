/** Pairs of statements: the second changes the first one, or only seems to. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const claim = z.strictObject({
  /** The place of its message in `talk`, from 0 on. */
  message: z.int().nonnegative(),
  content: z.string(),
  kind: z.enum(['durable', 'preference', 'current', 'event']),
  people: z.array(z.string()),
  subject: z.string(),
  relation: z.string(),
  value: z.string(),
  /** Whether the relation has one value at a time. Absent: the extractor does not say. */
  single: z.boolean().optional(),
  /** Dates such as 2025-12-01. */
  validFrom: z.string().optional(),
  validTo: z.string().optional(),
  /** The facts of this list that no longer hold because of it, from 0 on. */
  replaces: z.array(z.int().nonnegative()).optional(),
})

const pair = z.strictObject({
  id: z.string(),
  language: z.enum(['en', 'ja']),
  /** False: a harmless pair. Its first fact continues to hold. */
  real: z.boolean(),
  /** The kind of change, or what makes it look like one. */
  case: z.string(),
  talk: z.array(z.strictObject({ by: z.string(), on: z.string(), text: z.string() })).min(2),
  /** The facts that an extractor returns that makes no mistake, and one that errs. */
  right: z.array(claim),
  wrong: z.array(claim),
})

export type Pair = z.infer<typeof pair>
export type Claim = z.infer<typeof claim>

export const CHANGES = new URL('../../bench/data/changes.json', import.meta.url)

export async function readPairs(file: URL = CHANGES): Promise<readonly Pair[]> {
  return z.array(pair).parse(JSON.parse(await readFile(file, 'utf8')))
}
