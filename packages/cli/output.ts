import type { CliOutput } from 'kikimimi'

/** Standard output of a command. */
export function outputOf(json = false): CliOutput {
  // The reader of a pipe may close it early, such as head.
  process.stdout.on('error', () => process.exit())
  return { json, print: line => void process.stdout.write(`${line}\n`) }
}
