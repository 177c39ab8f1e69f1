import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPasswordFile } from './container.ts'

test('the password comes from the file, without its line break, and a refusal names the file', async () => {
  await using scope = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'password-'))
  scope.defer(() => rm(folder, { recursive: true }))
  const PGPASSWORD_FILE = join(folder, 'password')
  await writeFile(PGPASSWORD_FILE, 'a b:c/d\n')
  const env: NodeJS.ProcessEnv = { PGPASSWORD_FILE, PGPASSWORD: '' }
  readPasswordFile(env)
  expect(env).toEqual({ PGPASSWORD_FILE, PGPASSWORD: 'a b:c/d' })
})

test('a command that needs no database needs no file', () => {
  const env: NodeJS.ProcessEnv = { PGPASSWORD_FILE: '/nowhere' }
  readPasswordFile(env)
  expect(env).toEqual({ PGPASSWORD_FILE: '/nowhere' })
})

test('PGPASSWORD has priority, and then a refusal does not name the file', () => {
  const env: NodeJS.ProcessEnv = { PGPASSWORD_FILE: '/nowhere', PGPASSWORD: 'one' }
  readPasswordFile(env)
  expect(env).toEqual({ PGPASSWORD: 'one' })
})
