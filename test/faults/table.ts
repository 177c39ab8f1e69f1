/** What goes wrong on purpose, and what comes of it: the tables of docs/faults.md, and the tests behind each cell. */
import { describe, test } from 'vitest'

/** A short sentence for whoever looks after a bot, and the test that shows it. */
export interface Cell {
  readonly comes: string
  /** Why it cannot be tried here. */
  skip?(): string | undefined
  readonly try: () => Promise<void>
}

export interface Row {
  readonly what: string
  /** By column; a column that makes no sense for this row is left out. */
  readonly cells: Readonly<Record<string, Cell>>
}

export interface Table {
  /** Its heading in docs/faults.md. */
  readonly heading: string
  /** Of the first column. */
  readonly of: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** A test for each cell. */
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

/** The table as it stands under its heading. */
export function toMarkdown({ of, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line([of, ...columns]),
    line(Array(columns.length + 1).fill('---')),
    ...rows.map(({ what, cells }) => line([what, ...columns.map(column => cells[column]?.comes ?? '–')])),
  ].join('\n')
}
