/** Shared parts of the benchmarks: load, durations, heap. */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function machine() {
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    // A load above the number of cores distorts the figures.
    load: loadavg().map(round),
  }
}

export function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export function latency(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0, 3)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** Repeats a measurement. Returns the median and the spread. */
export function spread(values: readonly number[]): { median: number; min: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b)
  return {
    median: round(sorted[Math.floor(sorted.length / 2)] ?? 0, 3),
    min: round(sorted[0] ?? 0, 3),
    max: round(sorted.at(-1) ?? 0, 3),
  }
}

/**
 * Sends at a steady rate, whether or not earlier calls have ended. `took` is from the call to its end, `sinceDue` from the
 * planned time: waiting behind other calls counts.
 */
export async function offer(
  { count, perSecond }: { readonly count: number; readonly perSecond: number },
  send: (index: number) => Promise<unknown>,
): Promise<{ perSecond: number; took: Latency; sinceDue: Latency }> {
  const took: number[] = []
  const sinceDue: number[] = []
  const sending: Promise<void>[] = []
  const start = performance.now()
  async function sendOne(index: number): Promise<void> {
    const called = performance.now()
    await send(index)
    const now = performance.now()
    took.push(now - called)
    sinceDue.push(now - (start + (index * 1_000) / perSecond))
  }
  while (sending.length < count) {
    const due = Math.min(count, 1 + Math.floor(((performance.now() - start) * perSecond) / 1_000))
    while (sending.length < due) sending.push(sendOne(sending.length))
    await sleep(1)
  }
  await Promise.all(sending)
  return {
    perSecond: Math.round((count * 1_000) / (performance.now() - start)),
    took: latency(took),
    sinceDue: latency(sinceDue),
  }
}

/** Sends as fast as possible, with `atOnce` calls in parallel. Returns the rate per second. */
export async function flood(
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  send: (index: number) => Promise<unknown>,
): Promise<number> {
  const start = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await send(next++)
    }),
  )
  return Math.round((count * 1_000) / (performance.now() - start))
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** The heap after a collection, in MB, at one point of a run. */
export interface HeapStep {
  readonly after: number
  readonly heapMb: number
  readonly rssMb: number
}

export function heapStep(after: number): HeapStep {
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { after, heapMb: round(heapUsed / 2 ** 20), rssMb: round(rss / 2 ** 20) }
}

/** Bytes of heap growth per message: the least-squares line through the steps. */
export function slope(steps: readonly HeapStep[]): number {
  const middle = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = middle(steps.map(({ after }) => after))
  const y = middle(steps.map(({ heapMb }) => heapMb))
  const rise = steps.reduce((sum, { after, heapMb }) => sum + (after - x) * (heapMb - y), 0)
  const run = steps.reduce((sum, { after }) => sum + (after - x) ** 2, 0)
  return round((rise / run) * 2 ** 20, 1)
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
