import { expect, test } from 'vitest'
import { adaptiveDebounce } from './adaptive-debounce.ts'

/** Somebody types in pauses of so many seconds. */
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

test('waits as long as most pauses within a thought last there', () => {
  expect(typing(5, 6, 7, 7, 8, 9, 50).debounceMs('talk')).toBe(9_000)
  expect(typing(...Array<number>(30).fill(50), ...Array<number>(20).fill(3)).debounceMs('talk')).toBe(3_000)
})

test('keeps to what a person can wait for', () => {
  expect(typing(0.1, 0.1, 0.1, 0.1, 0.1).debounceMs('talk')).toBe(2_000)
  expect(typing(55, 55, 55, 55, 55).debounceMs('talk')).toBe(45_000)
})

test('waits the usual time where it knows too little', () => {
  expect(typing(9, 9, 9, 9).debounceMs('talk')).toBe(4_000)
  expect(typing(9, 9, 9, 9, 9).debounceMs('elsewhere')).toBe(4_000)
})

test('a pause between two people, or of minutes, is none within a thought', () => {
  const rhythm = typing(9, 9, 9, 9, 9)
  for (let minute = 1; minute < 60; minute++) rhythm.heard('talk', minute % 2 ? 'bob' : 'carol', minute * 60_000)
  expect(rhythm.debounceMs('talk')).toBe(9_000)
})
