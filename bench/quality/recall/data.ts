/** The facts and the questions: the two formats of a file. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const facts = z.object({
  facts: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      /** The subject of the fact; `team` without a person. */
      subject: z.string(),
      channel: z.string(),
      visibility: z.enum(['public', 'private', 'dm']),
      ageDays: z.number(),
      supersedes: z.string().nullish(),
      /** How long it is valid. Default: current. */
      lasts: z.enum(['durable', 'preference', 'current', 'event']).optional(),
    }),
  ),
  queries: z.array(
    z.object({
      q: z.string(),
      /** Each of these answers the question. Empty: it must not be answered. */
      gold: z.array(z.string()),
      /**
       * `leak:ID` asks for a fact that must not be shown here, `update` for a changed one, `abstain` for an unknown one.
       */
      kind: z.string(),
      /** `public`, or the channel of the question. */
      scope: z.string(),
    }),
  ),
})

const conversations = z.object({
  /** The time of the questions, from which `ageDays` counts back. Default: that of the bench. */
  today: z.coerce.date().optional(),
  conversations: z.array(
    z.object({
      id: z.string(),
      turns: z.array(
        z.object({
          id: z.string(),
          speaker: z.string(),
          text: z.string(),
          ageDays: z.number(),
          channel: z.string().optional(),
        }),
      ),
      questions: z.array(
        z.object({
          q: z.string(),
          /** All of these together answer it. Empty: it must not be answered. */
          evidence: z.array(z.string()),
          asker: z.string().optional(),
          /** The kind of the question, for a line of its own. LoCoMo has numbers. */
          kind: z.string().optional(),
          category: z.number().optional(),
        }),
      ),
    }),
  ),
})

export type FactSet = z.infer<typeof facts>
export type TalkSet = z.infer<typeof conversations>

/** Throws when the file has neither format, with the reason. */
export async function readSet(path: string): Promise<FactSet | TalkSet> {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'))
  return z.union([facts, conversations]).parse(value)
}
