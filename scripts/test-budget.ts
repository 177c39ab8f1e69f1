/** What tests may take: prints the processor time of the dearest files, and fails a database test that takes too much. */
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Seconds of processor time of one database test, on the machine that {@link slowness} compares with. Tests above it are printed. */
const BUDGET = 5
/** A test above this fails: somewhat more than the dearest one takes. Lower it when that has become cheaper, until it is the budget. */
export const LIMIT = 20
const FILES = 10

const seconds = (amount: number) => `${amount.toFixed(1).padStart(7)} s`

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time of the test, and of its file until then: see scripts/test-file.ts. */
    processor?: { readonly test: number; readonly file: number; readonly usesDatabase: boolean }
  }
}

export default class TestBudget implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(module => {
      const tests = [...module.children.allTests()]
      const took = Math.max(0, ...tests.map(test => test.meta().processor?.file ?? 0))
      return { name: relative(process.cwd(), module.moduleId), tests, took }
    })
    const dearest = files.toSorted((a, b) => b.took - a.took).slice(0, FILES)
    const whole = files.reduce((sum, { took }) => sum + took, 0)
    const lines = dearest.map(({ name, took }) => `${seconds(took)}  ${name}`)
    const dear = files.flatMap(({ name, tests }) =>
      tests.flatMap(test => {
        const { test: took, usesDatabase } = test.meta().processor ?? { test: 0, usesDatabase: false }
        return usesDatabase && took > BUDGET ? [`${seconds(took)}  ${name} > ${test.fullName}`] : []
      }),
    )
    console.log(`\nProcessor time of the workers: ${whole.toFixed(0)} s. The dearest files:\n${lines.join('\n')}`)
    if (dear.length > 0) console.log(`Database tests above ${BUDGET} s, of which each may take ${LIMIT} s:\n${dear.join('\n')}`)
  }
}

/** Throws when a database test has taken more than {@link LIMIT}, on a machine that is no slower than this one is now. */
export function holdBudget(took: number, measure: () => number = slowness): void {
  if (took <= LIMIT) return
  const seconds = took / Math.max(1, measure())
  if (seconds <= LIMIT) return
  throw new Error(
    `This database test takes ${seconds.toFixed(1)} s of processor time, and may take ${LIMIT} s. Make what all tests of the file need once, or move the figures to bench/.`,
  )
}

/** Seconds of {@link slowness} on a machine of 2026, when nothing else ran. */
const REFERENCE = 0.03

/** How many times slower this machine is now: processors are shared and slowed down. */
function slowness(): number {
  const begin = process.cpuUsage()
  const numbers = new Int32Array(2 ** 16)
  let number = 1
  for (let round = 0; round < 400; round++) {
    for (let i = 0; i < numbers.length; i++) {
      number = (Math.imul(number, 1_664_525) + 1_013_904_223) | 0
      numbers[number >>> 16] = number
    }
  }
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1e6 / REFERENCE
}
