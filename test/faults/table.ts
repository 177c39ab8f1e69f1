/** Faults and their effects: the tables of docs/faults.md, and a test for each cell. */
import { describe, test } from 'vitest'

/** A short sentence for operators, and its test. */
export interface Cell {
  readonly comes: string
  /** Why it cannot be tested here. */
  skip?(): string | undefined
  readonly try: () => Promise<void>
}

export interface Row {
  readonly what: string
  /** By column. A column without a meaning for this row is absent. */
  readonly cells: Readonly<Record<string, Cell>>
}

export interface Table {
  /** Its heading in docs/faults.md. */
  readonly heading: string
  /** Title of the first column. */
  readonly of: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** Defines a test for each cell. */
export function tests({ heading, columns, rows }: Table, timeout = 60_000): void {
  describe(heading, { timeout }, () => {
    for (const { what, cells } of rows) {
      for (const column of columns) {
        const cell = cells[column]
        if (!cell) continue
        const why = cell.skip?.()
        if (why !== undefined) process.stderr.write(`Not tried here: ${what}. Why: ${why}.\n`)
        test.skipIf(why !== undefined)(`${what}, ${column}: ${cell.comes}`, () => cell.try())
      }
    }
  })
}

/** The table in Markdown. */
export function toMarkdown({ of, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line([of, ...columns]),
    line(Array(columns.length + 1).fill('---')),
    ...rows.map(({ what, cells }) => line([what, ...columns.map(column => cells[column]?.comes ?? '–')])),
  ].join('\n')
}
