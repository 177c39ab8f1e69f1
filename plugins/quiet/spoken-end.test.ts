import { expect, test } from 'vitest'
import { takeEnd } from './spoken-end.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test.each([
  ['be quiet for 30 minutes', 30 * MINUTE],
  ['be quiet for the next 20 min', 20 * MINUTE],
  ['shut up for an hour', HOUR],
  ['silence for the next hour', HOUR],
  ['quiet for another hour', HOUR],
  ['shut up for half an hour please', HOUR / 2],
  ['shut up for an hour and a half', 1.5 * HOUR],
  ['for about two hours or so', 2 * HOUR],
  ['for a couple of hours', 2 * HOUR],
  ['for a few minutes', 3 * MINUTE],
  ['mute 2h', 2 * HOUR],
  ['mute for 1h 30m', 1.5 * HOUR],
  ['for 1.5 hours', 1.5 * HOUR],
  ['for forty-five minutes', 45 * MINUTE],
  ['for 90s', 90_000],
  ['for a day', 24 * HOUR],
  ['30分静かにして', 30 * MINUTE],
  ['30分間だけ黙って', 30 * MINUTE],
  ['1時間ほど静かに', HOUR],
  ['一時間半は黙って', 1.5 * HOUR],
  ['1時間30分静かに', 1.5 * HOUR],
  ['あと十五分くらい静かに', 15 * MINUTE],
  ['30ぷんくらい しずかに', 30 * MINUTE],
  ['1じかんはん だまって', 1.5 * HOUR],
  ['四十五分', 45 * MINUTE],
  ['30분 동안 조용히 해', 30 * MINUTE],
  ['한 시간만 조용히', HOUR],
  ['두 시간 반 동안', 2.5 * HOUR],
  ['1시간 30분 조용히', 1.5 * HOUR],
  ['하루 동안', 24 * HOUR],
  ['二十分', 20 * MINUTE],
  ['半日静かに', 12 * HOUR],
  ['for a quarter of an hour', HOUR / 4],
  ['for the next two and a half hours', 2.5 * HOUR],
  ['数分黙って', 3 * MINUTE],
])('%s', (text, ms) => {
  expect(takeEnd(text).end).toEqual({ ms })
})

test.each([
  'be quiet',
  'for a while',
  'for now',
  'in 2026',
  'v1.2m',
  '静かに',
  'しばらく',

  '多分ね',
  '自分で',
])('no duration: %s', text => {
  expect(takeEnd(text).end).toBeUndefined()
})

test.each([
  ["hush, movie's starting. you can come back at 9", { hour: 9 }],
  ['no messages before 16:15, client demo', { hour: 16, minute: 15 }],
  ['来客対応中のため15時半まで静かにして', { hour: 15, minute: 30 }],
])('an hour: %s', (text, end) => {
  expect(takeEnd(text).end).toMatchObject(end)
})

test.each(['be quiet until i say so', 'いいって言うまで黙ってて', '呼ぶまで静かにして'])('no end: %s', text => {
  expect(takeEnd(text).end).toBeUndefined()
})

test.each(['for 0 minutes', 'for -5 minutes', '0分間', 'マイナス5分'])('a duration that is none: %s', text => {
  expect(takeEnd(text).end).toBe('unclear')
})

test('the text without the duration is returned', () => {
  expect(takeEnd('be quiet for 30 minutes please').rest.split(/[\s,]+/)).toEqual(['be', 'quiet', 'please'])
  expect(takeEnd('あと30分だけ静かにして').rest.replace(',', '').trim()).toBe('静かにして')
})
