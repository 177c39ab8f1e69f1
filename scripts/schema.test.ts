import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemas } from './schema.ts'

test('schema.sql of each owner shows what its migrations make; npm run schema writes it', async () => {
  const present = await schemas()
  expect(present.size).toBeGreaterThan(1)
  for (const [path, text] of present) {
    expect(text, path).toContain('create table')
    expect(await readFile(join(import.meta.dirname, '..', path), 'utf8').catch(() => ''), path).toBe(text)
  }
})
