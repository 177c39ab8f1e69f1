import { expect, test } from 'vitest'
import { wrongPassword } from './unreachable.ts'

test('a wrong password is blamed on the place that it comes from', () => {
  const env = { PGPASSWORD: 'one', PGPASSWORD_FILE: '/run/kikimimi/password' }
  expect(wrongPassword('postgres://kiki:secret@host/bot', env)).toBe('Correct it in DATABASE_URL.')
  expect(wrongPassword('postgres://kiki@host/bot', { PGPASSWORD: 'one' })).toMatch(/^It comes from PGPASSWORD,/)
  expect(wrongPassword('postgres://kiki@host/bot', env)).toMatch(
    /the file \/run\/kikimimi\/password.*keeps the password of its first start/,
  )
  expect(wrongPassword('postgres://kiki@host/bot', { PGPASSWORD_FILE: '/run/kikimimi/password' })).toBe(
    'The file /run/kikimimi/password, which PGPASSWORD_FILE names, is empty or cannot be read.',
  )
  expect(wrongPassword('postgres://kiki@host/bot', {})).toBe('DATABASE_URL has none: put it there, or into PGPASSWORD.')
})
