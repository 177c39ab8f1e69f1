/** English requests behind a clause that tells something. */
import { toWall } from '@kikimimi/times'
import { expect, test } from 'vitest'
import { readOrder } from './orders.ts'

/** Wednesday, 2026-03-11 14:30 in New York. */
const NOW = { now: Date.parse('2026-03-11T14:30:00-04:00'), zone: 'America/New_York' }
const PEOPLE = ['bob', 'carol'].map(name => ({ id: name, name }))

function read(text: string): string {
  const order = readOrder(text, ['kiki'], PEOPLE, NOW)
  if (order?.kind !== 'set') return order?.kind ?? 'none'
  if (order.isUnknown) return 'whom'
  const wanted = order.wanted.map(({ when, content }) => {
    const time = when && 'at' in when ? new Date(toWall(when.at, NOW.zone)).toISOString().slice(5, 16) : 'ask'
    return `${time} ${content}`
  })
  const names = order.targets ? ` → ${order.targets.map(one => one?.name ?? 'self')}` : ''
  return `${order.isSure ? 'sure' : 'ask'} ${wanted.join(' + ')}${names}`
}

test.each([
  // The clause before has a time of its own.
  ['kiki, my shift starts at 11 tonight, can you remind me at 10 to pack my badge', '03-11T22:00 pack my badge'],
  ['the match starts at 8pm today, remind me at 7 to buy snacks', '03-11T19:00 buy snacks'],
  ['my exam is on friday at 9, remind me thursday at 8pm to bring a pen', '03-12T20:00 bring a pen'],
  ['my exam is on friday at 9, remind me at 8 to bring a pen', '03-13T08:00 bring a pen'],
  ['the viewing is on the 19th at 11, can you remind me at 10:30 that day to take the keys', '03-19T10:30 take the keys'],
  ['raid starts at 8pm tonight, @kiki remind me half an hour before to hand out flasks', '03-11T19:30 hand out flasks'],
  // Or none.
  [
    "I've been putting this off and my sister is going to kill me if I miss it again, would you remind me on Saturday at 11 am to book the venue?",
    '03-14T11:00 book the venue',
  ],
  [
    'I always forget this and my lead gets annoyed, so could you remind me every weekday at 9:45 to post in standup',
    '03-12T09:45 post in standup',
  ],
  // The content is in the clause before.
  [
    'the essay is due sunday 11pm, @kiki remind me saturday at 10am and sunday at 6pm',
    '03-14T10:00 the essay is due sunday 11pm + 03-15T18:00 the essay is due sunday 11pm',
  ],
  ['I must not forget to renew my visa paper, please remember me on 20 March at 10:00', '03-20T10:00 renew my visa paper'],
  ['i have to call the plumber, @kiki please remind me tomorrow at 9', '03-12T09:00 call the plumber'],
  ["don't let me forget to order the halibut, so ping me at 5:30", '03-11T17:30 order the halibut'],
  // The person is.
  ['bob keeps forgetting so @kiki pls remind him at 7pm to bring the projector', '03-11T19:00 bring the projector → bob'],
  ['bob and carol always miss it, remind them tomorrow at 9 to sign the sheet', '03-12T09:00 sign the sheet → bob,carol'],
  // Announced.
  [
    'two things: friday 10am dentist, friday 3pm parent teacher meeting',
    '03-13T10:00 dentist + 03-13T15:00 parent teacher meeting',
  ],
])('"%s" is sure', (text, told) => expect(read(text)).toBe(`sure ${told}`))

test.each([
  'my exam is on friday at 2pm, remind me at 8 to bring a pen',
  'I am so tired, remind me at 5',
  'bob said, remind me at 5 to eat the cake',
  'if I miss the bus, remind me at 5 to call mum',
  'for example, remind me at 5 to call mum',
])('"%s" is asked about', text => expect(read(text)).toMatch(/^ask/))

test.each([
  'two things: tomorrow I am away, friday 3pm we talk',
  'he is nice, remind her at 6 to smile',
  'the dentist got moved to saturday, remind me at 9 instead',
])('"%s" sets nothing', text => expect(read(text)).not.toMatch(/^(?:sure|ask)/))
