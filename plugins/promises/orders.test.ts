import { expect, test } from 'vitest'
import { readOrder } from './orders.ts'

const NOW = { now: Date.parse('2026-03-11T13:30:00Z'), zone: 'Europe/Berlin' }
const read = (text: string) => readOrder(text, NOW)

test.each([
  ['what reminders do we have?', { kind: 'list' }],
  ['list the reminders', { kind: 'list' }],
  ['リマインダーの一覧を見せて', { kind: 'list' }],
  ['알림 목록 보여 줘', { kind: 'list' }],
  ['cancel all reminders', { kind: 'cancel', which: { by: 'all' } }],
  ['delete all reminders please', { kind: 'cancel', which: { by: 'all' } }],
  ['clear my reminders', { kind: 'cancel', which: { by: 'all' } }],
  ['リマインダーを全部取り消して', { kind: 'cancel', which: { by: 'all' } }],
  ['全部のリマインダーを削除してください', { kind: 'cancel', which: { by: 'all' } }],
  ['알림을 모두 취소해 줘', { kind: 'cancel', which: { by: 'all' } }],
  ['cancel reminder 3', { kind: 'cancel', which: { by: 'number', number: 3 } }],
  ['please delete the release reminder', { kind: 'cancel', which: { by: 'words', words: 'release' } }],
  ['cancel the one about the release', { kind: 'cancel', which: { by: 'words', words: 'the release' } }],
  ['3番のリマインダーを取り消して', { kind: 'cancel', which: { by: 'number', number: 3 } }],
  ['リリースのリマインダーをキャンセルしてください', { kind: 'cancel', which: { by: 'words', words: 'リリース' } }],
  ['move it to ten', { kind: 'move', which: { by: 'last' }, when: 'ten' }],
  ['move reminder 3 to friday 10am', { kind: 'move', which: { by: 'number', number: 3 }, when: 'friday 10am' }],
  ['3番のリマインダーを明日の10時に変更して', { kind: 'move', which: { by: 'number', number: 3 }, when: '明日の10時' }],
  [
    'when someone asks about the wifi, tell them the password is on the fridge',
    { kind: 'watch', words: 'the wifi', content: 'the password is on the fridge' },
  ],
  ['誰かがリリースの話をしたら、金曜に延期したと伝えて', { kind: 'watch', words: 'リリース', content: '金曜に延期した' }],
])('reads "%s"', (text, order) => expect(read(text)).toMatchObject(order))

test.each([
  'what is a reminder?',
  'remind me, who wrote Dune?',
  'remind me what the wifi password is',
  "remind me where we're meeting",
  'forget that',
  'stop it',
  'やめて',
  '電気を消して',
  'cancel the meeting',
  'cancel all meetings',
  'delete all reminders of the past from the wall',
  '明日の天気を教えて',
  '今日の17時の会議室を教えて',
  'tell me what opens at 9am',
  "tell me tomorrow's weather",
  '3時に何があるか教えて',
  'do you remember the reminder about Bob?',
  'if somebody is sick, what do we do?',
])('leaves "%s" to the other plugins', text => expect(read(text)).toBeUndefined())
