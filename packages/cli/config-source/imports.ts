/** The imports of a bot.config.ts, and the names that it uses. */
import type { ImportDeclaration, Node } from '@babel/types'
import type MagicString from 'magic-string'
import { lineBreakOf, restOfLine, startOfLine } from './layout.ts'
import { parseSource, type Source } from './source.ts'

/** What a package exports: `default`, or a name. */
export interface Export {
  readonly package: string
  readonly exported: string
}

/** The name that the file gives to an export. Nothing: it does not import it. */
export function importedAs({ imports }: Source, { package: name, exported }: Export): string | undefined {
  const specifiers = imports.filter(({ source, importKind }) => source.value === name && importKind !== 'type')
  return specifiers.flatMap(one => one.specifiers).find(one => exportOf(one) === exported)?.local.name
}

/** The lines that use a name, without those that import it. */
export function linesWith({ program }: Source, name: string): readonly number[] {
  const statements = program?.body.filter(({ type }) => type !== 'ImportDeclaration') ?? []
  return statements.flatMap(one => Array.from(identifiers(one))).flatMap(one => (one.name === name ? one.line : []))
}

/** The name, or a similar one if the file has it or the language reserves it. */
export function freeName(source: Source, wanted: string): string {
  const imported = source.imports.flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name))
  const names = [wanted, `${wanted}Plugin`, `plugin${wanted}`, ...Array.from({ length: 9 }, (_, n) => `${wanted}Plugin${n + 2}`)]
  const isFree = (name: string) =>
    parseSource(`import ${name} from 'a'\n${name}()`)?.errors.length === 0 &&
    !imported.includes(name) &&
    linesWith(source, name).length === 0
  return names.find(isFree) ?? wanted
}

/** In the style of the other imports. */
export function importStatement({ text, imports }: Source, { package: name, exported }: Export, variable: string): string {
  const [style] = imports
  const written = style ? text.slice(style.start ?? 0, style.end ?? 0) : ''
  const quote = style?.source.extra?.raw?.toString().startsWith('"') ? '"' : "'"
  const names = exported === 'default' ? variable : exported === variable ? `{ ${variable} }` : `{ ${exported} as ${variable} }`
  return `import ${names} from ${quote}${name}${quote}${written.endsWith(';') ? ';' : ''}`
}

/** The import below which a new one stands: in the order of the alphabet, if the others are. Nothing: it comes first. */
export function importAbove({ imports }: Source, name: string): ImportDeclaration | undefined {
  const keys = imports.map(({ source }) => keyOf(source.value))
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key)
  return isSorted ? imports.findLast(({ source }) => keyOf(source.value) <= keyOf(name)) : imports.at(-1)
}

export function addImport(out: MagicString, source: Source, name: string, statement: string): void {
  const { text, imports, program } = source
  const above = importAbove(source, name)
  const breaks = lineBreakOf(text)
  if (above) out.appendLeft(restOfLine(text, above.end ?? 0).end, `${breaks}${statement}`)
  else if (imports[0]) out.appendLeft(imports[0].start ?? 0, `${statement}${breaks}`)
  else
    out.appendLeft(
      program?.interpreter ? restOfLine(text, program.interpreter.end ?? 0).next : 0,
      `${statement}${breaks}${breaks}`,
    )
}

/** Removes one export from its import, with the import if nothing else is left in it. */
export function removeImport(out: MagicString, { text, imports }: Source, { package: name, exported }: Export): void {
  for (const one of imports) {
    if (one.source.value !== name || one.importKind === 'type') continue
    const { start, end, specifiers } = one
    const rest = specifiers.filter(specifier => exportOf(specifier) !== exported)
    if (rest.length === specifiers.length) continue
    if (rest.length === 0) {
      const { next } = restOfLine(text, end ?? 0)
      const blank = restOfLine(text, next)
      // The empty line below the imports goes with the last of them.
      const isLast = imports.length === 1 && blank.end === next
      out.remove(startOfLine(text, start ?? 0), isLast ? blank.next : next)
      continue
    }
    const written = rest.map(({ type, start, end }) => ({ type, as: text.slice(start ?? 0, end ?? 0) }))
    const named = written.filter(({ type }) => type === 'ImportSpecifier').map(({ as }) => as)
    const others = written.filter(({ type }) => type !== 'ImportSpecifier').map(({ as }) => as)
    const names = [...others, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ')
    out.update((start ?? 0) + 'import '.length, one.source.start ?? 0, `${names} from `)
  }
}

function exportOf(specifier: ImportDeclaration['specifiers'][number]): string | undefined {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  if (specifier.type !== 'ImportSpecifier' || specifier.importKind === 'type') return undefined
  return specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value
}

/** Node's modules, packages, files. */
function keyOf(name: string): string {
  return `${name.startsWith('node:') ? 0 : name.startsWith('.') ? 2 : 1}${name}`
}

/** The names in an expression, without keys and members. */
function* identifiers(node: Node): Generator<{ readonly name: string; readonly line: number }> {
  if (node.type === 'Identifier') yield { name: node.name, line: node.loc?.start.line ?? 0 }
  const isComputed = 'computed' in node && node.computed
  for (const [key, value] of Object.entries(node)) {
    if ((key === 'key' || key === 'property') && !isComputed) continue
    for (const one of [value].flat()) if (isNode(one)) yield* identifiers(one)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'loc' in value
}
