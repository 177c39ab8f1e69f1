import type { CliOutput } from 'kikimimi'
import type { Output, Session } from './session.ts'

/** Standard output of a command, and its input when it reads it. */
export function outputOf(
  json = false,
  stdout: Output = process.stdout,
  input: Session['input'] = () => process.stdin,
): CliOutput {
  // The reader of a pipe may close it early, such as head.
  if (stdout === process.stdout) stdout.on('error', () => process.exit())
  return {
    json,
    print: line => void stdout.write(`${line}\n`),
    get input() {
      return input()
    },
  }
}
