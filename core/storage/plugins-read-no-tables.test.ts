import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The tables of the kernel, and the schema of the job queue. */
const internal = new RegExp(String.raw`\bkikimimi"?\."?(${[...tables(), 'migration'].join('|')})\b|\bpgboss"?\.`)

test('no plugin reads a table of the kernel or of the job queue: docs/database.md has views for it', () => {
  // Tests write what the kernel would have written, and so does what several tests of the dashboard share.
  const exclude = ['**/node_modules/**', '**/*.test.ts', 'plugins/dashboard/testing/**', '**/schema.sql']
  const sources = globSync('plugins/**/*.{ts,sql}', { cwd: root, exclude })
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter(path => internal.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test.each([
  ['select * from kikimimi.message', true],
  ['select * from "kikimimi"."trace"', true],
  ['select * from pgboss.job', true],
  ['select * from kikimimi_v1.message', false],
  ['kikimimi.yaml', false],
])('%s: internal %s', (sql, found) => {
  expect(internal.test(sql)).toBe(found)
})

function tables(): string[] {
  const migrations = globSync('core/storage/migrations/*.sql', { cwd: root }).map(path => readFileSync(join(root, path), 'utf8'))
  return migrations.flatMap(sql => Array.from(sql.matchAll(/create table kikimimi\.(\w+)/g), ([, name = '']) => name))
}
