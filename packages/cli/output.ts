import type { CliOutput } from 'kikimimi'
import type { Output } from './session.ts'

/** Standard output of a command. */
export function outputOf(json = false, stdout: Output = process.stdout): CliOutput {
  // The reader of a pipe may close it early, such as head.
  if (stdout === process.stdout) stdout.on('error', () => process.exit())
  return { json, print: line => void stdout.write(`${line}\n`) }
}
