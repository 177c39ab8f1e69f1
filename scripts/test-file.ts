/**
 * Runs before each test file. The files share a process, one after the other: in a warm Node, with PGlite compiled, they
 * take half of the CPU time. Each has its own instance of every module of ours, and restores the environment, the folder,
 * the clock and listeners.
 *
 */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'

vi.resetModules()

const environment = { ...process.env }
const before = ofTheProcess()
globalThis.kikimimiAskedForServer = false

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time of the test, and of its file until then: see scripts/test-budget.ts. */
    processor?: { readonly test: number; readonly file: number; readonly usesDatabase: boolean }
  }
}

const beginning = process.cpuUsage()
let began = beginning
beforeEach(() => {
  began = process.cpuUsage()
})
afterEach(({ task }) => {
  task.meta.processor = {
    test: secondsSince(began),
    file: secondsSince(beginning),
    usesDatabase: globalThis.kikimimiAskedForServer === true,
  }
})

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

afterAll(() => {
  // Otherwise this work would run before the next test, and affect the next file.
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  expect(ofTheProcess(), 'A test file puts back what it changes in its process.').toEqual(before)
  const isMarked = readFileSync(expect.getState().testPath ?? '', 'utf8').startsWith('// postgres: ')
  if (isMarked && !globalThis.kikimimiAskedForServer)
    throw new Error('This file is marked "// postgres:" and asks for no database. Remove the mark.')
})

/** Only the names of the environment: values can be tokens, and this is printed. */
function ofTheProcess() {
  const names = Object.keys({ ...environment, ...process.env })
  return {
    folder: process.cwd(),
    fakeTimers: vi.isFakeTimers(),
    changed: names.filter(name => process.env[name] !== environment[name]),
    listeners: process.eventNames().map(event => [event, process.listenerCount(event)]),
  }
}
