/** Tells mistakes in bot.config.ts and bot.settings.json with their lines. */
import { dirname, join } from 'node:path'
import { KikimimiError } from 'kikimimi'
import type { ConfigError, ConfigMistake, ConfigPath } from 'kikimimi/host'

export interface Told {
  readonly file: string
  /** `bot.config.ts:12:5` */
  readonly where: string
  readonly message: string
}

/** A mistake or a warning, with the keys that lead to its value. */
export interface Found extends Pick<ConfigMistake, 'file' | 'path' | 'message'> {}

/** In the order of the files, bot.config.ts first. A file that cannot be read any more has no lines. */
export async function toldOf(file: string, found: readonly Found[]): Promise<readonly Told[]> {
  if (found.length === 0) return []
  const byFile = Map.groupBy(found, one => (one.file === undefined ? file : join(dirname(file), one.file)))
  const [{ readSource }, { locate, locateInJson }] = await Promise.all([import('./source.ts'), import('./locate.ts')])
  const placed = Array.from(byFile, ([of, own]) => {
    const source = of === file ? readSource(of) : undefined
    const placeOf = of === file ? (path: ConfigPath) => source && locate(source, path) : locateInJson(of)
    return own
      .map(({ path, message }) => ({ of, message, ...(placeOf(path) ?? { line: 1, column: 1 }) }))
      .toSorted((one, other) => one.line - other.line || one.column - other.column)
  })
  return placed
    .toSorted(([one], [other]) => Number(one?.of !== file) - Number(other?.of !== file))
    .flat()
    .map(({ of, line, column, message }) => ({ file: of, where: `${of}:${line}:${column}`, message }))
}

/** The error with the line of each mistake, if it has mistakes. Any other error as it is. */
export async function withPlaces(file: string, error: unknown): Promise<unknown> {
  if (!isConfigError(error)) return error
  return new KikimimiError(error.code, textOf(await toldOf(file, error.mistakes)), { cause: error })
}

export function textOf(told: readonly Told[]): string {
  const files = [...new Set(told.map(one => one.file))]
  const count = told.length === 1 ? 'a mistake' : `${told.length} mistakes`
  const head = `${files.join(' and ')} ${files.length > 1 ? 'have' : 'has'} ${count}:`
  return [head, ...told.map(({ where, message }) => `  ${where}  ${message}`)].join('\n')
}

/** By its property: the class belongs to the kikimimi that the bot imports. */
function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && 'mistakes' in error && Array.isArray(error.mistakes)
}
