/** docs/reference.md says what the code says. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the reference is up to date, every option says what it does, and every environment variable is told of', async () => {
  const script = join(import.meta.dirname, '../scripts/reference.ts')
  await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({ stderr: '' })
})
