import { describe, expect, test } from 'vitest'
import { needsNoWords, takesLeave } from './closing.ts'

const NAMES = ['kiki', 'キキ', '키키']
/** What the bot said before. */
const after = (text: string) => ({ before: { text, by: 'bot' as const }, names: NAMES })

describe('needs no words after a statement', () => {
  test.each([
    ['The train leaves at ten.', 'ok'],
    ['The train leaves at ten.', 'ok, thanks!'],
    ['The train leaves at ten.', 'thanks, saved me an hour'],
    ['The train leaves at ten.', 'gotcha kiki'],
    ['The train leaves at ten.', 'lol'],
    ['The train leaves at ten.', 'yeah 👍'],
    ['The train leaves at ten.', '👍'],
    ['The train leaves at ten.', 'as I thought'],
    ['Done. Let me know if you need anything else.', 'thank you so much :)'],
    ['電車は十時に出ます。', 'うん'],
    ['電車は十時に出ます。', '@キキ はい、了解です！'],
    ['電車は十時に出ます。', 'なるほどねキキ'],
    ['電車は十時に出ます。', 'ありがとうございます🙏'],
    ['電車は十時に出ます。', '知らなかったわ'],
    ['電車は十時に出ます。', '草'],
    ['기차는 열 시에 떠나요.', '네 알겠어요 키키'],
    ['기차는 열 시에 떠나요.', '감사합니다'],
  ])('%s … %s', (before, text) => expect(needsNoWords(text, after(before))).toBe(true))
})

describe('needs words', () => {
  test.each([
    // Disagrees.
    ['The train leaves at ten.', 'no'],
    ['The train leaves at ten.', 'nope'],
    ['The train leaves at ten.', 'you misunderstood'],
    ['The train leaves at ten.', 'not true'],
    ['The train leaves at ten.', 'I object'],
    ['The train leaves at ten.', 'that hurts'],
    ['電車は十時に出ます。', 'それは誤解です'],
    ['電車は十時に出ます。', 'そうじゃないです'],
    ['電車は十時に出ます。', '同意できません'],
    ['電車は十時に出ます。', '嫌です'],
    ['기차는 열 시에 떠나요.', '아니에요'],
    // Orders.
    ['The train leaves at ten.', 'undo'],
    ['The train leaves at ten.', 'abort'],
    ['The train leaves at ten.', 'do that'],
    ['The train leaves at ten.', 'cancel everything'],
    ['The train leaves at ten.', 'leave the channel'],
    ['The train leaves at ten.', 'ignore bob'],
    ['電車は十時に出ます。', '全部キャンセルして'],
    ['電車は十時に出ます。', '両方'],
    ['電車は十時に出ます。', '続けて'],
    ['기차는 열 시에 떠나요.', '취소해 주세요'],
    // Answers to a question or an offer.
    ['Should I open a ticket? I have the log.', 'yes'],
    ['I could open a ticket.', 'ok'],
    ['I can open a ticket for you. Just say so.', 'thanks'],
    ['チケットを作りましょうか。', 'はい'],
    ['티켓을 만들까요?', '네'],
    // More.
    ['The train leaves at ten.', 'ok?'],
    ['The train leaves at ten.', 'ok but how'],
    ['The train leaves at ten.', 'thanks, and where is it'],
    ['The train leaves at ten.', 'no idea what to do'],
    ['電車は十時に出ます。', 'うん、でも雨だよ'],
    ['電車は十時に出ます。', 'ありがとう、ところで明日は'],
    // Takes leave or takes back.
    ['The train leaves at ten.', 'never mind'],
    ['The train leaves at ten.', 'good night'],
  ])('%s … %s', (before, text) => expect(needsNoWords(text, after(before))).toBe(false))

  test('a nod without anything before it', () => {
    expect(needsNoWords('ok')).toBe(false)
    expect(needsNoWords('thanks!')).toBe(true)
    expect(needsNoWords('네')).toBe(false)
    expect(needsNoWords('고마워요')).toBe(true)
  })
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
    expect(typeof needsNoWords(`${text.slice(0, 58)}!x`)).toBe('boolean')
  },
)
