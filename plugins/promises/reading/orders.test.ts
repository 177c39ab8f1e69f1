import { expect, test } from 'vitest'
import { isAnswerLike } from './answers.ts'
import { readNoteOrder, readOrder } from './orders.ts'

const NOW = { now: Date.parse('2026-03-11T13:30:00Z'), zone: 'Europe/Berlin' }
const read = (text: string) => readOrder(text, ['kiki'], [{ id: 'carol', name: 'carol' }], NOW)
const noted = (text: string) => read(text) ?? readNoteOrder(text, ['kiki'], NOW)

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
  ['tmrw 8:30am - bring laptop charger', 'bring laptop charger', '2026-03-12T07:30Z', true],
  ['dentist thursday 3pm', 'dentist', '2026-03-12T14:00Z', false],
  ['call mom at 6', 'call mom', '2026-03-11T17:00Z', false],
  ['fri 10am: standup w/ carol', 'standup w/ carol', '2026-03-13T09:00Z', true],
  ['in 5 minutes the pizza is ready', 'the pizza is ready', '2026-03-11T13:35Z', false],
  ['every friday at 5pm, three times: call the lab', 'three times: call the lab', '2026-03-13T16:00Z', false],
  ['明日の朝9時に歯医者', '歯医者', '2026-03-12T08:00Z', true],
  ['歯医者 明日9時', '歯医者', '2026-03-12T08:00Z', false],
  ['来週の金曜10時 打ち合わせ', '打ち合わせ', '2026-03-20T09:00Z', true],
  ['45分後にオーブン', 'オーブン', '2026-03-11T14:15Z', true],
  ['7時に薬', '薬', '2026-03-11T18:00Z', false],
  ['明日10時に集合', '集合', '2026-03-12T09:00Z', false],
  ['18時半に帰る', '帰る', '2026-03-11T17:30Z', false],
  ['내일 9시 치과', '치과', '2026-03-12T08:00Z', false],
  ['20 mins laundry', 'laundry', '2026-03-11T13:50Z', true],
  ['15.30 call w/ the office', 'call w/ the office', '2026-03-11T14:30Z', true],
])('"%s" is a note', (text, content, at, isSure) =>
  expect(noted(text)).toMatchObject({ kind: 'set', isGuess: true, isSure, wanted: [{ content, when: { at: Date.parse(at) } }] }),
)

test.each([
  'for tomorrow: 9am standup, 11:30 call the vet, 4pm dry cleaning',
  'so much to do: 1) tomorrow 9am standup 2) tomorrow 11:30 call the vet 3) tomorrow 4pm dry cleaning',
])('"%s" is a note for each time', text =>
  expect(noted(text)).toMatchObject({
    wanted: [
      { content: 'standup', when: { at: Date.parse('2026-03-12T08:00Z') } },
      { content: 'call the vet', when: { at: Date.parse('2026-03-12T10:30Z') } },
      { content: 'dry cleaning', when: { at: Date.parse('2026-03-12T15:00Z') } },
    ],
  }),
)

test.each([
  ['ugh no more milk, @kiki remind me at 6pm to buy some', true, 'buy some'],
  ['I am so tired. remind me tomorrow at 8am to call the bank', true, 'call the bank'],
  ['the plumber comes on Friday at 8. Please ping me at 7pm to drop off the key', true, 'drop off the key'],
  ['would you mind reminding me at 7pm that HR wants it back?', false, 'HR wants it back'],
  ['can you let carol know at 6:15pm that her mum rang?', true, 'her mum rang'],
  ['reming me at 11pm to put the phone away', true, 'put the phone away'],
  ['poke me in three quarters of an hour to get up', true, 'get up'],
  ['テストやばいから @kiki 今日20時に英単語やれって言って', true, '英単語やれ'],
  ['心配で…。kiki、明日の8時になったら母に電話するよう言って', true, '母に電話'],
  ['来週水曜13:00のデモの10分前に画面共有のテストってリマインドして', true, '画面共有のテスト'],
  ['4月1日の9時に名札って投げて', true, '名札'],
  ['明日の8時に席取るの忘れそうだからリマインド頼む', true, '席取る'],
  ['3月22日の0時にcarolへおめでとうって送るの、私が忘れないように教えて', true, 'carolへおめでとうって送る'],
])('"%s" asks for a reminder', (text, isSure, content) => {
  const order = read(text)
  expect(order).toMatchObject({ kind: 'set', isSure, wanted: [{ content, when: { at: expect.any(Number) } }] })
  expect(order && 'targets' in order ? order.targets?.map(one => one?.name) : undefined).toEqual(
    text.includes('let carol') ? ['carol'] : undefined,
  )
})

test('reads the people to whom it is said', () => {
  const carol = { id: 'carol', name: 'carol' }
  expect(read('at 15:30 please say to carol she must call back')).toMatchObject({ targets: [carol] })
  expect(read('remind me and carol tomorrow at 9 to call back')).toMatchObject({ targets: [undefined, carol], isSure: true })
  expect(read('remind carol or me at 5 to call back')).toMatchObject({ isUnknown: true })
  expect(read('年度末なんで、31日の17時に「経費」って聞いて')).toMatchObject({ wanted: [{ content: '経費' }] })
})

test.each([
  'tomorrow at nine I am away',
  'the game starts at 8pm',
  '9 is fine',
  'at 9 then?',
  'see you at 5',
  '10 ways to cook rice',
  'good morning',
  'summarize since 9am',
  '10 minutes ago the build broke',
  '3時にケーキ食べた',
  '明日は9時から会議です',
  '10時はどう',
  '9時に集合ね',
  'おはよう',
])('"%s" is no note', text => expect(noted(text)).toBeUndefined())

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
  '18時にゴミを出して',
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
  'remind me at 6 to lock up, and remind bob at 7 to open ',
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
