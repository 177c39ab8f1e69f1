/** Number and checksum of the rows of each table in a dump. */
import { createHash } from 'node:crypto'
import { KikimimiError } from 'kikimimi'
import { FORMAT, type Line, type TableSum } from './dump.ts'
import { qualified } from './tables.ts'

export interface TableSums {
  add(table: string, row: string): void
  readonly all: Readonly<Record<string, TableSum>>
}

/**
 * The checksum of a table is the sum of the hashes of its rows, in 64 bits: it does not depend on the order of the rows, which differs
 * between databases. It finds mistakes; forgery is the matter of the encryption.
 */
export function createTableSums(): TableSums {
  const sums = new Map<string, { rows: number; sum: bigint }>()
  return {
    add(table, row) {
      const one = sums.get(table) ?? { rows: 0, sum: 0n }
      one.rows++
      one.sum = BigInt.asUintN(64, one.sum + createHash('sha256').update(row).digest().readBigUInt64BE())
      sums.set(table, one)
    },
    get all() {
      const entries = [...sums].map(([table, { rows, sum }]) => [table, { rows, sum: sum.toString(16).padStart(16, '0') }] as const)
      return Object.fromEntries(entries)
    },
  }
}

/** What a complete dump holds. */
export interface Content {
  /** When it was made. */
  readonly at: Date
  readonly rows: number
  readonly jobs: number
  readonly tables: Readonly<Record<string, TableSum>>
}

const ROW = '{"row":'

/**
 * Reads a dump to its end.
 *
 * @throws BACKUP_UNREADABLE if it is not complete, or if a table does not have the rows that it had
 */
export async function contentOf(lines: AsyncIterable<string>): Promise<Content> {
  const sums = createTableSums()
  let at: string | undefined
  let table = ''
  let [rows, jobs] = [0, 0]
  for await (const text of lines) {
    if (text.startsWith(ROW)) {
      rows++
      sums.add(table, text.slice(ROW.length, -1))
      continue
    }
    const line = parse(text)
    if ('kikimimi' in line && line.kikimimi === FORMAT) at = line.at
    else if (at === undefined) throw incomplete('this version does not support its format')
    else if ('table' in line) table = qualified(line.table)
    else if ('job' in line) jobs++
    else if ('end' in line) {
      if (line.end.rows !== rows || line.end.jobs !== jobs) throw incomplete('lines are missing')
      const { all } = sums
      const wrong = Object.entries(line.end.tables ?? {}).find(([name, { sum }]) => all[qualified(name)]?.sum !== sum)
      if (wrong) throw incomplete(`the rows of ${wrong[0]} are not those that were written`)
      return { at: new Date(at), rows, jobs, tables: all }
    }
  }
  throw incomplete('it ends too early')
}

function parse(text: string): Line {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw incomplete('it is not JSON', error)
  }
}

function incomplete(why: string, cause?: unknown): KikimimiError {
  return new KikimimiError('BACKUP_UNREADABLE', `This is not a complete backup of a bot: ${why}.`, { cause })
}
