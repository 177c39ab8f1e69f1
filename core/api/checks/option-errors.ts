import type { StandardSchemaV1 } from '@standard-schema/spec'
import { nearest } from '../../base/text/nearest.ts'
import { namesAt, renamedOptions } from './option-names.ts'

/** A mistake in options. */
export interface OptionMistake {
  readonly path: readonly PropertyKey[]
  /** The path, what was expected, what was given, on one line. */
  readonly message: string
}

/**
 * What a schema says about the options that were given to it: one mistake for each wrong value and each unknown name.
 *
 * @param ofBot options of the bot, which somebody can look for among those of a plugin
 */
export function optionMistakes(
  issues: readonly StandardSchemaV1.Issue[],
  given: unknown,
  schema?: StandardSchemaV1,
  ofBot: readonly string[] = [],
): readonly OptionMistake[] {
  return issues.flatMap(({ path: segments = [], message }) => {
    const path = segments.map(part => (typeof part === 'object' ? part.key : part))
    const head = headOf(path)
    if (!UNKNOWN.test(message)) return [{ path, message: `${head}${describe(path, message, given)}` }]
    const [valid, present] = [namesAt(schema, path), renamedOptions(schema, path)]
    return Array.from(message.matchAll(/"([^"]+)"/g), ([, name = '']) => {
      const renamed = present.get(name)
      const hint =
        path.length === 0 && ofBot.includes(name)
          ? `. It is an option of the bot: set it beside "plugins".`
          : suggestion(name, valid)
      const problem = renamed === undefined ? `unknown option: "${name}"${hint}` : renaming(name, renamed)
      return { path: [...path, name], message: `${head}${problem}` }
    })
  })
}

/** What to do with an option that has another name now. */
export function renaming(former: string, present: string): string {
  return `the option "${former}" is called "${present}" now. Rename it.`
}

/** All mistakes in options as one text, one per line below the head. */
export function invalidOptions(
  head: string,
  issues: readonly StandardSchemaV1.Issue[],
  given: unknown,
  schema?: StandardSchemaV1,
): string {
  return [head, ...optionMistakes(issues, given, schema).map(({ message }) => `  - ${message}`)].join('\n')
}

/** What a mistyped name probably means, and all names that are valid: `. Did you mean "b"? Valid: a, b` */
export function suggestion(typed: string, valid: readonly string[], none = ''): string {
  if (valid.length === 0) return none
  const meant = nearest(typed, valid)
  return `. ${meant === undefined ? '' : `Did you mean "${meant}"? `}Valid: ${valid.join(', ')}`
}

const UNKNOWN = /^Unrecognized keys?: "/

function headOf(path: readonly PropertyKey[]): string {
  return path.length > 0 ? `${path.map(String).join('.')}: ` : ''
}

function describe(path: readonly PropertyKey[], message: string, given: unknown): string {
  const expected = message.replace(/^Invalid (input|option): /, '').replace(/, received .*$/, '')
  const value = path.reduce(step, given)
  // A default can come from the environment: then bot.config.ts does not have the value that is wrong.
  const isShown = value !== undefined || /, received undefined$/.test(message)
  const got = /, got /.test(expected) || !isShown ? '' : `, got ${show(value, path.map(String).join('.'))}`
  const choices = /expected one of /.test(expected) ? Array.from(expected.matchAll(/"([^"]+)"/g), ([, one = '']) => one) : []
  const meant = typeof value === 'string' ? nearest(value, choices) : undefined
  return `${expected}${got}${meant === undefined ? '' : `. Did you mean "${meant}"?`}`
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
