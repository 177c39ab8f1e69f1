import type { StandardSchemaV1 } from '@standard-schema/spec'

/** All mistakes in some options, one a line: where, what was expected, what was given. */
export function invalidOptions(head: string, issues: readonly StandardSchemaV1.Issue[], given: unknown): string {
  return [head, ...issues.map(issue => `  - ${describe(issue, given)}`)].join('\n')
}

function describe({ path = [], message }: StandardSchemaV1.Issue, given: unknown): string {
  const keys = path.map(part => (typeof part === 'object' ? part.key : part))
  const where = keys.map(String).join('.')
  const expected = message.replace(/^Invalid input: /, '').replace(/, received .*$/, '')
  const got = /, got |^Unrecognized key/.test(expected) ? '' : `, got ${show(keys.reduce(step, given), where)}`
  return `${where ? `${where}: ` : ''}${expected.replace(/^Unrecognized key/, 'unknown setting')}${got}`
}

function step(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
}

/** A value for people: short, and never a secret. */
export function show(value: unknown, where: string): string {
  if (value === undefined) return 'nothing'
  if (/(key|token|secret|password)$/i.test(where)) return 'a value that is not shown'
  const text = typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
