import { expect, test } from 'vitest'
import { adaptiveDebounce } from './adaptive-debounce.ts'

/** A person who writes in pauses of these seconds. */
function typing(...seconds: readonly number[]) {
  const rhythm = adaptiveDebounce()
  let at = 1_000_000
  rhythm.heard('talk', 'alice', at)
  for (const pause of seconds) {
    at += pause * 1_000
    rhythm.heard('talk', 'alice', at)
  }
  return rhythm
}

test('waits three times as long as most pauses within a thought', () => {
  expect(typing(5, 6, 7, 7, 8, 9, 50).debounceMs('talk')).toBe(27_000)
  expect(typing(...Array<number>(30).fill(50), ...Array<number>(20).fill(3)).debounceMs('talk')).toBe(9_000)
})

test('stays below the longest wait', () => {
  expect(typing(0.1, 0.1, 0.1, 0.1, 0.1).debounceMs('talk')).toBe(2_000)
  expect(typing(55, 55, 55, 55, 55).debounceMs('talk')).toBe(45_000)
})

test('waits the usual time with too few pauses', () => {
  expect(typing(9, 9, 9, 9).debounceMs('talk')).toBe(4_000)
  expect(typing(9, 9, 9, 9, 9).debounceMs('elsewhere')).toBe(4_000)
})

test('ignores pauses between two people, and pauses of minutes', () => {
  const rhythm = typing(9, 9, 9, 9, 9)
  for (let minute = 1; minute < 60; minute++) rhythm.heard('talk', minute % 2 ? 'bob' : 'carol', minute * 60_000)
  expect(rhythm.debounceMs('talk')).toBe(27_000)
})
