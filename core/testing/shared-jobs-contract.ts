import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { timesOf } from '../base/schedule.ts'
import type { JobKind } from '../storage/jobs/jobs.ts'
import type { JobsHarness } from './jobs-contract.ts'

/** What every durable job queue guarantees that several processes share. */
export function sharedJobsContract(name: string, open: () => Promise<JobsHarness>): void {
  describe(`jobs in ${name}, of several processes`, () => {
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

    it('an idle queue takes jobs, and another runs them', async ctx => {
      const { another } = harness
      if (!another) return ctx.skip('memory has one queue')
      harness.jobs.define('note', noting())
      harness.jobs.every('beat', timesOf(1), noting())
      await harness.jobs.start(true)
      await harness.jobs.schedule('note', 'for another')
      await harness.pass(10_000)
      expect(ran).toEqual([])
      const second = await another()
      second.jobs.define('note', noting())
      await second.jobs.start()
      await second.pass(1_000)
      expect(ran).toEqual(['for another'])
      await second.close()
    })

    it('waiting jobs survive a restart, and repeating work of two processes runs once', async ctx => {
      const { another } = harness
      if (!another) return ctx.skip('memory forgets')
      harness.jobs.define('note', noting())
      harness.jobs.every('beat', timesOf(60), noting({ run: () => void ran.push('beat') }))
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'kept', { at: new Date(harness.now() + 30_000), key: 'k' })
      await harness.jobs.stop(1_000)
      const second = await another()
      second.jobs.define('note', noting())
      second.jobs.every('beat', timesOf(60), noting({ run: () => void ran.push('beat') }))
      await second.jobs.start()
      await second.pass(60_000)
      expect(ran.toSorted()).toEqual(['beat', 'kept'])
      await second.close()
    })

    it('a job of an unknown kind waits a day for a process that defines it, and a newer job replaces it', async ctx => {
      const { another } = harness
      if (!another) return ctx.skip('memory forgets')
      let failures = 1
      const note = noting({
        retries: 1,
        run: payload => {
          if (payload === 'kept' && failures-- > 0) throw new Error('not yet')
          ran.push(payload)
        },
      })
      harness.jobs.define('note', note)
      await harness.jobs.start()
      await harness.jobs.schedule('note', 'old', { key: 'k', at: new Date(harness.now() + 1_000) })
      await harness.jobs.schedule('note', 'kept', { key: 'l', at: new Date(harness.now() + 1_000) })
      await harness.jobs.stop(1_000)
      const stranger = await another()
      await stranger.jobs.start()
      await stranger.pass(90_000)
      await stranger.jobs.stop(1_000)
      const third = await another()
      third.jobs.define('note', note)
      await third.jobs.schedule('note', 'new', { key: 'k' })
      await third.jobs.start()
      await third.pass(120_000)
      expect(ran.toSorted()).toEqual(['kept', 'new'])
      await third.jobs.schedule('note', 'lost', { key: 'm', at: new Date(third.now() + 1_000) })
      await third.jobs.stop(1_000)
      const forgetful = await another()
      await forgetful.jobs.start()
      await forgetful.pass(30 * 60 * 60_000)
      expect(await forgetful.jobs.state()).toEqual({ due: 0, active: 0, running: 0 })
      await forgetful.close()
    })
  })
}
