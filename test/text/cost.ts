/** Processor time of one call. */

/** The least of several calls, in milliseconds of processor time: other processes and the collector only add to it. */
export function costOf(call: () => unknown, times: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage()
    call()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
