import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { withVariable } from './env-file.ts'

test.each([
  ['', '# The key.\nKEY=abc\n'],
  ['OTHER=1', 'OTHER=1\n\n# The key.\nKEY=abc\n'],
  ['# A key.\n#KEY=\nOTHER=1\n', '# A key.\nKEY=abc\nOTHER=1\n'],
  ['#KEY=\nKEY=old\n#KEY=\n', '#KEY=\nKEY=abc\n#KEY=\n'],
  ['MY_KEY=1\n', 'MY_KEY=1\n\n# The key.\nKEY=abc\n'],
])('the variable gets its place in %j', (before, after) => {
  expect(withVariable(before, 'KEY', 'abc', 'The key.')).toBe(after)
})

test.each(['plain', 'a b', 'a#b', ' spaces ', "it's", 'a"b', 'a$b', 'a\\nb', `'"`, ''])('Node reads %j back', value => {
  expect(parseEnv(withVariable('', 'KEY', value, 'The key.')).KEY).toBe(value)
})

test('a value that no quotes can hold is refused, and not shown', () => {
  expect(() => withVariable('', 'KEY', 'secret\nline', 'The key.')).toThrow(/^The value of KEY has characters/)
})
