/** Finds the rounds that a fault needs. */
import type { Fault } from './checks.ts'
import { live } from './rounds.ts'

/**
 * The rounds without which the fault does not appear, each with its act. Halves, quarters and so on of the rounds are left out as long as
 * a fault of the same kind remains (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002).
 *
 * @param rounds of the town in which the fault was found
 */
export async function shrink({ seed, round, kind }: Fault, rounds: number): Promise<readonly string[]> {
  const last = Math.min(round, rounds)
  let needed = Array.from({ length: last }, (_, at) => at + 1)
  let story: ReadonlyMap<number, string> = new Map()
  for (let size = Math.ceil(last / 2); ; size = Math.ceil(size / 2)) {
    for (let from = 0; from < needed.length; ) {
      const fewer = needed.toSpliced(from, size)
      const lived = await live(seed, last, { only: new Set(fewer) })
      if (lived.faults.some(fault => fault.kind === kind)) [needed, story] = [fewer, lived.story]
      else from += size
    }
    if (size === 1) break
  }
  return needed.map(one => `${one}: ${story.get(one)}`)
}
