/** What is recalled from, and asked for: the two shapes of a file. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const facts = z.object({
  facts: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      /** Whom it is about; `team` for nobody in particular. */
      subject: z.string(),
      channel: z.string(),
      visibility: z.enum(['public', 'private', 'dm']),
      ageDays: z.number(),
      supersedes: z.string().nullish(),
      /** How long it holds. Default: current. */
      lasts: z.enum(['durable', 'preference', 'current', 'event']).optional(),
    }),
  ),
  queries: z.array(
    z.object({
      q: z.string(),
      /** Any of these answers it; none: it must not be answered. */
      gold: z.array(z.string()),
      /** `leak:ID` asks for what must not be told here, `update` for what has changed, `abstain` for what nobody said. */
      kind: z.string(),
      /** `public`, or the channel it is asked in. */
      scope: z.string(),
    }),
  ),
})

const conversations = z.object({
  conversations: z.array(
    z.object({
      id: z.string(),
      turns: z.array(z.object({ id: z.string(), speaker: z.string(), text: z.string(), ageDays: z.number() })),
      questions: z.array(
        z.object({
          q: z.string(),
          /** All of these together answer it. */ evidence: z.array(z.string()),
          asker: z.string().optional(),
        }),
      ),
    }),
  ),
})

export type FactSet = z.infer<typeof facts>
export type TalkSet = z.infer<typeof conversations>

/** Throws when the file has neither shape, with what is wrong. */
export async function readSet(path: string): Promise<FactSet | TalkSet> {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'))
  return z.union([facts, conversations]).parse(value)
}
