import { expect, test } from 'vitest'
import { chooseReaction } from './reactions.ts'

const ALL = ['👀', '😊', '👍', '🤔', '✨', '💡']

test.each([
  ['これどうやるの？', '🤔'],
  ['how does it work?', '🤔'],
  ['ありがとう、助かった！', '😊'],
  ['Thanks a lot', '😊'],
  ['やったー！', '😊'],
  ['I am so happy today', '😊'],
  ['確かに、その通りだね', '👍'],
  ['I agree with bob', '👍'],
  ['いいことを思いついた', '💡'],
  ['what if we took the train', '💡'],
  ['新しいバージョンをリリースしました', '✨'],
  ['we shipped it this morning', '✨'],
  ['今日は雨だった', '👀'],
  ['it rained', '👀'],
  ['the renewed thankless idealist', '👀'],
  ['', '👀'],
])('to %j the reaction is %s', (text, emoji) => {
  expect(chooseReaction(text, ALL)).toBe(emoji)
})

test('only allowed reactions are used', () => {
  expect(chooseReaction('how does it work?', ['👀', '👍'])).toBe('👀')
  expect(chooseReaction('how does it work?', ['🎉', '👍'])).toBe('🎉')
})
