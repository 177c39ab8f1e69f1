/** Verdicts of real models: the same prompt is paid once. The command keeps them on disk, a running bot in memory. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecentMap } from 'kikimimi'
import { jsonSchemaOf } from 'kikimimi/host'
import type { GenerateRequest } from 'kikimimi/model'
import type { KnownVerdicts, Verdict } from './ask.ts'

/** Verdicts that are kept. The longest unused are deleted. */
const MOST = 20_000

/** The folder of the verdicts: `verdicts` in KIKIMIMI_CACHE, or in `.cache`. */
export function verdictFolder(): string {
  return join(process.env.KIKIMIMI_CACHE || '.cache', 'verdicts')
}

/** The key of a request: a hash of the model, the prompt and the form of the answer. */
export function keyOf(
  model: string,
  { system, messages, schema }: Pick<GenerateRequest, 'system' | 'messages' | 'schema'>,
): string {
  const turns = messages.map(({ role, text }) => [role, text])
  return createHash('sha256')
    .update(JSON.stringify([model, system, turns, schema && jsonSchemaOf(schema)]))
    .digest('hex')
}

/** Verdicts in memory. */
export function verdictsInMemory(): KnownVerdicts {
  return new RecentMap<Verdict>(MOST)
}

export class VerdictCache implements KnownVerdicts {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The verdict, or nothing for a prompt that was never asked. A file that cannot be read counts as never asked. */
  async get(key: string): Promise<unknown> {
    const file = this.#file(key)
    try {
      const verdict: unknown = JSON.parse(await readFile(file, 'utf8'))
      const now = new Date()
      await utimes(file, now, now)
      return verdict
    } catch {
      return undefined
    }
  }

  /** A verdict is written beside its place and moved there: a process that ends meanwhile leaves no half of it. */
  async set(key: string, verdict: Verdict): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const unfinished = join(this.#folder, `${key}.${process.pid}.tmp`)
    await writeFile(unfinished, JSON.stringify(verdict))
    await rename(unfinished, this.#file(key))
  }

  /** Deletes the files that were not used for the longest time, if there are too many. */
  async trim(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    if (names.length <= MOST) return
    const files = await Promise.all(
      names.map(async name => ({ name, used: (await stat(join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
    )
    const unused = files.sort((a, b) => a.used - b.used).slice(0, names.length - MOST)
    await Promise.all(unused.map(({ name }) => rm(join(this.#folder, name), { force: true })))
  }

  #file(key: string): string {
    return join(this.#folder, `${key}.json`)
  }
}
