import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as kikimimi from '../core/index.ts'
import { checkNames, namesIn } from './public-names.ts'

const index = readFileSync(new URL('../core/index.ts', import.meta.url), 'utf8')

test('every exported value is counted, and a name of each line', () => {
  expect(namesIn(index)).toEqual(expect.arrayContaining(Object.keys(kikimimi)))
  expect(namesIn(`export { type A, a as b } from './a.ts'\nexport type { C } from './c.ts'\n`)).toEqual(['A', 'b', 'C'])
})

test('the limit holds, and a planted excess breaks it', () => {
  expect(checkNames(index)).toMatchObject({ isSmall: true })
  const room = 150 - namesIn(index).length
  const planted = (count: number) =>
    `${index}export { ${Array.from({ length: count }, (_, at) => `planted${at}`).join(', ')} } from './x.ts'\n`
  expect(checkNames(planted(room))).toEqual({ isSmall: true, line: "'kikimimi' exports 150 names; the limit is 150." })
  expect(checkNames(planted(room + 1))).toEqual({
    isSmall: false,
    line: expect.stringMatching(
      /exports 151 names; the limit is 150\. Export what not every author needs from 'kikimimi\/platform'/,
    ),
  })
})

test('names that cannot be counted are refused', () => {
  expect(() => namesIn(`export * from './a.ts'`)).toThrow(/only lists of names.*export \* from/)
  expect(() => namesIn('export const a = 1')).toThrow(/only lists of names.*export const a = 1/)
})
