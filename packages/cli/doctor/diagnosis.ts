/** The results of `kikimimi doctor`. */

/** `error`: the bot does not work, loses data, or shows data to others. `warning`: that can happen, or the bot is slower than it should be. */
export type Severity = 'ok' | 'warning' | 'error'

export interface Diagnosis {
  readonly severity: Severity
  /** What was found. */
  readonly what: string
  /** The file, with its line if it is known, or the table. */
  readonly where?: string
  /** What to do. Absent if nothing is wrong. */
  readonly remedy?: string
  /** Repairs it, and returns what it did. Present if the repair deletes nothing that people said. */
  fix?(): Promise<string>
}

/** A check: a row of the table of checks. */
export interface Check<Subject> {
  readonly name: string
  run(subject: Subject): Diagnosis[] | Promise<Diagnosis[]>
}

export const ok = (what: string): Diagnosis => ({ severity: 'ok', what })

/** `1 row`, `2 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
