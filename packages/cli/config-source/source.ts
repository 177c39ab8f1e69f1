/** The text of a bot.config.ts as a syntax tree. It is read only when there is something to tell about it. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ParseResult, parse } from '@babel/parser'
import type { Expression, File, ImportDeclaration, Node, Program } from '@babel/types'

/** A word or a sign of the text, or a comment. */
export interface Token {
  /** `name`, `CommentLine`, `CommentBlock`, or `{ label: ',' }` of a sign. */
  readonly type: string | { readonly label: string }
  readonly start: number
  readonly end: number
}

export interface Source {
  readonly text: string
  /** Absent: the text is no TypeScript. */
  readonly program?: Program
  readonly tokens: readonly Token[]
  /** The argument of defineBot, or what the file exports. Absent: the file exports nothing. */
  readonly bot?: Node
  readonly imports: readonly ImportDeclaration[]
  /** The values of `const` at the top of the file, by name. */
  readonly values: ReadonlyMap<string, Node>
  /** Mistakes in the syntax. */
  readonly errors: readonly { readonly message: string; readonly line: number; readonly column: number }[]
}

/** Nothing for a file that cannot be read as TypeScript at all. */
export function readSource(file: string): Source | undefined {
  return parseSource(readFileSync(resolve(file), 'utf8'))
}

/** Nothing for a text that cannot be read as TypeScript at all. */
export function parseSource(text: string): Source | undefined {
  let tree: ParseResult<File>
  try {
    tree = parse(text, { sourceType: 'module', plugins: ['typescript'], errorRecovery: true, tokens: true })
  } catch (error) {
    const fault = faultOf(error)
    return fault && { text, tokens: [], imports: [], values: new Map(), errors: [fault] }
  }
  const { body } = tree.program
  const values = new Map<string, Node>()
  for (const statement of body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) if (id.type === 'Identifier' && init) values.set(id.name, init)
  }
  const exported = body.find(one => one.type === 'ExportDefaultDeclaration')?.declaration
  return {
    text,
    program: tree.program,
    tokens: tree.tokens ?? [],
    imports: body.filter(one => one.type === 'ImportDeclaration'),
    values,
    errors: (tree.errors ?? []).flatMap(error => faultOf(error) ?? []),
    ...(exported && { bot: argumentOf(exported, values) }),
  }
}

/** What an expression can be: both sides of `a || b`, the value of a variable, the inside of brackets and casts. */
export function valuesOf(node: Node, values: Source['values'], seen: readonly Node[] = []): readonly Node[] {
  if (seen.includes(node)) return []
  const inner = (...nodes: readonly Node[]) => nodes.flatMap(one => valuesOf(one, values, [...seen, node]))
  if (node.type === 'LogicalExpression') return node.operator === '&&' ? inner(node.right) : inner(node.left, node.right)
  if (node.type === 'ConditionalExpression') return inner(node.consequent, node.alternate)
  if (node.type === 'AwaitExpression') return inner(node.argument)
  if (isWrapped(node)) return inner(node.expression)
  const value = node.type === 'Identifier' ? values.get(node.name) : undefined
  return value ? inner(value) : [node]
}

function isWrapped(node: Node): node is Node & { readonly expression: Expression } {
  return ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ParenthesizedExpression'].includes(node.type)
}

function argumentOf(exported: Node, values: Source['values']): Node {
  const [value = exported] = valuesOf(exported, values)
  return value.type === 'CallExpression' ? (value.arguments[0] ?? value) : value
}

function faultOf(error: unknown): Source['errors'][number] | undefined {
  const { message, loc } = Object(error) as { message?: string; loc?: { line: number; column: number } }
  if (message === undefined || !loc) return undefined
  return { message: message.replace(/ \(\d+:\d+\)$/, ''), line: loc.line, column: loc.column + 1 }
}
