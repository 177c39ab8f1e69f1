import type { StandardSchemaV1 } from '@standard-schema/spec'
import { nearest } from '../base/text/nearest.ts'

/**
 * Formats all mistakes in options, one per line: the path, what was expected, what was given.
 *
 * @param names of the options that there are, to suggest the nearest one for a name that is unknown
 */
export function invalidOptions(
  head: string,
  issues: readonly StandardSchemaV1.Issue[],
  given: unknown,
  names: Iterable<string> = [],
): string {
  return [head, ...issues.map(issue => `  - ${describe(issue, given)}${suggestion(issue, names)}`)].join('\n')
}

function describe({ path = [], message }: StandardSchemaV1.Issue, given: unknown): string {
  const keys = path.map(part => (typeof part === 'object' ? part.key : part))
  const where = keys.map(String).join('.')
  const expected = message.replace(/^Invalid (input|option): /, '').replace(/, received .*$/, '')
  const value = keys.reduce(step, given)
  // A default can come from the environment: then bot.config.ts does not have the value that is wrong.
  const isShown = value !== undefined || /, received undefined$/.test(message)
  const got = /, got |^Unrecognized key/.test(expected) || !isShown ? '' : `, got ${show(value, where)}`
  return `${where ? `${where}: ` : ''}${expected.replace(/^Unrecognized key/, 'unknown option')}${got}`
}

function suggestion({ message }: StandardSchemaV1.Issue, names: Iterable<string>): string {
  const [, unknown] = /^Unrecognized key: "([^"]+)"$/.exec(message) ?? []
  const meant = unknown === undefined ? undefined : nearest(unknown, names)
  return meant === undefined ? '' : `. Did you mean "${meant}"?`
}

function step(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
}

const SECRET =
  /(keys?|tokens?|secrets?|pass(word|wd|phrase)?s?|authorization|credentials?|cookies?|headers|dsn|webhook(s|url)?)$/i
/** Names of options with numbers of tokens. They are no secrets. */
const AMOUNT = /(max|ack|recent|history|context|input|output)tokens$/i
export const UNSHOWN = 'a value that is not shown'

/** Whether an option of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !AMOUNT.test(name)
}

/** A value for people: short, and never a secret. `where`: its path in the options. */
export function show(value: unknown, where: string): string {
  if (value === undefined) return 'nothing'
  if (where.split('.').some(isSecretName)) return UNSHOWN
  const isText = typeof value === 'object' || typeof value === 'string'
  const all = isText ? JSON.stringify(value, (key, inner) => (isSecretName(key) ? UNSHOWN : inner)) : String(value)
  // The password in a URL.
  const text = all.replace(/(:\/\/[^\s/:@"]*:)[^\s/@"]+@/g, '$1…@')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
