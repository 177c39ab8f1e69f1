import { expect, test } from 'vitest'
import { variablesRead } from './environment.ts'

test('tests read their database in one way, so that each file is repeated on Postgres', () => {
  const readers = variablesRead()
  for (const name of ['TEST_DATABASE_URL', 'KIKIMIMI_DATABASE_TESTS'])
    expect(readers.get(name), `Call testServer() instead of reading ${name}.`).toEqual(['core/testing/test-database.ts'])
})
