import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const tests = [...read('./asvs.md').matchAll(/\[([^\]]+)\]\((\.\.\/[^)]+\.test\.ts)\)/g)]

test('the page names tests', () => {
  expect(tests.length).toBeGreaterThan(30)
})

test.each(tests.map(([, title = '', file = '']) => ({ title, file })))('$title: is a test of $file', ({ title, file }) => {
  expect(read(file)).toContain(`'${title}'`)
})
