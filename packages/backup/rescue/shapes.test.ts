/** A table that is added is taken by a rescue, or it is known why not. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SHAPES, whyLeft } from './shapes.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const tables = globSync('{core/storage,plugins/*}/schema.sql', { cwd: ROOT }).flatMap(file =>
  [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(/^create (?:unlogged )?table (\w+\.\w+)/gm)].flatMap(
    ([, name]) => name ?? [],
  ),
)
const taken = new Set(SHAPES.map(({ table, into }) => into ?? table))

test('each table of this version is taken, or is left for a known reason', () => {
  expect(tables).toContain('kikimimi.message')
  expect(tables.filter(table => !taken.has(table) && whyLeft(table) === whyLeft('unknown.table'))).toEqual([])
})
