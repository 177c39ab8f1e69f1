#!/usr/bin/env node
/** The command line: the commands of kikimimi, and those of the plugins in bot.config.ts. */
import { CommanderError } from 'commander'
import { run } from './run.ts'

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.exitCode = report(error)
} finally {
  // What a plugin forgot to close must not keep the process alive.
  setTimeout(() => process.exit(), 5_000).unref()
}

/** Prints the error. Returns the exit code. */
function report(error: unknown): number {
  // commander has printed its text. Help and version are errors without an exit code.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  // By name: the class would load all of kikimimi.
  const code = error instanceof Error && error.name === 'KikimimiError' && 'code' in error ? error.code : undefined
  const isPlain = code !== undefined && !process.argv.includes('--stack')
  // A KikimimiError is for the person at the keyboard. Any other error is a bug, and its stack is the only clue.
  const text = error instanceof Error ? ((isPlain ? undefined : error.stack) ?? error.message) : String(error)
  process.stderr.write(`${text}\n`)
  return code === 'USAGE' ? 2 : 1
}
