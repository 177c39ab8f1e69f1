/** The files of GateMem: episodes of several people with one memory, and checkpoints that question it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const principal = z.object({ principal_id: z.string(), role: z.string() })

const episode = z.object({
  episode_id: z.string(),
  domain: z.enum(['household', 'office']),
  entities: z.object({
    principals: z.array(principal.extend({ display_name: z.string() })),
    relationships: z.array(z.object({ type: z.string(), principal_id: z.string(), project_id: z.string().optional() })),
  }),
  turns: z.array(z.object({ turn_id: z.string(), speaker: principal, text: z.string() })),
})

const checkpoint = z.object({
  checkpoint_id: z.string(),
  episode_id: z.string(),
  /** The question comes after this turn. */
  as_of_turn_id: z.string(),
  asker: principal,
  /** `safety` asks for what was withdrawn, `privacy` for what is not for the asker. */
  query_type: z.enum(['utility', 'privacy', 'safety']),
  query_text: z.string(),
  /** Parts of a right answer: texts, some of them regular expressions. */
  judge_spec: z.object({ include: z.array(z.string()).default([]) }),
  /** What must not be said. */
  leak_targets: z.array(z.string()).default([]),
})

export type Checkpoint = z.output<typeof checkpoint>
export type Turn = z.output<typeof episode>['turns'][number]
export interface Episode extends z.output<typeof episode> {
  readonly checkpoints: readonly Checkpoint[]
}

/** @param count number of episodes, half of each domain; absent: all */
export async function readEpisodes(folder: string, count?: number): Promise<readonly Episode[]> {
  const domains = await Promise.all(
    ['household', 'office'].map(async domain => {
      const checkpoints = await lines(join(folder, domain, 'checkpoints.jsonl'), checkpoint)
      const episodes = await lines(join(folder, domain, 'episodes.jsonl'), episode)
      return episodes.map(one => ({
        ...one,
        checkpoints: checkpoints.filter(({ episode_id }) => episode_id === one.episode_id),
      }))
    }),
  )
  return domains.flatMap((all, at) =>
    count === undefined ? all : all.slice(0, at === 0 ? Math.ceil(count / 2) : Math.floor(count / 2)),
  )
}

async function lines<T>(file: string, schema: z.ZodType<T>): Promise<readonly T[]> {
  const text = await readFile(file, 'utf8')
  return text.split('\n').flatMap(line => (line.trim() === '' ? [] : schema.parse(JSON.parse(line))))
}
