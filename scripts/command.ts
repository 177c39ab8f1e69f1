/** Commands as from a terminal, for scripts and for tests of packages. */
import { type ExecFileException, execFile } from 'node:child_process'

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
}

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command to its end, as from a terminal in that folder. */
export function run(cwd: string, command: string, args: readonly string[], { env, input = '' }: RunOptions = {}): Promise<Ended> {
  // Those of the test runner change what the command does.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(vitest.*|node_env|force_color)$/i.test(name)))
  return new Promise(resolve => {
    const options = { cwd, env: { ...own, LANG: 'C', NO_COLOR: '1', ...env }, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(command, args, options, (error: ExecFileException | null, out, err) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, out, err }),
    )
    // A command may end before it reads its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Its standard output. Throws with both outputs if it fails. */
export async function succeeds(cwd: string, command: string, args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, out, err } = await run(cwd, command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${out}\n${err}`)
  return out
}
