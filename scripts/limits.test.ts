/** The limits of the kernel, with planted excesses. */
import { stripTypeScriptTypes } from 'node:module'
import { describe, expect, test, vi } from 'vitest'
import { instrument, wayOf } from './limits/route.ts'
import { figuresOf, LIMITS, linesOfCode, membersOf, report } from './limits.ts'

const over = (sources: readonly string[], entries: readonly string[], context = contextWith(1)) =>
  report(figuresOf(sources, entries, context)).flatMap(({ line, isOver }) => (isOver ? [line] : []))

const contextWith = (members: number) =>
  `export interface PluginContext {${Array.from({ length: members }, (_, at) => `readonly member${at}: string`).join('\n')}}`

/** Entries that go back to a file so many times. */
const goingBack = (file: string, times: number) => Array.from({ length: times + 1 }, () => ['core/base/other.ts', file]).flat()

const files = (folder: string, count: number) => Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`)

describe('the report', () => {
  test('nothing is over its limit at the limit', () => {
    const lines = Array.from({ length: LIMITS['lines of code in core/kernel'] }, () => 'line()').join('\n')
    expect(over([lines], files('core/base', LIMITS['files of core that an addressed message enters']))).toEqual([])
  })

  test('a line too many is over its limit', () => {
    const lines = Array.from({ length: LIMITS['lines of code in core/kernel'] }, () => 'line()').join('\n')
    const limit = LIMITS['lines of code in core/kernel']
    expect(over([lines, 'one()'], [])).toEqual([`✗ lines of code in core/kernel: ${limit + 1}, limit ${limit}`])
  })

  test('a file of core too many is over its limit', () => {
    const limit = LIMITS['files of core that an addressed message enters']
    const line = `✗ files of core that an addressed message enters: ${limit + 1}, limit ${limit}`
    expect(over([], files('core/base', limit + 1))).toEqual([line])
  })

  test('a file of the kernel too many is over its limit', () => {
    const limit = LIMITS['files of core/kernel that an addressed message enters']
    const line = `✗ files of core/kernel that an addressed message enters: ${limit + 1}, limit ${limit}`
    expect(over([], files('core/kernel', limit + 1))).toEqual([line])
  })

  test('a return too many is over its limit', () => {
    const limit = LIMITS['returns to files of core']
    const entries = goingBack('core/base/one.ts', Math.ceil(limit / 2) + 1)
    expect(over([], entries)).toEqual([`✗ returns to files of core: ${wayOf(entries).returns}, limit ${limit}`])
  })

  test('a return to the kernel too many is over its limit', () => {
    const limit = LIMITS['returns to files of core/kernel']
    const entries = Array.from({ length: limit + 3 }, (_, at) => `core/kernel/${at % 2}.ts`)
    expect(over([], entries)).toEqual([`✗ returns to files of core/kernel: ${limit + 1}, limit ${limit}`])
  })

  test('a member of ctx too many is over its limit', () => {
    const limit = LIMITS['members of PluginContext']
    expect(over([], [], contextWith(limit))).toEqual([])
    expect(over([], [], contextWith(limit + 1))).toEqual([`✗ members of PluginContext: ${limit + 1}, limit ${limit}`])
  })
})

test('comments and blank lines are no lines of code', () => {
  expect(linesOfCode('/**\n * text\n */\n\n// text\none()\n  two() // text\n')).toBe(2)
})

test('members are counted once, with methods and properties', () => {
  const text = `interface Other { a: 1 }\ninterface Box<T> extends Other { /** What. */ readonly size: number; get(key: string): T\n/** Or. */ get(): void }`
  expect([...membersOf('Box', text)]).toEqual(['size', 'get'])
  expect(() => membersOf('Bag', text)).toThrow('There is no interface Bag.')
})

test('a return is a change to a file that was left before', () => {
  expect(wayOf(['a', 'a', 'b', 'a', 'c', 'b', 'b'])).toEqual({ files: 3, returns: 2 })
})

test('every function of a module reports that it begins', () => {
  const entered = vi.fn<(file: string) => void>()
  const source = `
    class Box { constructor() {} get size(): number { return 1 } #own() { return 2 } all = () => this.#own() }
    function outer(box: Box) { return [1, 2].map(one => two => ({ sum: one + two })).map(add => add(box.all()).sum + box.size) }
    return outer(new Box())`
  const run = new Function(
    'entered',
    stripTypeScriptTypes(`(() => {${instrument('x.ts', source)}})()`).replace(/^\(/, 'return ('),
  )
  expect(run(entered)).toEqual([4, 5])
  // The constructor, outer, two callbacks twice each, two calls of the inner arrow, all, #own and size twice each.
  expect(entered.mock.calls.map(([file]) => file)).toEqual(Array.from({ length: 14 }, () => 'x.ts'))
})
