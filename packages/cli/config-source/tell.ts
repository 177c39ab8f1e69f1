/** Tells mistakes in bot.config.ts with their lines. */
import { type ConfigPath, KikimimiError } from 'kikimimi'
import type { ConfigError } from 'kikimimi/host'

export interface Told {
  /** `bot.config.ts:12:5` */
  readonly where: string
  readonly message: string
}

/** In the order of the file. A file that cannot be read any more has no lines. */
export async function toldOf(
  file: string,
  found: readonly { readonly path: ConfigPath; readonly message: string }[],
): Promise<readonly Told[]> {
  if (found.length === 0) return []
  const [{ readSource }, { locate }] = await Promise.all([import('./source.ts'), import('./locate.ts')])
  const source = readSource(file)
  const placed = found.map(({ path, message }) => ({ message, ...(source ? locate(source, path) : { line: 1, column: 1 }) }))
  return placed
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .map(({ line, column, message }) => ({ where: `${file}:${line}:${column}`, message }))
}

/** The error with the line of each mistake, if it has mistakes. Any other error as it is. */
export async function withPlaces(file: string, error: unknown): Promise<unknown> {
  if (!isConfigError(error)) return error
  return new KikimimiError(error.code, textOf(file, await toldOf(file, error.mistakes)), { cause: error })
}

export function textOf(file: string, told: readonly Told[]): string {
  const count = told.length === 1 ? 'a mistake' : `${told.length} mistakes`
  return [`${file} has ${count}:`, ...told.map(({ where, message }) => `  ${where}  ${message}`)].join('\n')
}

/** By its property: the class belongs to the kikimimi that the bot imports. */
function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && 'mistakes' in error && Array.isArray(error.mistakes)
}
