import { expect, test } from 'vitest'
import { directs, offersOrAsks } from './question.ts'

test.each([
  'Should I open a ticket? I have the log.',
  'I could open a ticket.',
  'Want me to restart it? (two minutes)',
  'I can do that for you. Just say so.',
  'Shall we move it to Friday',
  'チケットを作りましょうか。',
  'よければ再起動します。',
  '再起動できますよ。どうしますか。',
  '다시 시작할까요?',
])('offers: %s', text => expect(offersOrAsks(text)).toBe(true))

test.each(['The train leaves at ten.', '電車は十時に出ます。', 'Should I? No. It is done. All works now.', 'You are welcome!'])(
  'offers nothing: %s',
  text => expect(offersOrAsks(text)).toBe(false),
)

test.each([
  'do it',
  'yes, do that',
  'go ahead',
  'fix it',
  'revert it please',
  'redo it',
  'cancel',
  'cancel everything',
  'cancel all reminders',
  'open a ticket',
  'delete my notes',
  'no',
  'nope',
  'not now',
  "don't",
  'the second one',
  'お願いします',
  'はい、作ってください',
  'やめて',
  'いいえ',
  '続けて',
  '아니요',
  '진행해 주세요',
])('needs words: %s', text => expect(directs(text)).toBe(true))

test.each([
  'ok',
  'thanks!',
  'no problem',
  'no worries',
  'no thanks',
  'good to know',
  'nice one',
  'I will do it',
  'got it, will do',
  'うん、了解',
  'よろしくお願いします',
  'ありがとう',
  'なるほど',
  'いいね',
  '네 감사합니다',
])('may be a nod: %s', text => expect(directs(text)).toBe(false))
