/** Every refusal has a code, and every code has an entry in the table and a use in the source. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../core/base/error-codes.ts'

const root = join(import.meta.dirname, '..')
const TABLE = 'core/base/error-codes.ts'
const codes = Object.values(ERROR_CODES).flatMap(group => Object.keys(group))

/** What runs in a bot or on the command line. Emulators and what tests share are left out: they import the test kit. */
const sources = globSync('{core,packages,plugins}/**/*.ts', { cwd: root, exclude: path => path.endsWith('node_modules') })
  .filter(path => path !== TABLE && !/\.test\.ts$|\/(?:testing|templates|fixtures)\/|\/test-[\w-]+\.ts$/.test(path))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => !/from '(?:kikimimi|@kikimimi\/\w+)\/testing'|from 'vitest'/.test(text))

test('every code is in the table once, with a cause and a remedy', () => {
  expect(codes).toEqual([...new Set(codes)])
  const entries = Object.values(ERROR_CODES).flatMap(group => Object.entries(group))
  const incomplete = entries.filter(([, { cause, remedy }]) => !/^\S.*\.$/.test(cause) || !/^\S.*\.$/.test(remedy))
  expect(incomplete).toEqual([])
})

test('every code is used in the source', () => {
  expect(codes.filter(code => !sources.some(({ text }) => text.includes(`'${code}'`)))).toEqual([])
})

/** Runs when the packages and the image are made, not in a bot. */
const BUILD = 'plugins/dashboard/files/bundle-page.ts'

test('every error that is thrown has a code', () => {
  const raw = sources
    .filter(({ path }) => path !== BUILD)
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/throw new (?:Error|RangeError)\(.*/g), ([thrown]) => `${path}: ${thrown}`),
    )
  expect(raw).toEqual([])
})

test('a code that does not exist does not compile', async () => {
  const { KikimimiError } = await import('kikimimi')
  // @ts-expect-error The type of codes is made from the table.
  expect(new KikimimiError('NO_SUCH_CODE', 'message').code).toBe('NO_SUCH_CODE')
})
