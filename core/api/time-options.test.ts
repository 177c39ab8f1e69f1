import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Duration } from '../base/duration.ts'
import { cron, duration, timeZone } from './time-options.ts'

const options = z.object({ cooldown: duration.default('2m').describe('Rest after an answer.') }).prefault({})

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

describe('a default', () => {
  test('is a text, before or after the description, and milliseconds for the plugin', () => {
    const schema = z.object({
      one: duration.default('6h'),
      other: duration.describe('Rest.').default(30),
      none: duration.optional(),
    })
    expectTypeOf<z.input<typeof schema>['one']>().toEqualTypeOf<Duration | undefined>()
    expectTypeOf<z.output<typeof schema>['one']>().toEqualTypeOf<number>()
    expect(schema.parse({})).toEqual({ one: 21_600_000, other: 30_000 })
    expect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties).toEqual({
      one: { title: 'time', default: '6h' },
      other: { title: 'time', description: 'Rest.', default: 30 },
      none: { title: 'time' },
    })
  })

  test('that is no duration does not compile, and is refused', () => {
    // @ts-expect-error: no unit of time
    expect(() => z.object({ one: duration.default('6 hours') }).parse({})).toThrow('got \\"6 hours\\"')
  })
})

test('a wrong cron expression or time zone says what to write', () => {
  const schema = z.object({ at: cron.default('0 7 * * *'), timeZone: timeZone.default('UTC') })
  expect(schema.parse({})).toEqual({ at: '0 7 * * *', timeZone: 'UTC' })
  expect(schema.safeParse({ at: '7:00', timeZone: 'Asia/Tokio' }).error?.issues).toMatchObject([
    { path: ['at'], message: expect.stringMatching(/^expected five fields .*, got "7:00"$/) },
    { path: ['timeZone'], message: expect.stringContaining('did you mean "Asia/Tokyo"') },
  ])
})
