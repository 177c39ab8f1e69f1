import { expect, test } from 'vitest'
import { linesOf, roomFor, withoutFormat } from './lines.ts'

const bytes = (line: string) => Buffer.byteLength(line)

test.each([
  ['words', 'The quick brown fox jumps over the lazy dog. '.repeat(40)],
  ['Japanese, three bytes each', '昨日の会議で決まったことを、もう一度まとめます。'.repeat(40)],
  ['emoji of several characters', '👩‍👩‍👧‍👦🏳️‍🌈 '.repeat(60)],
  ['one word that is longer than a line', 'x'.repeat(2_000)],
])('%s: lines within the limit, and nothing is lost', (_what, text) => {
  const lines = linesOf(text, 200)
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.filter(line => bytes(line) > 200)).toEqual([])
  expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
  expect(lines.filter(line => !line.isWellFormed())).toEqual([])
})

test('a line ends at a word', () => {
  const words = Array.from({ length: 300 }, (_, index) => `word${index}`)
  expect(linesOf(words.join(' '), 100).flatMap(line => line.split(' '))).toEqual(words)
})

test('each line of a text is a line, without empty ones, fences and control characters', () => {
  expect(linesOf('one\r\n\r\n```ts\nconst a = 1\n```\ntwo\u0001\u0000\u0007', 100)).toEqual(['one', 'const a = 1', 'two'])
})

test('a line with its frame has 512 bytes at most', () => {
  const frame = `:kiki!~${'u'.repeat(10)}@${'h'.repeat(63)} PRIVMSG #general :\r\n`
  expect(bytes(frame) + roomFor('kiki', '#general')).toBe(512)
})

test('colours and other codes are removed', () => {
  expect(withoutFormat('\u0002bold\u000f \u00034,12red\u0003 \u001ditalic\u001d 3')).toBe('bold red italic 3')
})
