import { expect, test } from 'vitest'
import { z } from 'zod'
import { duration } from './duration-option.ts'

const options = z.object({ cooldown: duration.prefault('2m').describe('Rest after an answer.') }).prefault({})

test.each([
  [undefined, 120_000],
  [{ cooldown: 90 }, 90_000],
  [{ cooldown: 0 }, 0],
  [{ cooldown: '500ms' }, 500],
  [{ cooldown: '1.5h' }, 5_400_000],
])('%j is %i ms', (given, cooldown) => {
  expect(options.parse(given)).toEqual({ cooldown })
})

test.each([[-1], ['soon'], ['5'], [null], [Number.NaN], [{}]])('%j is no duration', cooldown => {
  expect(options.safeParse({ cooldown }).error?.issues).toMatchObject([
    { path: ['cooldown'], message: expect.stringMatching(/^expected a number of seconds or a string such as .*, got /) },
  ])
})
