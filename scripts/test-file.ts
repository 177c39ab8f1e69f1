/**
 * Runs before each test file. The files share a process, one after the other: in a warm Node, with PGlite compiled, they
 * take half of the CPU time. Each has its own instance of every module of ours, and restores the environment, the folder,
 * the clock and listeners, and ends the processes that it has started.
 */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { holdBudget } from './test-budget.ts'
import { endChildren } from './test-children.ts'

vi.resetModules()

const environment = { ...process.env }
const before = ofTheProcess()
globalThis.kikimimiAskedForServer = false

const beginning = process.cpuUsage()
let began = beginning
beforeEach(() => {
  began = process.cpuUsage()
})
afterEach(({ task }) => {
  const usesDatabase = globalThis.kikimimiAskedForServer === true
  const took = secondsSince(began)
  task.meta.processor = { test: took, file: secondsSince(beginning), usesDatabase }
  if (usesDatabase && !process.env.TEST_ROUNDS) holdBudget(took)
})

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

afterAll(async () => {
  // Otherwise this work would run before the next test, and affect the next file.
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  expect(
    await endChildren(),
    'A test file ends the processes that it has started. It has forgotten these, which are ended now.',
  ).toEqual([])
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
