/** 200 requests in each language, as people write them in a chat, and the times that they mean. */
import { readFileSync } from 'node:fs'
import { orderText } from '@kikimimi/orders'
import { type Repeat, toWall } from '@kikimimi/times'
import { describe, expect, test } from 'vitest'
import { readRequest } from './request.ts'

const ZONES = { en: 'America/New_York', ja: 'Asia/Tokyo' } as const
const NOW = { en: Date.parse('2026-03-11T14:30:00-04:00'), ja: Date.parse('2026-03-11T14:30:00+09:00') } as const
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** `2week TU`, `month 1MO`, `year 05-03`, `30minute` */
function repeatText({ unit, n, weekdays = [], nth, date, month }: Repeat): string {
  if (unit === 'minute' || unit === 'hour') return `${n}${unit}`
  const days = weekdays.map(day => DAYS[day]).join(',')
  const two = (number: number | string = '') => String(number).padStart(2, '0')
  const on = nth === undefined ? (unit === 'year' ? `${two(month)}-${two(date)}` : (date ?? days)) : `${nth}${days}`
  return `${n === 1 ? '' : n}${unit} ${on}`.trim()
}

function understood(text: string, language: keyof typeof ZONES): string {
  const zone = ZONES[language]
  const found = readRequest(orderText(text, []), [{ id: 'bob', name: 'bob' }], { now: NOW[language], zone })
  if (!found?.isSure) return 'ask'
  const times = found.wanted.map(({ when, content }) => {
    if (!when || 'problem' in when || content === '') return 'ask'
    const { at, repeat } = when
    const time = new Date(toWall(at, zone))
      .toISOString()
      .replace('T', ' ')
      .replace(/(?::00)?\.000Z$/, '')
      .replace(/^2026-/, '')
    return repeat ? `${time} | ${repeatText(repeat)}` : time
  })
  return times.includes('ask') ? 'ask' : times.join(' + ')
}

describe.each(['en', 'ja'] as const)('requests in %s', language => {
  const lines = readFileSync(new URL(`../expressions/${language}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  const read = lines.map(line => {
    const [text = '', expected = ''] = line.split(' => ')
    return { text, expected, got: understood(text, language) }
  })

  test('are 200 or more', () => expect(read.length).toBeGreaterThanOrEqual(200))

  test('are understood, or asked back', () => {
    expect(read.filter(({ expected, got }) => got !== expected)).toEqual([])
  })
})
