import { expect, test } from 'vitest'
import type { ArrivalKind, Slot } from '../../api/index.ts'
import { type Admission, createAdmission } from './admission.ts'

function admission(room: Partial<Record<ArrivalKind, number>> = {}, atOnce = 1) {
  const time = { now: 0 }
  return {
    time,
    gate: createAdmission({ clock: { now: () => time.now }, room: { call: 80, talk: 80, change: 80, ...room }, atOnce }),
  }
}

const enterAll = (gate: Admission, channel: string, count: number, kind: ArrivalKind = 'talk'): Slot[] =>
  Array.from({ length: count }, () => gate.enter(channel, kind)).flatMap(slot => slot ?? [])

/** Notes the order in which these slots get their turn, and ends each turn at once. */
async function order(slots: Readonly<Record<string, Slot>>): Promise<string[]> {
  const begun: string[] = []
  await Promise.all(
    Object.entries(slots).map(async ([name, slot]) => {
      await slot.begin()
      begun.push(name)
      slot[Symbol.dispose]()
    }),
  )
  return begun
}

const slot = (gate: Admission, channel: string, kind: ArrivalKind = 'talk'): Slot => {
  const found = gate.enter(channel, kind)
  if (!found) throw new Error('no room')
  return found
}

test('a loud channel gets a share of the room, and a quiet one still finds a place', () => {
  const { gate } = admission()
  const loud = enterAll(gate, 'loud', 1_000)
  expect(loud.length).toBeLessThan(12)
  expect(loud.length).toBeGreaterThan(6)
  for (let channel = 0; channel < 50; channel++) expect(gate.enter(`quiet ${channel}`, 'talk')).toBeDefined()
})

test('the room is never exceeded, however many channels there are', () => {
  const { gate } = admission()
  const slots = Array.from({ length: 1_000 }, (_, channel) => gate.enter(`channel ${channel}`, 'talk')).filter(Boolean)
  expect(slots).toHaveLength(80)
})

test('room that becomes free is used again', () => {
  const { gate } = admission()
  const [first, ...rest] = enterAll(gate, 'loud', 1_000)
  expect(gate.enter('loud', 'talk')).toBeUndefined()
  first?.[Symbol.dispose]()
  first?.[Symbol.dispose]()
  expect(enterAll(gate, 'loud', 10)).toHaveLength(1)
  for (const one of rest) one[Symbol.dispose]()
  expect(enterAll(gate, 'loud', 1_000).length).toBe(rest.length)
})

test('calls have their own room, which talk cannot fill', () => {
  const { gate } = admission()
  for (let channel = 0; channel < 1_000; channel++) gate.enter(`channel ${channel}`, 'talk')
  expect(gate.enter('channel 1', 'talk')).toBeUndefined()
  expect(gate.enter('channel 1', 'call')).toBeDefined()
})

test('a call begins at once, and of the others the channels take turns', async () => {
  const { gate } = admission()
  const busy = slot(gate, 'busy')
  await busy.begin()
  const slots = {
    loud1: slot(gate, 'loud'),
    loud2: slot(gate, 'loud'),
    loud3: slot(gate, 'loud'),
    quiet: slot(gate, 'quiet'),
    call: slot(gate, 'loud', 'call'),
  }
  const begun = order(slots)
  busy[Symbol.dispose]()
  expect(await begun).toEqual(['call', 'loud1', 'quiet', 'loud2', 'loud3'])
})

test('a message that leaves before its turn takes no turn', async () => {
  const { gate } = admission()
  const busy = slot(gate, 'busy')
  await busy.begin()
  const gone = slot(gate, 'one')
  void gone.begin()
  gone[Symbol.dispose]()
  const begun = order({ next: slot(gate, 'two') })
  busy[Symbol.dispose]()
  expect(await begun).toEqual(['next'])
})

test('it knows when the oldest waiting message arrived', () => {
  const { gate, time } = admission()
  expect(gate.waitingSince).toBeUndefined()
  const first = slot(gate, 'one')
  time.now = 5
  slot(gate, 'two')
  expect(gate.waitingSince).toBe(0)
  first[Symbol.dispose]()
  expect(gate.waitingSince).toBe(5)
})

test('a long message takes the room of several', () => {
  const { gate } = admission()
  const long = 10_000
  const slots = Array.from({ length: 1_000 }, (_, channel) => gate.enter(`channel ${channel}`, 'talk', long)).filter(Boolean)
  expect(slots).toHaveLength(8)
  expect(gate.enter('another', 'talk', 100)).toBeUndefined()
  slots[0]?.[Symbol.dispose]()
  expect(enterAll(gate, 'another', 1)).toHaveLength(1)
  for (const one of slots) one?.[Symbol.dispose]()
})

test('a message finds a place in an empty room however long it is', () => {
  const { gate } = admission()
  expect(gate.enter('one', 'talk', 10_000_000)).toBeDefined()
  expect(gate.enter('two', 'talk')).toBeDefined()
})
