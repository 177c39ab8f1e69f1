import { expect, test } from 'vitest'
import { isAnswerLike } from './answers.ts'
import { readOrder } from './orders.ts'

const NOW = { now: Date.parse('2026-03-11T13:30:00Z'), zone: 'Europe/Berlin' }
const read = (text: string) => readOrder(text, [], [], NOW)

const all = { by: 'words', names: [], all: 'all' }
const named = (...names: string[][]) => ({ by: 'words', names })
const number = (...numbers: number[]) => ({ by: 'numbers', numbers, watches: [] })

test.each([
  ['what reminders do we have?', { kind: 'list' }],
  ['list the reminders', { kind: 'list' }],
  ['remind me what reminders I have set', { kind: 'list' }],
  ['リマインダーの一覧を見せて', { kind: 'list' }],
  ['リマインダーって全部で何件ある？', { kind: 'list' }],
  ['알림 목록 보여 줘', { kind: 'list' }],
  ['can you show me my reminders', { kind: 'list' }],
  ['cancel all reminders', { kind: 'cancel', which: all }],
  ['delete all reminders please', { kind: 'cancel', which: all }],
  ['clear my reminders', { kind: 'cancel', which: all }],
  ['cancel everything', { kind: 'cancel', which: all, isNamed: false }],
  ['リマインダーを全部取り消して', { kind: 'cancel', which: all }],
  ['全部のリマインダーを削除してください', { kind: 'cancel', which: all }],
  ['알림을 모두 취소해 줘', { kind: 'cancel', which: all }],
  ['cancel reminder 3', { kind: 'cancel', which: number(3) }],
  ['cancel reminders 1 and 3', { kind: 'cancel', which: number(1, 3) }],
  ['please delete the release reminder', { kind: 'cancel', which: named(['release']) }],
  ['cancel the one about the release', { kind: 'cancel', which: named(['release']), isNamed: false }],
  ['cancel the dentist and the pizza reminders', { kind: 'cancel', which: { ...named(['dentist'], ['pizza']), all: 'all' } }],
  ["actually don't remind me to call the bank", { kind: 'cancel', which: named(['call', 'bank']) }],
  ['3番のリマインダーを取り消して', { kind: 'cancel', which: number(3) }],
  ['リリースのリマインダーをキャンセルしてください', { kind: 'cancel', which: named(['リリース']) }],
  ['花とピザのやつ両方いらなくなった', { kind: 'cancel', which: { ...named(['花'], ['ピザ']), all: 'all' }, isNamed: false }],
  ['move it to ten', { kind: 'move', which: { by: 'last' }, to: { said: { hour: 10 } } }],
  ['make it 10 instead', { kind: 'move', which: { by: 'last' } }],
  ['snooze for 10 minutes', { kind: 'move', which: { by: 'last' }, to: { laterMs: 600_000 } }],
  ['remind me again in an hour', { kind: 'move', which: { by: 'last' }, to: { laterMs: 3_600_000 } }],
  ['move reminder 3 to friday 10am', { kind: 'move', which: number(3), to: { said: { weekday: 5, hour: 10 } } }],
  ['3番のリマインダーを明日の10時に変更して', { kind: 'move', which: number(3), to: { said: { days: 1, hour: 10 } } }],
  ['あと10分スヌーズ', { kind: 'move', which: { by: 'last' }, to: { laterMs: 600_000 } }],
  ["don't remind me for others", { kind: 'refuse', refuses: true }],
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
  'drop the last one of these arguments from the list of the function',
  'その機能は要らない',
  '夕飯はなしで',
  '通知を消して',
  '通知がうるさいのでスマホを買い替えた',
  'cancel all meetings',
  '明日の天気を教えて',
  '今日の17時の会議室を教えて',
  'tell me what opens at 9am',
  "tell me tomorrow's weather",
  '3時に何があるか教えて',
  'do you remember the reminder about Bob?',
  'if somebody is sick, what do we do?',
])('leaves "%s" to the other plugins', text => {
  const order = read(text)
  // One that does not say "reminder" counts only if it names one that is there.
  expect(order && 'isNamed' in order && !order.isNamed ? undefined : order).toBeUndefined()
})

test.each([
  'remind me at 9 and ',
  'in 5 minutes and then remind me to ',
  'cancel the one and ',
  '毎週月曜と火曜の',
  '明日9時に、',
  '@kiki, please ',
  '「',
  '"',
  'a',
])('any length of "%s" is read in 20 ms', piece => {
  for (const length of [80, 200, 500, 40_000]) {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    const read = () => {
      const begin = process.cpuUsage().user
      readOrder(text, ['kiki', 'キキ'], [{ id: 'bob', name: 'bob' }], NOW)
      isAnswerLike(text, ['kiki', 'キキ'])
      return (process.cpuUsage().user - begin) / 1_000
    }
    // The shortest of five: the machine does other work too.
    expect(Math.min(...Array.from({ length: 5 }, read))).toBeLessThan(20)
  }
})
