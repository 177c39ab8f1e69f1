#!/usr/bin/env node
/** The command line: the commands of kikimimi, and those of the plugins in bot.config.ts. */
import { readPasswordFile, usePackagesOf } from './container.ts'
import { report } from './report.ts'
import { run } from './run.ts'

const args = process.argv.slice(2)
try {
  readPasswordFile(process.env)
  if (process.env.KIKIMIMI_PACKAGES) usePackagesOf(process.env.KIKIMIMI_PACKAGES)
  await run(args)
} catch (error) {
  process.exitCode = report(error, args)
} finally {
  // What a plugin forgot to close must not keep the process alive.
  setTimeout(() => process.exit(), 5_000).unref()
}
