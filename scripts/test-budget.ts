/** Prints what the tests take: the processor time of the dearest files, and of database tests above the budget. */
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Seconds of processor time, which a busy machine changes less than the time on the wall. */
const BUDGET = 5
const FILES = 10

const seconds = (amount: number) => `${amount.toFixed(1).padStart(7)} s`

export default class TestBudget implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(module => {
      const tests = [...module.children.allTests()]
      return { name: relative(process.cwd(), module.moduleId), tests, took: Math.max(0, ...tests.map(tookUntil)) }
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
    if (dear.length > 0) console.log(`Database tests above ${BUDGET} s:\n${dear.join('\n')}`)
  }
}

/** Seconds from the beginning of the file to the end of the test. */
const tookUntil = (test: TestCase) => test.meta().processor?.file ?? 0
