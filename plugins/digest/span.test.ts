import { expect, test } from 'vitest'
import { readAsked, readSpan } from './asked.ts'
import { rangeOf } from './span.ts'

/** Wednesday, 2026-03-11 14:30 in Tokyo. */
const NOW = new Date('2026-03-11T05:30:00Z')

const wall = (at: Date | undefined) => (at ? new Date(at.getTime() + 9 * 3_600_000).toISOString().slice(0, 16) : 'now')

function rangeIn(text: string): string {
  const span = readAsked(text, ['kiki', 'キキ'])?.span
  if (!span) return 'nothing'
  if (span.kind === 'messages') return `the last ${span.count}`
  const range = rangeOf(span, NOW, 'Asia/Tokyo')
  return range ? `${wall(range.from)} – ${wall(range.to)}` : 'no time'
}

test.each([
  ['@kiki what happened yesterday?', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki what happened since yesterday?', '2026-03-10T00:00 – now'],
  ['@kiki what happened this morning?', '2026-03-11T00:00 – 2026-03-11T12:00'],
  ['@kiki what did I miss this afternoon', '2026-03-11T12:00 – now'],
  ['@kiki what happened last friday?', '2026-03-06T00:00 – 2026-03-07T00:00'],
  ['@kiki summarize last week please', '2026-03-02T00:00 – 2026-03-09T00:00'],
  ['@kiki recap this week', '2026-03-09T00:00 – now'],
  ['@kiki what happened over the weekend?', '2026-03-07T00:00 – 2026-03-09T00:00'],
  ['@kiki what happened since 1pm', '2026-03-11T13:00 – now'],
  ['@kiki what happened since noon?', '2026-03-11T12:00 – now'],
  ['kiki, what happened yesterday between 3 and 5pm?', '2026-03-10T15:00 – 2026-03-10T17:00'],
  ['@kiki what happened from 9 to 11 on monday', '2026-03-09T09:00 – 2026-03-09T11:00'],
  ['@kiki recap of yesterday evening', '2026-03-10T18:00 – 2026-03-11T00:00'],
  ['@kiki anything happen overnight?', '2026-03-10T18:00 – 2026-03-11T06:00'],
  ['@kiki summary of the last 3 hours', '2026-03-11T11:30 – now'],
  ['@kiki what did people talk about on march 3?', '2026-03-03T00:00 – 2026-03-04T00:00'],
  ['@kiki summarise the last 20 messages', 'the last 20'],
  ['@kiki digest 24h', '2026-03-10T14:30 – now'],
  ['kiki recap 2 days pls', '2026-03-09T14:30 – now'],
  ['@kiki i have been away, please make me a resume of the last 48 hours', '2026-03-09T14:30 – now'],
  ['@kiki write us a summary of yesterday', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['I was stuck on the line all lunch, @kiki anything important from 11 to 2?', '2026-03-11T11:00 – 2026-03-11T14:00'],
  ['@kiki sumarise teh last hour', '2026-03-11T13:30 – now'],
  ['@kiki summerize yesterday', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki recap of the last 2 hours pls, was in class', '2026-03-11T12:30 – now'],
  ['@kiki can I get a summary of monday? i was sick', '2026-03-09T00:00 – 2026-03-10T00:00'],
  ['too many messages lol @kiki whats the gist of yesterday', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki summarise the chat between 9 and 11 this morning', '2026-03-11T09:00 – 2026-03-11T11:00'],
  ['@kiki catch me up on everything since noon', '2026-03-11T12:00 – now'],
  ['@kiki 直近1時間のまとめお願い、ログ追えてない', '2026-03-11T13:30 – now'],
  ['@kiki 昨日休んでたので、昨日の会話を要約してもらえますか？', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki 今朝9時から今までみんな何話してた？要約よろ', '2026-03-11T09:00 – now'],
  ['キキ、午前中の話の要約ちょうだい', '2026-03-11T00:00 – 2026-03-11T12:00'],
  ['@kiki 昨日の18時以降のやりとりをざっと教えてください', '2026-03-10T18:00 – now'],
  ['キキ、昨日の分のやりとりを要約お願いします。報告するので', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki 今日ここで何の話してたか教えて', '2026-03-11T00:00 – now'],
  ['@kiki 昨日のまとめ、今から読むわ〜 コーヒー淹れてから', 'nothing'],
  ["@kiki yesterday's recap, will read it later", 'nothing'],
  ['@kiki I was offline since yesterday 5pm, catch me up', '2026-03-10T17:00 – now'],
  ['@kiki I was out all of last week with the flu, could you recap that week for me', '2026-03-02T00:00 – 2026-03-09T00:00'],
  ['@kiki i was on vacation from 2 to 6 March, what happened here in that time?', '2026-03-02T00:00 – 2026-03-07T00:00'],
  ['@kiki summary of the last 3 hours? was in theatre', '2026-03-11T11:30 – now'],
  ['@kiki summary of the last 24h', '2026-03-10T14:30 – now'],
  ["@kiki today's discussion in a few bullet points, if you'd be so kind", '2026-03-11T00:00 – now'],
  ["@kiki wrap up last Friday's conversation for dave, he wasn't here", '2026-03-06T00:00 – 2026-03-07T00:00'],
  ["@kiki too many messages, what's the gist of everything since 12:30", '2026-03-11T12:30 – now'],
  ['@kiki give me a short version of the discussion today', '2026-03-11T00:00 – now'],
  ['@kiki catch me up on the chat since 12:15, I was at lunch', '2026-03-11T12:15 – now'],
  ['@kiki recap of monday and tuesday please', '2026-03-09T00:00 – 2026-03-11T00:00'],
  ['@kiki I was away, what happened that day?', 'no time'],
  ['@kiki 熱で休んでたので、月曜からの分をまとめてほしいです', '2026-03-09T00:00 – now'],
  ['@kiki おとといと昨日の分をダイジェストで', '2026-03-09T00:00 – 2026-03-11T00:00'],
  ['@kiki 先週の議論のまとめって出せる？', '2026-03-02T00:00 – 2026-03-09T00:00'],
  ['@kiki 昨日有給だったんだけど、その日のサマリちょうだい', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki 午前中は会議で見れてないので、その間の要点だけお願い', '2026-03-11T00:00 – 2026-03-11T12:00'],
  ['@kiki 3月に入ってから決まったこと、まとめてもらえると助かります', '2026-03-01T00:00 – now'],
  ['@kiki 先週の金曜の午後に出た意見を要約してもらえる？', '2026-03-06T12:00 – 2026-03-06T18:00'],
  ['@kiki 昼休みの間なんかあった？12時から13時のとこだけざっくり', '2026-03-11T12:00 – 2026-03-11T13:00'],
  ['@kiki 直近2時間のログをサマって', '2026-03-11T12:30 – now'],
  ['@kiki 3/5の話し合いの内容を要約してください', '2026-03-05T00:00 – 2026-03-06T00:00'],
  ['@kiki 先週の話まとめといて', '2026-03-02T00:00 – 2026-03-09T00:00'],
  ['@kiki きょうの はなしを みじかく まとめてください', '2026-03-11T00:00 – now'],
  ['@kiki 1週間分のまとめ作って', '2026-03-04T14:30 – now'],
  ['@kiki 先月の議論を箇条書きで', '2026-02-01T00:00 – 2026-03-01T00:00'],
  ['@kiki きのう なにを はなしたか おしえて', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki 3日前から今日までの会話のダイジェスト作って', '2026-03-08T00:00 – now'],
  ['@kiki what happened tomorrow?', 'no time'],
  ['@kiki 明日の15時から16時の会話を要約して', 'no time'],
  ['@kiki あの時の話をまとめて', 'no time'],
  ['@kiki what happened on december 24', '2025-12-24T00:00 – 2025-12-25T00:00'],
  ['@kiki 昨日何があった？', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki 昨日から何か進んだ？', '2026-03-10T00:00 – now'],
  ['@kiki 一昨日の会話をまとめて', '2026-03-09T00:00 – 2026-03-10T00:00'],
  ['@kiki 月曜に何があった', '2026-03-09T00:00 – 2026-03-10T00:00'],
  ['@kiki 先週の金曜の話を教えて', '2026-03-06T00:00 – 2026-03-07T00:00'],
  ['@kiki 週末に何があった？', '2026-03-07T00:00 – 2026-03-09T00:00'],
  ['@kiki 昨晩の21時から今朝7時までの話を要約して', '2026-03-10T21:00 – 2026-03-11T07:00'],
  ['@kiki 今朝8時からのぶん、要点よろ', '2026-03-11T08:00 – now'],
  ['@kiki could you kindly tell me what they discussed on Monday and Tuesday?', '2026-03-09T00:00 – 2026-03-11T00:00'],
  ['@kiki 今朝の流れを教えて', '2026-03-11T04:00 – 2026-03-11T11:00'],
  ['@kiki 昨日の夜から何か動きあった？', '2026-03-10T18:00 – now'],
  ['@kiki 昨日の午後2時から4時の話をまとめて', '2026-03-10T14:00 – 2026-03-10T16:00'],
  ['@kiki １３時から何があった？', '2026-03-11T13:00 – now'],
  ['@kiki 3月5日の内容を要約して', '2026-03-05T00:00 – 2026-03-06T00:00'],
  ['@kiki 2時間前から何があった？', '2026-03-11T12:30 – now'],
  ['@kiki 直近30件をまとめて', 'the last 30'],
  ['@kiki 2月30日の会話をまとめて', 'no time'],
  ['@kiki 어제 무슨 일 있었어?', '2026-03-10T00:00 – 2026-03-11T00:00'],
  ['@kiki 어제부터 무슨 일 있었어?', '2026-03-10T00:00 – now'],
])('%s', (text, range) => {
  expect(rangeIn(text)).toBe(range)
})

test.each([['yesterday'], ['since monday'], ['昨日'], ['先週']])('a time alone: %s', text => {
  expect(readSpan(text)).toBeDefined()
})

test.each([['you all'], ['yesterday and you'], ['昨日の敵']])('no time alone: %s', text => {
  expect(readSpan(text)).toBeUndefined()
})
