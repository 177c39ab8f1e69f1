import { expect, test } from 'vitest'
import { emojiName } from './emoji.ts'

test.each([
  ['👍', '+1'],
  ['👍🏽', '+1::skin-tone-4'],
  ['❤️', 'heart'],
  [':party_parrot:', 'party_parrot'],
  ['eyes', 'eyes'],
  ['😊', 'blush'],
  ['✨', 'sparkles'],
])('%s is %s in Slack', (emoji, name) => {
  expect(emojiName(emoji)).toBe(name)
})

test('an emoji without a name is refused in a sentence', () => {
  expect(() => emojiName('🪿')).toThrow("Slack's name of 🪿 is not known.")
})
