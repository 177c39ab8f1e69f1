import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variablesRead } from './environment.ts'

const root = join(import.meta.dirname, '../..')

test('tests read their server in one way', () => {
  expect(variablesRead().get('TEST_DATABASE_URL'), 'Call testServer instead.').toEqual([
    'core/testing/test-database.ts',
    'vitest.config.ts',
  ])
})

test('a test that does on a server what it does not do on PGlite is in a file that is run there', () => {
  const files = globSync('{core,docs,packages,plugins,scripts,test}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] })
  const unmarked = files.filter(file => {
    const source = readFileSync(join(root, file), 'utf8')
    return /testServer\(\)/.test(source) && !source.startsWith('// postgres: ')
  })
  expect(unmarked, 'Begin the file with "// postgres: REASON".').toEqual([])
})
