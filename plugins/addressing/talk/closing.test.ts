import { describe, expect, test } from 'vitest'
import { closes, takesLeave } from './closing.ts'

describe('only acknowledges', () => {
  test.each([
    'ok',
    'OK, thanks!',
    'thank you so much :)',
    'lol',
    'haha nice',
    'got it, will do',
    'yeah 👍',
    '👍',
    'good night all',
    "you're welcome",
    'うん',
    'うんうん',
    'はい、了解です！',
    'なるほど〜',
    'ありがとうございます🙏',
    'そうだね、たしかに',
    'おつかれさまでした',
    'やっぱりいいや',
    'www',
    '草',
    '了解でーす',
    'ありがとーございまーす！',
  ])('%s', text => expect(closes(text)).toBe(true))
})

describe('has a content', () => {
  test.each([
    '',
    'ok?',
    'ok but how',
    'thanks, and where is it',
    'no idea what to do',
    'it is good',
    'うん、でも雨だよ',
    'ありがとう、ところで明日は',
    'はいどうぞ',
    '雨',
  ])('%s', text => expect(closes(text)).toBe(false))
})

describe('says goodbye in other words', () => {
  test.each([
    'thanks, that helps a lot',
    'off to bed, good night',
    'もう寝るね、また明日',
    'すごく参考になりました、ありがとうございます',
  ])('%s', text => expect(takesLeave(text)).toBe(true))
})

describe('stays in the conversation', () => {
  test.each([
    'thanks, but it still fails',
    'thanks, one more thing',
    'ありがとう、あともう一つ教えて',
    'thanks to the rain we stayed',
    'it rains',
  ])('%s', text => expect(takesLeave(text)).toBe(false))
})

test.each(['お'.repeat(60), '🙂'.repeat(30), 'w'.repeat(59), ': '.repeat(30)])(
  '%s takes no long time',
  { timeout: 20_000 },
  text => {
    expect(typeof closes(`${text.slice(0, 58)}!x`)).toBe('boolean')
  },
)
