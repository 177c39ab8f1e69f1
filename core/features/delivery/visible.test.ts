import { expect, test } from 'vitest'
import { visible } from './visible.ts'

test.each([
  ['words', 'The build is', 'The build'],
  ['a sentence', 'The build is done.', 'The build is done.'],
  ['the first word', 'Yes', 'Yes'],
  ['a mention', 'Ask <@123', 'Ask'],
  ['an emoji of a server', 'Well done <:par', 'Well done'],
  ['a finished mention', 'Ask <@123>', 'Ask <@123>'],
  ['a comparison', 'It holds when a < b.', 'It holds when a < b.'],
  ['a link', 'Read [the docs](https://exam', 'Read'],
  ['the text of a link', 'Read [the do', 'Read'],
  ['a finished link', 'Read [the docs](https://example.org)', 'Read [the docs](https://example.org)'],
  ['the name of an emoji', 'Good :smi', 'Good'],
  ['a time', 'It begins at 10:30.', 'It begins at 10:30.'],
  ['an address', 'See https://example.org', 'See https://example.org'],
  ['a code fence that begins', 'Like this:\n``', 'Like this:'],
  ['an open code fence', 'Like this:\n```ts\nconst a =', 'Like this:\n```ts\nconst a =\n```'],
  ['a closed code fence', '```\na\n```\nand.', '```\na\n```\nand.'],
  ['half of a character', 'Fine \ud83d', 'Fine'],
  ['Japanese', '今日は晴れて', '今日は晴れて'],
])('%s', (_, text, shown) => {
  expect(visible(text, 2_000)).toBe(shown)
})

test('shows the first message of a long text', () => {
  const shown = visible(`${'word '.repeat(100)}\n\`\`\`\n${'code\n'.repeat(100)}`, 200)
  expect(shown.length).toBeLessThanOrEqual(200)
  expect(shown).toMatch(/^word/)
})

test('is never longer than a message, whatever the text ends with', () => {
  const pieces = ['word ', '\n', '```ts\n', '```\n', '<@1', '[a](b', '今日', '~~~\n', '`', '👍', 'x'.repeat(150)]
  let seed = 7
  for (let round = 0; round < 500; round++) {
    let text = ''
    for (let n = 0; n < 40; n++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      text += pieces[seed % pieces.length]
    }
    expect(visible(text, 200).length).toBeLessThanOrEqual(200)
  }
})
