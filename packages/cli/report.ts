import type { Writable } from 'node:stream'
import { CommanderError } from 'commander'

/** Prints the error of a command. Returns the exit code. */
export function report(error: unknown, args: readonly string[], stderr: Writable = process.stderr): number {
  // commander has printed its text. Help and version are errors without an exit code.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  // By name: the class would load all of kikimimi.
  const code = error instanceof Error && error.name === 'KikimimiError' && 'code' in error ? error.code : undefined
  const isPlain = code !== undefined && !args.includes('--stack')
  // A KikimimiError is for the person at the keyboard. Any other error is a bug, and its stack is the only clue.
  const text = error instanceof Error ? ((isPlain ? undefined : error.stack) ?? error.message) : String(error)
  stderr.write(`${text}\n`)
  return code === 'USAGE' ? 2 : 1
}
