import { expect, test } from 'vitest'
import { offersOrAsks } from './question.ts'

test.each([
  'Should I open a ticket? I have the log.',
  'I could open a ticket.',
  'Want me to restart it? (two minutes)',
  'I can do that for you. Just say so.',
  'Shall we move it to Friday',
  'Should I? The log is there. It is long. It has an error.',
  "I'd suggest archiving it.",
  'My proposal: merge them and keep the newer number.',
  'I have their addresses and could write to all of them.',
  'There are two. Say which and I start.',
  'チケットを作りましょうか。',
  '片付けておきますね、よければ。',
  '案があります。掲示板に貼れます。',
  '募集を出しませんか。文は前のままで。',
  'よければ再起動します。',
  '再起動できますよ。どうしますか。',
  '다시 시작할까요?',
])('offers: %s', text => expect(offersOrAsks(text)).toBe(true))

test.each([
  'The train leaves at ten.',
  '電車は十時に出ます。',
  'You are welcome!',
  'Done. Let me know if you need anything.',
  'I could not find it.',
])('offers nothing: %s', text => expect(offersOrAsks(text)).toBe(false))
