/** The duration of a piece of work, and the processor time that it takes in this process and on the database's server. */
import { readFile } from 'node:fs/promises'
import type { Database } from 'kikimimi'
import { latency } from './measure.ts'

/**
 * Times in ms. With PGlite, the database works in this process. The processes of a server are read if it runs on this machine under Linux;
 * else only this process counts.
 */
export function stopwatch(db: Database) {
  const clock: number[] = []
  const cpu: number[] = []
  return {
    async time<T>(run: () => Promise<T>): Promise<T> {
      const server = await serverTimes(db)
      const start = performance.now()
      const before = process.cpuUsage()
      const result = await run()
      const { user, system } = process.cpuUsage(before)
      clock.push(performance.now() - start)
      let work = (user + system) / 1_000
      for (const [pid, time] of await serverTimes(db)) work += time - (server.get(pid) ?? 0)
      cpu.push(work)
      return result
    },
    times: () => ({ searchMs: latency(clock), searchCpuMs: latency(cpu) }),
  }
}

/** The processor time of each process of the server that works for this database, in ms. */
async function serverTimes(db: Database): Promise<Map<number, number>> {
  if (db.kind === 'pglite') return new Map()
  const { rows } = await db.query<{ pid: number }>('select pid from pg_stat_activity where datname = current_database()')
  const times = new Map<number, number>()
  for (const { pid } of rows) {
    const [ns] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')).split(' ')
    if (ns) times.set(pid, Number(ns) / 1e6)
  }
  return times
}
