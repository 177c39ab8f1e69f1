#!/usr/bin/env node
/** The command line: the kernel's own commands, and those of the plugins in bot.config.ts. */
import { KikimimiError } from 'kikimimi'
import { run } from './run.ts'

try {
  await run(process.argv.slice(2))
} catch (error) {
  const stack = process.argv.includes('--stack')
  // An error of our own is for the person at the keyboard; anything else is a bug, and its stack the only clue.
  const text =
    error instanceof KikimimiError && !stack
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = error instanceof KikimimiError && error.code === 'USAGE' ? 2 : 1
} finally {
  // What a plugin forgot to close must not keep the process alive.
  setTimeout(() => process.exit(), 5_000).unref()
}
