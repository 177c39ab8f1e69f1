import { expect, test } from 'vitest'
import { whenAsked } from './when.ts'

/** A Wednesday. */
const now = new Date(2026, 6, 15, 12)

const day = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-')

test.each([
  ['where did I live before?', true],
  ['where do I live?', false],
  ['私は以前どこに住んでいた？', true],
  ['私はどこに住んでる？', false],
  ['저는 전에 어디에 살았어요?', true],
  ['저는 어디에 살아요?', false],
  ['what may we decide?', false],
  ['오전에 뭐 해?', false],
])('%s asks for the past: %s', (text, history) => {
  expect(whenAsked(text, now)).toEqual({ history })
})

test.each([
  ['what did we decide in May?', '2026-05-01', '2026-06-01'],
  ['what happened in October?', '2025-10-01', '2025-11-01'],
  ['what did we decide in May 2024?', '2024-05-01', '2024-06-01'],
  ['what did we do in 2023?', '2023-01-01', '2024-01-01'],
  ['who was here last week?', '2026-07-06', '2026-07-13'],
  ['what did bob say yesterday?', '2026-07-14', '2026-07-15'],
  ['what did we plan last month?', '2026-06-01', '2026-07-01'],
  ['where was the party last year?', '2025-01-01', '2026-01-01'],
  ['5月に何を決めた？', '2026-05-01', '2026-06-01'],
  ['2024年12月に何をした？', '2024-12-01', '2025-01-01'],
  ['先週は誰が来た？', '2026-07-06', '2026-07-13'],
  ['昨日ボブは何と言った？', '2026-07-14', '2026-07-15'],
  ['先月の予定は？', '2026-06-01', '2026-07-01'],
  ['去年の旅行はどこ？', '2025-01-01', '2026-01-01'],
  ['5월에 뭘 정했지?', '2026-05-01', '2026-06-01'],
  ['지난주에 누가 왔어?', '2026-07-06', '2026-07-13'],
  ['어제 밥이 뭐라고 했어?', '2026-07-14', '2026-07-15'],
  ['작년 여행은 어디였지?', '2025-01-01', '2026-01-01'],
])('%s', (text, from, to) => {
  const { range, history } = whenAsked(text, now)
  expect(history).toBe(true)
  expect(range && [day(range.from), day(range.to)]).toEqual([from, to])
})
