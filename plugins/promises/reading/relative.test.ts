/** English requests for a time before an event, and with a length or a time in unusual places. */
import { toWall } from '@kikimimi/times'
import { expect, test } from 'vitest'
import { readOrder } from './orders.ts'

/** Wednesday, 2026-03-11 14:30 in New York. */
const NOW = { now: Date.parse('2026-03-11T14:30:00-04:00'), zone: 'America/New_York' }

function read(text: string): string {
  const order = readOrder(text, ['kiki'], [{ id: 'bob', name: 'bob' }], NOW)
  if (order?.kind !== 'set') return order?.kind ?? 'none'
  const wanted = order.wanted.map(({ when, content }) => {
    const time = when && 'at' in when ? new Date(toWall(when.at, NOW.zone)).toISOString().slice(5, 16) : 'ask'
    return `${time} ${content}`
  })
  return `${order.isSure ? 'sure' : 'ask'} ${wanted.join(' + ')}`
}

test.each([
  ['remind me half an hour before the 6pm rehearsal to load the van', '03-11T17:30 load the van'],
  ['remind bob an hour before the 5pm demo to charge the laptop', '03-11T16:00 charge the laptop'],
  ['can u remind me 1 hr b4 the 4pm call w/ the investors to update slide 7', '03-11T15:00 update slide 7'],
  ['the shift starts at 6am tomorrow. Remind me 15 minutes before that to hand out the keys', '03-12T05:45 hand out the keys'],
  ['the report is due on the 31st, remind me two days before at 10am', '03-29T10:00 the report is due on the 31st'],
  ['registration closes march 27 at noon. remind me the evening before at 8', '03-26T20:00 registration closes march 27 at noon'],
  ['on 14/03 at 19:20 the taxi to the airport, tell me 30 minutes before', '03-14T18:50 the taxi to the airport'],
  ['remind me to join the retro at 3:30, 5 min before please', '03-11T15:25 join the retro at 3:30'],
  ['remind me the night before the 20th to pack', '03-19T21:00 pack'],
  ['45 min timer for the laundry', '03-11T15:15 the laundry'],
  ['set a 10 minute timer', '03-11T14:40 timer'],
  ['remindme 10m tea', '03-11T14:40 tea'],
  ['remind tomorrow 8:30 handover with night shift', '03-12T08:30 handover with night shift'],
  ['wake me up at 6 tomorrow', '03-12T06:00 wake up'],
  ['remind bob on Friday to bring the amp? he always forgets', '03-13T09:00 bring the amp'],
  ['set a reminder for 11:30pm, assignment 4 closes at midnight', '03-11T23:30 assignment 4 closes at midnight'],
  ['remind me on 2 April at 14:00 — CT scan slot for room 4', '04-02T14:00 CT scan slot for room 4'],
  ['remind me at 5 to swap the laundry, we only have the machine until 6', '03-11T17:00 swap the laundry'],
  ['remind me at 5 to tell bob that if it rains, we stay at home', '03-11T17:00 tell bob that if it rains, we stay at home'],
])('"%s" is sure', (text, told) => expect(read(text)).toBe(`sure ${told}`))

test.each([
  'wake me at 8',
  'remind me a day before my birthday to order cake',
  'remind me to stretch in 20 minutes before I forget',
  'remind me a day before the 4pm call on friday to print it',
])('"%s" is asked about', text => expect(read(text)).toMatch(/^ask|^sure ask/))

test.each(['I told you two days before that', 'bob came an hour before the demo', 'the timer rang 10 minutes before'])(
  '"%s" is no request',
  text => expect(read(text)).toBe('none'),
)
