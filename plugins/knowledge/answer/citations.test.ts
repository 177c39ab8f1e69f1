import { expect, test } from 'vitest'
import { cited } from './citations.ts'

test.each([
  ['it leaves at six [2], from here [1].', 'it leaves at six [1], from here [2].', [1, 0]],
  ['six [3] and seven [3]', 'six [1] and seven [1]', [2]],
  ['六時に出ます［1］。七時【2、3】。', '六時に出ます[1]。七時[2][3]。', [0, 1, 2]],
  ['nobody said that [7].', 'nobody said that.', []],
  ['both [1, 9]', 'both [1]', [0]],
  [
    '`list[1]` and [a page](https://x.example) and [1](https://x.example)',
    '`list[1]` and [a page](https://x.example) and [1](https://x.example)',
    [],
  ],
  ['```\nlist[1]\n``` [1]', '```\nlist[1]\n``` [1]', [0]],
  ['[0] [2026] [x]', ' [2026] [x]', []],
])('%s', (answer, text, passages) => {
  expect(cited(answer, 3)).toEqual({ text, passages })
})
