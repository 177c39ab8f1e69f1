import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { timesOf } from '../base/schedule.ts'
import type { JobKind, Jobs } from '../storage/jobs/jobs.ts'
import { sharedJobsContract } from './shared-jobs-contract.ts'

export interface JobsHarness {
  readonly jobs: Jobs
  /** Moves the clock, and waits until the started work is done or waits. */
  pass(ms: number): Promise<void>
  now(): number
  /** A second queue on the same data, like another process or a later start. */
  another?(): Promise<JobsHarness>
  close(): Promise<void>
}

/** What every job queue guarantees. */
export function jobsContract(name: string, open: () => Promise<JobsHarness>): void {
  describe(`jobs in ${name}`, () => {
    let harness: JobsHarness
    let ran: unknown[]
    const noting = (extra: Partial<JobKind> = {}): JobKind => ({
      retries: 0,
      run: payload => void ran.push(payload),
      ...extra,
    })

    beforeEach(async () => {
      harness = await open()
      ran = []
    })
    afterEach(() => harness.close())

    it('a job runs at once when no time is given', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('note', { a: 1 })
      await harness.pass(0)
      expect(ran).toEqual([{ a: 1 }])
    })

    it('a job waits for its time', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'later', { at: new Date(harness.now() + 60_000) })
      await harness.pass(59_000)
      expect(ran).toEqual([])
      await harness.pass(1_000)
      expect(ran).toEqual(['later'])
    })

    it('a job waits longer than a timer of Node can', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'far', { at: new Date(harness.now() + 30 * 24 * 3_600_000) })
      await harness.pass(29 * 24 * 3_600_000)
      expect(ran).toEqual([])
      await harness.pass(24 * 3_600_000)
      expect(ran).toEqual(['far'])
    })

    it('a job replaces the waiting one of its key', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'first', { at: new Date(harness.now() + 10_000), key: 'k' })
      await harness.jobs.schedule('note', 'second', { at: new Date(harness.now() + 20_000), key: 'k' })
      await harness.pass(15_000)
      expect(ran).toEqual([])
      await harness.pass(10_000)
      expect(ran).toEqual(['second'])
    })

    it('waiting jobs are listed, soonest first, without running ones', async () => {
      const { promise: end, resolve } = Promise.withResolvers<void>()
      harness.jobs.define('note', noting({ run: () => end }))
      await harness.jobs.start()
      const at = (ms: number) => new Date(harness.now() + ms)
      await harness.jobs.schedule('note', 'late', { at: at(90_000), key: 'a/b' })
      await harness.jobs.schedule('note', { soon: true }, { at: at(60_000), key: 'a/b/c' })
      await harness.jobs.schedule('note', 'beside', { at: at(60_000), key: 'a/bb' })
      await harness.jobs.schedule('other', 'of another kind', { at: at(60_000), key: 'a/b' })
      await harness.jobs.schedule('note', 'runs', { key: 'a/b/d' })
      await harness.pass(0)
      const [soon, late] = [
        { key: 'a/b/c', payload: { soon: true }, at: at(60_000) },
        { key: 'a/b', payload: 'late', at: at(90_000) },
      ]
      expect(await harness.jobs.waiting('note', { under: 'a/b', limit: 10 })).toEqual([soon, late])
      expect(await harness.jobs.waiting('note', { key: 'a/b', limit: 1 })).toEqual([late])
      expect(await harness.jobs.waiting('note', { having: 'soon', limit: 10 })).toEqual([soon])
      expect(await harness.jobs.waiting('note', { limit: 2 })).toEqual([soon, { key: 'a/bb', payload: 'beside', at: at(60_000) }])
      resolve()
    })

    it('unlessSooner leaves the one that is due earlier, and replaces the one that is due later', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'soon', { at: new Date(harness.now() + 10_000), key: 'a' })
      await harness.jobs.schedule('note', 'late', { at: new Date(harness.now() + 20_000), key: 'a', unlessSooner: true })
      await harness.jobs.schedule('note', 'far', { at: new Date(harness.now() + 600_000), key: 'b' })
      await harness.jobs.schedule('note', 'near', { at: new Date(harness.now() + 20_000), key: 'b', unlessSooner: true })
      await harness.pass(30_000)
      expect(ran).toEqual(['soon', 'near'])
    })

    it('a cancelled job does not run', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'never', { at: new Date(harness.now() + 10_000), key: 'k' })
      await harness.jobs.cancel('note', 'k')
      await harness.pass(60_000)
      expect(ran).toEqual([])
    })

    it('of one key at most one runs, and the next waits for it', async () => {
      const first = Promise.withResolvers<void>()
      harness.jobs.define(
        'slow',
        noting({
          run: async payload => {
            ran.push(payload)
            if (payload === 1) await first.promise
          },
        }),
      )
      await harness.jobs.start()
      await harness.jobs.schedule('slow', 1, { key: 'k' })
      await harness.pass(0)
      await harness.jobs.schedule('slow', 2, { key: 'k' })
      await harness.jobs.schedule('slow', 3, { key: 'other' })
      await harness.pass(5_000)
      expect(ran).toEqual([1, 3])
      first.resolve()
      await harness.pass(5_000)
      expect(ran).toEqual([1, 3, 2])
    })

    it('a job can schedule itself again under its own key', async () => {
      harness.jobs.define(
        'step',
        noting({
          run: async payload => {
            ran.push(payload)
            if (payload !== 3)
              await harness.jobs.schedule('step', Number(payload) + 1, { key: 'k', at: new Date(harness.now() + 1_000) })
          },
        }),
      )
      await harness.jobs.start()
      await harness.jobs.schedule('step', 1, { key: 'k' })
      await harness.pass(10_000)
      expect(ran).toEqual([1, 2, 3])
    })

    it('a failed job is tried again, with a pause, until its attempts are used up', async () => {
      harness.jobs.define(
        'fragile',
        noting({
          retries: 2,
          run: payload => {
            ran.push(payload)
            throw new Error('broken')
          },
        }),
      )
      await harness.jobs.start()
      await harness.jobs.schedule('fragile', 'x')
      await harness.pass(0)
      expect(ran).toHaveLength(1)
      await harness.pass(120_000)
      expect(ran).toHaveLength(3)
      await harness.pass(600_000)
      expect(ran).toHaveLength(3)
    })

    it('repeating work runs once in each interval', async () => {
      harness.jobs.every('beat', timesOf(60), noting({ run: () => void ran.push(harness.now()) }))
      await harness.jobs.start()
      await harness.pass(5 * 60_000)
      expect(ran).toHaveLength(5)
      expect(new Set(ran.map(at => Math.floor(Number(at) / 60_000))).size).toBe(5)
    })

    it('a time for which repeating work has run does not come again for a process whose clock is behind', async () => {
      const due = harness.now() + 60_000
      harness.jobs.every(
        'beat',
        { next: after => (after < due ? due : after + 600_000) },
        noting({ run: () => void ran.push('beat') }),
      )
      await harness.jobs.start()
      await harness.jobs.schedule('beat', { slot: due }, { key: 'every', at: new Date(due - 1_000) })
      await harness.pass(120_000)
      expect(ran).toEqual(['beat'])
    })

    it('repeating work that was planned for times of an earlier definition waits for the times of the new one', async () => {
      const begun = harness.now()
      const at = (minutes: number) => begun + minutes * 60_000
      const [old, kept, renewed] = [at(1), at(2), at(3)]
      const times = (...all: number[]) => ({ next: (after: number) => all.find(one => one > after) ?? at(1_000) })
      harness.jobs.every('beat', times(old, kept), noting())
      await harness.jobs.start()
      harness.jobs.unregister('beat')
      harness.jobs.every('beat', times(kept, renewed), noting({ run: () => void ran.push(harness.now()) }))
      await harness.jobs.repeat()
      await harness.pass(5 * 60_000)
      expect(ran.map(time => Math.floor((Number(time) - begun) / 60_000))).toEqual([2, 3])
    })

    it('repeating work continues after a failed run', async () => {
      harness.jobs.every(
        'beat',
        timesOf(60),
        noting({
          run: () => {
            ran.push('beat')
            throw new Error('broken')
          },
        }),
      )
      await harness.jobs.start()
      await harness.pass(3 * 60_000)
      expect(ran).toHaveLength(3)
    })

    it('a kind can be defined again while the queue runs, with its waiting jobs', async () => {
      harness.jobs.every('beat', timesOf(60), noting())
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'kept', { at: new Date(harness.now() + 30_000) })
      for (const kind of ['note', 'beat']) harness.jobs.unregister(kind)
      harness.jobs.define('note', noting({ run: payload => void ran.push(`new ${payload}`) }))
      harness.jobs.every('beat', timesOf(20), noting({ run: () => void ran.push('new beat') }))
      await harness.jobs.repeat()
      await harness.pass(45_000)
      expect(ran).toEqual(['new beat', 'new kept', 'new beat'])
    })

    it('a job of an unknown kind is dropped', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      await harness.jobs.schedule('gone', 'x')
      await harness.jobs.schedule('note', 'y')
      await harness.pass(1_000)
      expect(ran).toEqual(['y'])
      expect(await harness.jobs.state()).toMatchObject({ due: 0, active: 0 })
    })

    it('the queue says how many jobs wait, and which kinds failed', async () => {
      const failing = (retries: number): JobKind => ({
        retries,
        run: () => {
          throw new TypeError('what somebody said')
        },
      })
      harness.jobs.define('note', noting())
      harness.jobs.define('broken', failing(0))
      harness.jobs.define('shaky', failing(5))
      await harness.jobs.start()
      expect(await harness.jobs.queue()).toEqual({ due: 0, later: 0, active: 0, failed: [] })
      await harness.jobs.schedule('note', 'later', { at: new Date(harness.now() + 3_600_000) })
      for (const kind of ['shaky', 'broken']) await harness.jobs.schedule(kind, null)
      await harness.pass(0)
      const { due, later, active, failed } = await harness.jobs.queue()
      expect({ waiting: due + later, active }).toEqual({ waiting: 2, active: 0 })
      expect(failed).toEqual([
        { kind: 'broken', retrying: 0, deadLetters: 1, last: expect.any(Date), why: 'TypeError' },
        { kind: 'shaky', retrying: 1, deadLetters: 0, why: 'TypeError' },
      ])
    })

    it('waiting jobs are pruned: dropped, changed, or kept', async () => {
      harness.jobs.define('note', noting())
      await harness.jobs.start()
      const at = new Date(harness.now() + 60_000)
      for (const payload of ['one', 'two', 'three']) await harness.jobs.schedule('note', { payload }, { at, key: payload })
      const seen: string[] = []
      await harness.jobs.prune(({ payload, key, ended }) => {
        if (!key.startsWith('note:')) return 'keep'
        seen.push(`${key} ${ended}`)
        if (key === 'note:one') return 'drop'
        return key === 'note:two' ? { payload: { was: payload } } : 'keep'
      })
      expect(seen.toSorted()).toEqual(['note:one false', 'note:three false', 'note:two false'])
      await harness.pass(61_000)
      expect(ran).toHaveLength(2)
      expect(ran).toEqual(expect.arrayContaining([{ was: { payload: 'two' } }, { payload: 'three' }]))
    })
  })

  sharedJobsContract(name, open)
}
