/** Two requests of one English text, each with words that ask. */
import { toWall } from '@kikimimi/times'
import { expect, test } from 'vitest'
import { readOrder } from './orders.ts'

/** Wednesday, 2026-03-11 14:30 in New York. */
const NOW = { now: Date.parse('2026-03-11T14:30:00-04:00'), zone: 'America/New_York' }
const PEOPLE = ['bob', 'carol'].map(name => ({ id: name, name }))

function read(text: string): string {
  const order = readOrder(text, ['kiki'], PEOPLE, NOW)
  if (order?.kind !== 'set') return order?.kind ?? 'none'
  const wanted = order.wanted.map(({ when, content, targets = order.targets ?? [] }) => {
    const time = when && 'at' in when ? new Date(toWall(when.at, NOW.zone)).toISOString().slice(5, 16) : 'ask'
    const names = targets.flatMap(one => one?.name ?? [])
    return `${time} ${content}${names.length > 0 ? ` → ${names}` : ''}`
  })
  return `${order.isSure ? 'sure' : 'ask'} ${wanted.join(' + ')}`
}

test.each([
  [
    'remind me thursday 6pm to hand over the notes, and remind bob friday 6am to restock the cart',
    '03-12T18:00 hand over the notes + 03-13T06:00 restock the cart → bob',
  ],
  [
    'remind bob at 5 to lock the door and remind carol at 6 to open it',
    '03-11T17:00 lock the door → bob + 03-11T18:00 open it → carol',
  ],
  [
    'remind me tomorrow at 9 to send the invoice and remind bob at 10 to check it',
    '03-12T09:00 send the invoice + 03-12T10:00 check it → bob',
  ],
  [
    'remind me at 5 to start the oven, then ping me at 6 to take the bread out',
    '03-11T17:00 start the oven + 03-11T18:00 take the bread out',
  ],
  ['remind me at 5pm to eat. also remind bob at 6pm to drink', '03-11T17:00 eat + 03-11T18:00 drink → bob'],
  [
    'remind me at 4 to water the ferns; remind bob at 5 to feed the cat and remind carol at 6 to lock up',
    '03-11T16:00 water the ferns + 03-11T17:00 feed the cat → bob + 03-11T18:00 lock up → carol',
  ],
  [
    'remind me at 5 to call the bank and tell bob about the 6pm game',
    '03-11T17:00 call the bank and tell bob about the 6pm game',
  ],
  ['remind me at 5 to email carol and remind bob about the slides', '03-11T17:00 email carol and remind bob about the slides'],
])('"%s" is sure', (text, told) => expect(read(text)).toBe(`sure ${told}`))

test.each([
  ['remind me at 4 to water the ferns and ping carol at 5', '03-11T16:00 water the ferns and ping carol at 5'],
  [
    'remind me at 4 to water the ferns and ping carol at 5 to bring the hose',
    '03-11T16:00 water the ferns + 03-11T17:00 bring the hose → carol',
  ],
  [
    'remind me at 4 to water the ferns and tell bob at 5 that they are wet',
    '03-11T16:00 water the ferns + 03-11T17:00 they are wet → bob',
  ],
])('"%s" is asked about', (text, told) => expect(read(text)).toBe(`ask ${told}`))
