/** Why a bot.config.ts does not load: all of its imports that lead nowhere, its syntax, or a name that it does not define. */
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ImportDeclaration } from '@babel/types'
import { nearest } from 'kikimimi'
import { shortName } from '../plugin-names.ts'
import { PLUGIN_PACKAGES, variableOf } from '../plugin-packages.ts'
import { readSource, type Source } from './source.ts'
import type { Told } from './tell.ts'

/** Empty: the file itself does not show the reason. */
export async function faultsIn(file: string, cause: unknown): Promise<readonly Told[]> {
  const source = readSource(file)
  if (!source) return []
  const at = (line: number, column: number, message: string): Told => ({ file, where: `${file}:${line}:${column}`, message })
  if (source.errors.length > 0) return source.errors.map(({ line, column, message }) => at(line, column, message))
  const missing = source.imports.flatMap(one => {
    const message = whyNotFound(one.source.value, file)
    return message === undefined ? [] : [at(...placeOf(one.source), message)]
  })
  if (missing.length > 0) return missing
  const unexported = await exportMissing(source, file, cause)
  if (unexported) return [at(...placeOf(unexported.node), unexported.message)]
  return undefinedName(source, file, cause).map(({ line, column, message }) => at(line, column, message))
}

function placeOf({ loc }: Pick<ImportDeclaration, 'loc'>): [line: number, column: number] {
  return [loc?.start.line ?? 1, (loc?.start.column ?? 0) + 1]
}

function whyNotFound(name: string, file: string): string | undefined {
  const from = resolve(file)
  if (/^\.\.?\//.test(name)) return fileMissing(name, dirname(from))
  if (name.startsWith('node:')) return undefined
  try {
    createRequire(from).resolve(name)
    return undefined
  } catch (error) {
    // Another refusal is one of a package that is there.
    if (Object(error).code !== 'MODULE_NOT_FOUND') return undefined
  }
  const [, of = name] = /^((?:@[^/]+\/)?[^/]+)/.exec(name) ?? []
  const meant = PLUGIN_PACKAGES.includes(of) ? undefined : nearest(of, PLUGIN_PACKAGES)
  const remedy =
    meant === undefined
      ? `Add it: ${isPlugin(of) ? `kikimimi add ${shortName(of)}` : `npm install ${of}`}`
      : `Did you mean "${meant}"? Valid: ${PLUGIN_PACKAGES.join(', ')}`
  return `the package "${of}" is not installed. ${remedy}`
}

/** By its name: a package that is not installed tells nothing more. */
function isPlugin(name: string): boolean {
  return PLUGIN_PACKAGES.includes(name) || /^(?:@[^/]+\/)?kikimimi-/.test(name)
}

/** Compares the first part of the path that does not exist with what stands in its folder. */
function fileMissing(name: string, folder: string): string | undefined {
  let at = folder
  const parts = name.split('/')
  for (const [index, part] of parts.entries()) {
    const next = join(at, part)
    if (existsSync(next)) {
      at = next
      continue
    }
    const there = readdirSync(at)
    const meant = nearest(part, there)
    const corrected = [...parts.slice(0, index), meant, ...parts.slice(index + 1)].join('/')
    const remedy = name.endsWith('.json') ? 'Create it with the content {}.' : `Its folder has: ${there.join(', ') || 'nothing'}`
    return `${name} does not exist. ${meant === undefined ? remedy : `Did you mean "${corrected}"?`}`
  }
  return undefined
}

async function exportMissing({ imports }: Source, file: string, cause: unknown) {
  const [, name] = /does not provide an export named '([^']+)'/.exec(messageOf(cause)) ?? []
  if (name === undefined) return undefined
  for (const { specifiers, source } of imports) {
    const node = specifiers.find(one => nameOf(one) === name)
    if (!node) continue
    const address = source.value.startsWith('.') ? new URL(source.value, pathToFileURL(resolve(file))).href : undefined
    const path = address ?? pathToFileURL(createRequire(resolve(file)).resolve(source.value)).href
    const valid = Object.keys(await import(path)).filter(one => one !== 'default')
    if (valid.includes(name)) continue
    const meant = nearest(name, valid)
    const hint = meant === undefined ? '' : `Did you mean "${meant}"? `
    const what = name === 'default' ? 'no default export' : `no export "${name}"`
    return { node, message: `"${source.value}" has ${what}. ${hint}Valid: ${valid.join(', ') || 'a default import'}` }
  }
  return undefined
}

function nameOf(specifier: ImportDeclaration['specifiers'][number]): string | undefined {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  if (specifier.type !== 'ImportSpecifier') return undefined
  return specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value
}

function undefinedName({ text }: Source, file: string, cause: unknown) {
  const { stack = '' } = Object(cause) as { stack?: string }
  const [, line, column] = /^(?:\?v=\d+)?:(\d+):(\d+)/.exec(stack.split(resolve(file))[1] ?? '') ?? []
  if (line === undefined || column === undefined) return []
  const message = messageOf(cause)
  const [, name] = /^(\w+) is not defined$/.exec(message) ?? []
  const known = PLUGIN_PACKAGES.find(one => variableOf(one) === name)
  const meant = name === undefined ? undefined : nearest(name, PLUGIN_PACKAGES.map(variableOf))
  const hint = known ? `. Import it: import ${name} from '${known}'` : meant === undefined ? '' : `. Did you mean "${meant}"?`
  // Of a name inside a list, the engine tells where the list begins.
  const from = name === undefined ? -1 : (text.split('\n')[Number(line) - 1]?.indexOf(name, Number(column) - 1) ?? -1)
  return [{ line: Number(line), column: from < 0 ? Number(column) : from + 1, message: `${message}${hint}` }]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
