/** The scenes of `kikimimi eval memory`: short talks with what a bot should know after them. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const scene = z.strictObject({
  name: z.string(),
  kind: z.enum(['extraction', 'change', 'recall', 'negation']),
  locale: z.enum(['en', 'ja']),
  /** Author and text, oldest first. */
  talk: z.array(z.tuple([z.string(), z.string()])).min(1),
  /** What a perfect model finds: the line (from 1 on), the parts, and the contents of the facts that it replaces. */
  facts: z.array(
    z.strictObject({
      line: z.int(),
      ...{ content: z.string(), subject: z.string(), relation: z.string(), value: z.string(), quote: z.string() },
      single: z.boolean().default(false),
      replaces: z.array(z.string()).default([]),
    }),
  ),
  /** Words of facts that must hold, that must be history, and that no fact may contain. */
  holds: z.array(z.string()).default([]),
  over: z.array(z.string()).default([]),
  never: z.array(z.string()).default([]),
  /** A question to the bot in the end, and words of which the answer must have one. */
  ask: z.tuple([z.string(), z.string()]).optional(),
  answer: z.array(z.string()).default([]),
})

export type Scene = z.output<typeof scene>

export async function readScenes(): Promise<readonly Scene[]> {
  return z.array(scene).parse(JSON.parse(await readFile(new URL('./scenes.json', import.meta.url), 'utf8')))
}
