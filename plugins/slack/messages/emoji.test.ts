import { expect, test } from 'vitest'
import { emojiName, emojiNamed } from './emoji.ts'

test.each([
  ['👍', '+1'],
  ['👍🏽', '+1::skin-tone-4'],
  ['☝🏿', 'point_up::skin-tone-6'],
  ['❤️', 'heart'],
  ['☕', 'coffee'],
  [':party_parrot:', 'party_parrot'],
  [':party_parrot::skin-tone-2:', 'party_parrot::skin-tone-2'],
  [':ありがとう:', 'ありがとう'],
  ['😊', 'blush'],
  ['✨', 'sparkles'],
])('%s is %s in Slack, and vice versa', (emoji, name) => {
  expect(emojiName(emoji)).toBe(name)
  expect(emojiNamed(name)).toBe(emoji)
})

test('a name stands for itself', () => {
  expect(emojiName('eyes')).toBe('eyes')
})

test('an alias of an emoji is recognised', () => {
  expect(emojiNamed('thumbsup')).toBe('👍')
  expect(emojiNamed('thumbsdown::skin-tone-2')).toBe('👎🏻')
})

test('an emoji without a name is refused with a reason', () => {
  expect(() => emojiName('🪿')).toThrow("Slack's name of 🪿 is not known.")
})
