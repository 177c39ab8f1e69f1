/**
 * The limits of the kernel, part of `npm run lint`: its lines of code, the way of one addressed message through core, and what a plugin
 * gets to learn.
 *
 *   node scripts/run.mjs scripts/limits.ts [--files]      --files lists the files that the message enters
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSourceFile, isInterfaceDeclaration, ScriptTarget } from '@typescript/typescript6'
import { routeOfMessage, wayOf } from './limits/route.ts'

/**
 * The largest value of each figure. Lower one when the figure has become smaller. The figures of a message through core differ by up to
 * four between runs, because timers of the process come in between: their limits have room for that.
 */
export const LIMITS = {
  'lines of code in core/kernel': 1_482,
  'files of core that an addressed message enters': 88,
  'returns to files of core': 290,
  'files of core/kernel that an addressed message enters': 10,
  'returns to files of core/kernel': 50,
  'members of PluginContext': 16,
} as const

export type Figures = Readonly<Record<keyof typeof LIMITS, number>>

/** The lines that are neither blank nor a comment. */
export function linesOfCode(text: string): number {
  return text.split('\n').filter(line => !/^\s*(?:\/\/|\*|\/\*|$)/.test(line)).length
}

/** The names of the members of an interface. Overloads are one member. */
export function membersOf(name: string, text: string): ReadonlySet<string> {
  const source = createSourceFile(`${name}.ts`, text, ScriptTarget.Latest)
  const found = source.statements.filter(isInterfaceDeclaration).find(one => one.name.text === name)
  if (!found) throw new Error(`There is no interface ${name}.`)
  return new Set(found.members.map(member => member.name?.getText(source) ?? '?'))
}

/**
 * @param sources the texts of core/kernel
 * @param context the text of the file with `PluginContext`
 */
export function figuresOf(sources: readonly string[], entries: readonly string[], context: string): Figures {
  const core = wayOf(entries)
  const kernel = wayOf(entries.filter(file => file.startsWith('core/kernel/')))
  return {
    'lines of code in core/kernel': sources.reduce((sum, text) => sum + linesOfCode(text), 0),
    'files of core that an addressed message enters': core.files,
    'returns to files of core': core.returns,
    'files of core/kernel that an addressed message enters': kernel.files,
    'returns to files of core/kernel': kernel.returns,
    'members of PluginContext': membersOf('PluginContext', context).size,
  }
}

/** A line for each figure. */
export function report(figures: Figures): readonly { readonly line: string; readonly isOver: boolean }[] {
  return (Object.keys(LIMITS) as (keyof Figures)[]).map(name => {
    const isOver = figures[name] > LIMITS[name]
    return { line: `${isOver ? '✗' : '✓'} ${name}: ${figures[name]}, limit ${LIMITS[name]}`, isOver }
  })
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const files = globSync('core/kernel/**/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  const entries = await routeOfMessage()
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
  const lines = report(figuresOf(files.map(textOf), entries, textOf('core/api/context.ts')))
  for (const { line } of lines) console.log(line)
  if (process.argv.includes('--files')) console.log([...new Set(entries)].join('\n'))
  const isOver = lines.some(line => line.isOver)
  if (isOver)
    console.error(
      'The kernel has grown over its limits. A feature in core/features/ fills stages and services like a plugin. What only some plugins need is a service.',
    )
  process.exit(isOver ? 1 : 0)
}
