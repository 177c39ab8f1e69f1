import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type Clock, sleep, VirtualClock } from './clock.ts'

/** Waits for started work. No test here needs more than a few promises. */
const settle = async () => {
  for (let round = 0; round < 5; round++) await Promise.resolve()
}

/** A clock, a journal with the time of each entry, and a way to advance time. */
function journal(start = 0) {
  const clock = new VirtualClock(start)
  const entries: string[] = []
  return {
    clock,
    entries,
    note: (what: string) => () => void entries.push(`${clock.now()} ${what}`),
    pass: (ms: number) => clock.advance(clock.now() + ms, { settle }),
  }
}

describe('a virtual clock', () => {
  it('stands still until it is moved', async () => {
    const { clock, pass } = journal(Date.UTC(2026, 0, 5))
    expect(clock.now()).toBe(Date.UTC(2026, 0, 5))
    await pass(1_500)
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-05T00:00:01.500Z')
  })

  it('does not fire a timer that another timer of the same time has cleared', async () => {
    const { clock, entries, note, pass } = journal()
    let second: unknown
    clock.setTimeout(() => clock.clearTimeout(second), 10)
    second = clock.setTimeout(note('cleared'), 10)
    clock.setTimeout(note('kept'), 10)
    await pass(20)
    expect(entries).toEqual(['10 kept'])
  })

  it('does not run backwards', async () => {
    const { clock } = journal(1_000)
    await clock.advance(400, { settle })
    expect(clock.now()).toBe(1_000)
  })

  it('fires timers in the order in which they fall due, each at its own time', async () => {
    const { clock, entries, note, pass } = journal()
    clock.setTimeout(note('late'), 30)
    clock.setTimeout(note('early'), 10)
    clock.setTimeout(note('between'), 20)
    clock.setTimeout(note('not yet'), 31)
    await pass(30)
    expect(entries).toEqual(['10 early', '20 between', '30 late'])
    expect(clock.now()).toBe(30)
  })

  it('fires timers that are due at the same time in the order in which they were set', async () => {
    const { clock, entries, note, pass } = journal()
    clock.setTimeout(note('first'), 10)
    await pass(5)
    clock.setTimeout(note('second'), 5)
    clock.setTimeout(note('third'), 5)
    await pass(5)
    expect(entries).toEqual(['10 first', '10 second', '10 third'])
  })

  it('treats a negative time as now', async () => {
    const { clock, entries, note, pass } = journal(100)
    clock.setTimeout(note('now'), -50)
    expect(entries).toEqual([])
    await pass(0)
    expect(entries).toEqual(['100 now'])
  })

  it('fires a timer that another timer sets, at its own time', async () => {
    const { clock, entries, note, pass } = journal()
    clock.setTimeout(() => {
      note('outer')()
      clock.setTimeout(note('inner'), 5)
      clock.setTimeout(note('at once'), 0)
    }, 10)
    clock.setTimeout(note('meanwhile'), 12)
    await pass(20)
    expect(entries).toEqual(['10 outer', '10 at once', '12 meanwhile', '15 inner'])
  })

  it('waits for the work of a timer before time advances', async () => {
    const { clock, entries, note, pass } = journal()
    void sleep(clock, 10).then(() => clock.setTimeout(note('set late'), 5))
    clock.setTimeout(note('next'), 20)
    await pass(20)
    expect(entries).toEqual(['15 set late', '20 next'])
  })

  it('forgets a timer that is cleared', async () => {
    const { clock, entries, note, pass } = journal()
    const timer = clock.setTimeout(note('never'), 10)
    clock.setTimeout(note('kept'), 10)
    clock.clearTimeout(timer)
    clock.clearTimeout(timer)
    clock.clearTimeout(undefined)
    await pass(10)
    expect(entries).toEqual(['10 kept'])
  })

  it('repeats an interval until it is cleared', async () => {
    const { clock, entries, note, pass } = journal()
    const timer = clock.setInterval(note('tick'), 10)
    await pass(35)
    clock.clearInterval(timer)
    await pass(35)
    expect(entries).toEqual(['10 tick', '20 tick', '30 tick'])
  })

  it('an interval can clear itself', async () => {
    const { clock, entries, note, pass } = journal()
    const timer = clock.setInterval(() => {
      note('tick')()
      if (entries.length === 2) clock.clearInterval(timer)
    }, 10)
    await pass(100)
    expect(entries).toEqual(['10 tick', '20 tick'])
  })
})

describe('moving on', () => {
  it('stops at times that are no timers, and calls `moved` before timers fire', async () => {
    const { clock, entries, note } = journal()
    const jobs = [15, 40]
    clock.setTimeout(note('timer'), 20)
    await clock.advance(30, {
      settle,
      next: async () => jobs.find(due => due > clock.now()),
      moved: async time => void entries.push(`${time} moved`),
    })
    expect(entries).toEqual(['15 moved', '20 moved', '20 timer', '30 moved'])
  })

  it('calls `settle` before every stop and after the last', async () => {
    const { clock, entries, note } = journal()
    clock.setTimeout(note('timer'), 10)
    await clock.advance(20, { settle: async () => note('settled')() })
    expect(entries).toEqual(['0 settled', '10 timer', '10 settled', '20 settled'])
  })
})

describe('for a poller', () => {
  const poller = () => {
    const { clock, entries, note, pass } = journal()
    return { clock, entries, note, pass, lazy: clock.lazily() satisfies Clock }
  }

  it('time does not stop for its timeouts, and they fire once it has passed them', async () => {
    const { clock, lazy, entries, note, pass } = poller()
    lazy.setTimeout(note('limit'), 2_500)
    clock.setTimeout(note('timer'), 10_000)
    await pass(20_000)
    expect(entries).toEqual(['10000 limit', '10000 timer'])
    expect(lazy.now()).toBe(clock.now())
  })

  it('an interval fires when it is told to look, once for all the periods that have passed', async () => {
    const { clock, lazy, entries, note, pass } = poller()
    lazy.setInterval(note('poll'), 1_000)
    await pass(20_500)
    expect(entries).toEqual([])
    clock.poll(1_000)
    expect(entries).toEqual(['20500 poll'])
    await pass(1_000)
    clock.poll(0)
    expect(entries).toEqual(['20500 poll', '21500 poll'])
  })

  it('its timers can be cleared', async () => {
    const { lazy, entries, note, pass } = poller()
    const timers = [lazy.setTimeout(note('limit'), 10), lazy.setInterval(note('poll'), 10)] as const
    lazy.clearTimeout(timers[0])
    lazy.clearInterval(timers[1])
    await pass(100)
    expect(entries).toEqual([])
  })

  it('`poll` fires the timers that are due soon', async () => {
    const { clock, lazy, entries, note, pass } = poller()
    lazy.setTimeout(note('soon'), 500)
    lazy.setTimeout(note('later'), 5_000)
    clock.setTimeout(note('timer'), 500)
    clock.poll(1_000)
    expect(entries).toEqual(['0 soon'])
    await pass(5_000)
    expect(entries).toEqual(['0 soon', '500 timer', '5000 later'])
  })
})

describe('sleep', () => {
  it('ends when its time has passed, and leaves no timer', async () => {
    const { clock, entries, note, pass } = journal()
    const { signal } = new AbortController()
    const slept = sleep(clock, 100, signal).then(note('awake'))
    await pass(99)
    expect(entries).toEqual([])
    await pass(1)
    await slept
    expect(entries).toEqual(['100 awake'])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('rejects with the reason when it is aborted, and clears its timer', async () => {
    const { clock } = journal()
    const controller = new AbortController()
    const slept = sleep(clock, 100, controller.signal)
    controller.abort(new Error('a newer message arrived'))
    await expect(slept).rejects.toThrow('a newer message arrived')
    const stops: number[] = []
    await clock.advance(200, { settle, moved: async time => void stops.push(time) })
    expect(stops).toEqual([200])
  })

  it('does not begin when it was aborted before', async () => {
    const { clock } = journal()
    await expect(sleep(clock, 100, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  })
})
