/** Every public name of `kikimimi`, and every member of its interfaces, has a JSDoc comment. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The names that a file exports, with the file that defines each. `*` stands for all names of a file. */
function exportsOf(file: string): { readonly name: string; readonly file: string }[] {
  const text = readFileSync(file, 'utf8')
  return Array.from(text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '(\.[^']+)'/gm)).flatMap(([, names = '', path = '']) => {
    const target = join(dirname(file), path)
    if (names === '*') return [...exportsOf(target), { name: '*', file: target }]
    const listed = names.slice(1, -1).split(',')
    return listed.flatMap(one => {
      const name = one
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*/, '')
      return name === '' ? [] : { name, file: target }
    })
  })
}

/** What in a file lacks a comment. The formatter puts every member of an exported interface on a line with two spaces before it. */
function withoutComment(file: string, wanted: ReadonlySet<string>): string[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => !line.trimStart().startsWith('// biome-ignore'))
  // A service token has the name of its interface, and its comment.
  const interfaces = new Set(lines.map(line => /^export interface (\w+)/.exec(line)?.[1]))
  const found: string[] = []
  let owner: string | undefined
  let last = ''
  for (const [index, line] of lines.entries()) {
    const isCommented = /\*\/$/.test(lines[index - 1] ?? '')
    const [, kind, name = ''] =
      /^export (?:declare )?(?:abstract |async )?(interface|class|function|const|type) (\w+)/.exec(line) ?? []
    if (kind !== undefined) {
      const isWanted = wanted.has('*') || wanted.has(name)
      const isToken = kind === 'const' && interfaces.has(name)
      // Overloads share the comment of the first.
      if (isWanted && !isCommented && !isToken && name !== last) found.push(name)
      last = name
      owner = isWanted && kind === 'interface' && !line.endsWith('}') ? name : undefined
    } else if (/^\}/.test(line)) owner = undefined
    const [, member] = owner === undefined ? [] : (/^ {2}(?:readonly )?(\w+)[?(<:]/.exec(line) ?? [])
    if (member === undefined) continue
    if (!isCommented && `${owner}.${member}` !== last) found.push(`${owner}.${member}`)
    last = `${owner}.${member}`
  }
  return found
}

test('every public name and member has a JSDoc comment', () => {
  const files = new Map<string, Set<string>>()
  for (const { name, file } of exportsOf(join(root, 'core/index.ts'))) files.set(file, (files.get(file) ?? new Set()).add(name))
  const missing = [...files].flatMap(([file, names]) =>
    withoutComment(file, names).map(name => `${relative(root, file)}: ${name}`),
  )
  expect(missing).toEqual([])
})
