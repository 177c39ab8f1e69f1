import { describe, expect, it, test } from 'vitest'
import { cronProblem, timesOf, timeZoneProblem } from './schedule.ts'

/** The next times after a moment, in UTC, as `MM-DDTHH:MM`. */
function next(count: number, from: string, cron: string, timeZone: string): readonly string[] {
  const times = timesOf({ cron, timeZone })
  let at = Date.parse(from)
  return Array.from({ length: count }, () => {
    at = times.next(at)
    return new Date(at).toISOString().slice(5, 16)
  })
}

test('an interval has the same times in every process', () => {
  const times = timesOf('1h')
  expect(times.next(Date.parse('2026-01-05T10:20:00Z'))).toBe(Date.parse('2026-01-05T11:00:00Z'))
  expect(times.next(Date.parse('2026-01-05T11:00:00Z'))).toBe(Date.parse('2026-01-05T12:00:00Z'))
})

test('a cron expression has times of the day in its zone', () => {
  expect(next(3, '2026-01-09T00:00:00Z', '0 7 * * MON-FRI', 'Asia/Tokyo')).toEqual(['01-11T22:00', '01-12T22:00', '01-13T22:00'])
})

describe('when the clocks change', () => {
  it.each([
    // New York sets its clocks forward on 8 March at 02:00, and back on 1 November at 02:00.
    ['07:00 is at 07:00', '2026-10-31T12:00:00Z', '0 7 * * *', 'America/New_York', ['11-01T12:00', '11-02T12:00']],
    [
      '02:30 is missing, and runs at 03:00',
      '2026-03-08T00:00:00Z',
      '30 2 * * *',
      'America/New_York',
      ['03-08T07:00', '03-09T06:30'],
    ],
    [
      '01:30 comes twice, and runs once',
      '2026-11-01T00:00:00Z',
      '30 1 * * *',
      'America/New_York',
      ['11-01T05:30', '11-02T06:30'],
    ],
    [
      'each time of a list runs once',
      '2026-11-01T04:00:00Z',
      '0,30 1-2 * * *',
      'America/New_York',
      ['11-01T05:00', '11-01T05:30', '11-01T07:00', '11-01T07:30', '11-02T06:00'],
    ],
    [
      'a missing time of a list runs at 03:00',
      '2026-03-07T20:00:00Z',
      '15 2,20 * * *',
      'America/New_York',
      ['03-08T01:15', '03-08T07:00', '03-09T00:15', '03-09T06:15'],
    ],
    [
      'several missing times of a list run once, at 03:00',
      '2027-03-28T00:30:00Z',
      '0,30 2 * * *',
      'Europe/Berlin',
      ['03-28T01:00', '03-29T00:00', '03-29T00:30'],
    ],
    [
      'work of every half hour goes on in the repeated hour',
      '2026-11-01T04:45:00Z',
      '*/30 * * * *',
      'America/New_York',
      ['11-01T05:00', '11-01T05:30', '11-01T06:00', '11-01T06:30', '11-01T07:00'],
    ],
    // Lord Howe Island changes by half an hour, on 4 October at 02:00 and on 5 April at 02:00.
    [
      'by half an hour forward, no day is lost',
      '2026-10-03T00:00:00Z',
      '15 2 * * *',
      'Australia/Lord_Howe',
      ['10-03T15:30', '10-04T15:15'],
    ],
    [
      'by half an hour back, a time runs once',
      '2026-04-04T00:00:00Z',
      '45 1 * * *',
      'Australia/Lord_Howe',
      ['04-04T14:45', '04-05T15:15'],
    ],
    [
      'at midnight, the day has its run',
      '2018-11-03T12:00:00Z',
      '0 0 * * *',
      'America/Sao_Paulo',
      ['11-04T03:00', '11-05T02:00'],
    ],
  ])('%s', (_name, from, cron, timeZone, expected) => {
    expect(next(expected.length, from, cron, timeZone)).toEqual(expected)
  })

  it('no day of three years is left out or doubled, in zones that change by an hour, by half an hour and by two', () => {
    for (const timeZone of ['America/New_York', 'Australia/Lord_Howe', 'Antarctica/Troll', 'Africa/Casablanca', 'Asia/Tokyo']) {
      const days = new Intl.DateTimeFormat('en-CA', { timeZone })
      for (const cron of ['15 2 * * *', '30 1 * * *', '0 3 * * *', '0 0 * * *']) {
        const times = timesOf({ cron, timeZone })
        const seen: string[] = []
        for (
          let at = times.next(Date.parse('2026-01-01T12:00:00Z'));
          at < Date.parse('2029-01-01T00:00:00Z');
          at = times.next(at)
        )
          seen.push(days.format(at))
        expect([timeZone, cron, new Set(seen).size]).toEqual([timeZone, cron, seen.length])
        expect([timeZone, cron, seen.length]).toEqual([
          timeZone,
          cron,
          Math.round((Date.parse(seen.at(-1) ?? '') - Date.parse(seen[0] ?? '')) / 86_400_000) + 1,
        ])
      }
    }
  })
})

test.each([
  ['0 25 * * *', /^"0 25 \* \* \*" is wrong \(minute, hour, .*\): Invalid value for hour: 25$/],
  ['7 o’clock', /^expected five fields such as "0 7 \* \* MON-FRI"/],
  ['0 7 * * * *', /^expected five fields/],
  ['', /^expected five fields .*, got ""$/],
  ['0 0 31 2 *', /there is no such day$/],
])('%j is no cron expression', (cron, problem) => {
  expect(cronProblem(cron)).toMatch(problem)
})

test('a wrong expression and a wrong time zone are told together', () => {
  expect(() => timesOf({ cron: '0 25 * * *', timeZone: 'Asia/Tokio' })).toThrow(/hour: 25; expected a time zone .*"Asia\/Tokio"/)
})

test('an unknown time zone is told with the nearest one', () => {
  expect(timeZoneProblem('Asia/Tokio')).toBe(
    'expected a time zone such as "Asia/Tokyo" or "UTC", got "Asia/Tokio" (did you mean "Asia/Tokyo"?)',
  )
  expect(timeZoneProblem('Europe/Kyiv')).toBeUndefined()
})
