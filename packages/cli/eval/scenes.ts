/** The scenes of `kikimimi eval`: short talks with what a bot should do in them, or know after them. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** Author and text, oldest first. `{{bot}}` stands for the name of the bot. */
const talk = z.array(z.tuple([z.string(), z.string()])).min(1)

const memoryScene = z.strictObject({
  name: z.string(),
  kind: z.enum(['extraction', 'change', 'recall', 'negation']),
  locale: z.enum(['en', 'ja']),
  talk,
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

export type MemoryScene = z.output<typeof memoryScene>

/** The bot decides about the last line. The lines before it are history. */
const scene = z.strictObject({
  name: z.string(),
  locale: z.enum(['en', 'ja']),
  talk,
  speaks: z.boolean(),
  contains: z.array(z.string()).default([]),
  forbids: z.array(z.string()).default([]),
})

export type Scene = z.output<typeof scene>

/** The subjects of scenes that play one situation. */
export const SITUATIONS = ['speak', 'context', 'injection'] as const

export async function readMemoryScenes(): Promise<readonly MemoryScene[]> {
  return z.array(memoryScene).parse(await read('memory'))
}

export async function readScenes(subject: (typeof SITUATIONS)[number]): Promise<readonly Scene[]> {
  return z.array(scene).parse(await read(subject))
}

async function read(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`./scenes/${name}.json`, import.meta.url), 'utf8'))
}
