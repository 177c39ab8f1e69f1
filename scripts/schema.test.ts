import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemas } from './schema.ts'

test('schema.sql of each owner shows what its migrations make; npm run schema writes it', async () => {
  const present = await schemas()
  expect([...present.values()].filter(text => text.includes('create table')).length).toBeGreaterThan(10)
  for (const [path, text] of present) {
    expect(await readFile(join(import.meta.dirname, '..', path), 'utf8').catch(() => ''), path).toBe(text)
  }
})
