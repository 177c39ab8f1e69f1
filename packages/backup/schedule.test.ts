import { expect, test } from 'vitest'
import { backupDay, nextDay } from './schedule.ts'

test('the next day of backups is known an hour before it begins, also when the clocks change', () => {
  const next = (moment: string, zone: string) => nextDay(new Date(moment), '03:30', zone)?.toISOString()
  expect(next('2026-11-25T02:29:59Z', 'UTC')).toBeUndefined()
  expect(next('2026-11-25T02:30:00Z', 'UTC')).toBe('2026-11-25T03:30:00.000Z')
  expect(next('2026-11-25T03:29:59.999Z', 'UTC')).toBe('2026-11-25T03:30:00.000Z')
  expect(next('2026-11-25T03:30:00Z', 'UTC')).toBeUndefined()
  // 5:45 hours before UTC: no full hour.
  expect(next('2026-11-24T21:00:10Z', 'Asia/Kathmandu')).toBe('2026-11-24T21:45:00.000Z')
  expect(next('2026-03-29T01:10:00Z', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z')
})

test('a day of backups begins at their time of day, also when the clocks change', () => {
  const day = (moment: string, zone: string) => backupDay(new Date(moment), '03:30', zone)
  expect(day('2026-11-25T03:29:59Z', 'UTC')).toBe('2026-11-24')
  expect(day('2026-11-25T03:30:00Z', 'UTC')).toBe('2026-11-25')
  expect(day('2026-11-24T18:29:00Z', 'Asia/Tokyo')).toBe('2026-11-24')
  expect(day('2026-11-24T18:30:00Z', 'Asia/Tokyo')).toBe('2026-11-25')
  expect(day('2026-03-29T01:10:00Z', 'Europe/Berlin')).toBe('2026-03-28')
  expect(day('2026-03-29T01:30:00Z', 'Europe/Berlin')).toBe('2026-03-29')
  expect(day('2026-01-01T00:00:00Z', 'UTC')).toBe('2025-12-31')
})
