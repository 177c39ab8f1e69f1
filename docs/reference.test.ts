/** docs/reference.md says what the code says. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the reference is up to date, every option says what it does, and every environment variable is told of', async () => {
  const script = join(import.meta.dirname, '../scripts/reference.ts')
  await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({ stderr: '' })
})

test('the metrics that an alert goes by are there', () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
  const watched = read('operations.md').match(/\bkikimimi_\w+/g) ?? []
  expect(watched).not.toEqual([])
  expect(watched.filter(name => !read('reference.md').includes(`\`${name}\``))).toEqual([])
})
