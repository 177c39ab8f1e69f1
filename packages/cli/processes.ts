/** Other programs that a command runs: npm, and the command line in another folder. */
import { execFile } from 'node:child_process'

export interface Ended {
  readonly code: number
  readonly out: string
  /** What it says of a mistake. It has a reason even if the program did not start. */
  readonly err: string
}

/** Runs a program to its end. */
export function ended(command: string, args: readonly string[], cwd: string, shell = false): Promise<Ended> {
  return new Promise(resolve => {
    execFile(command, args, { cwd, shell, maxBuffer: 1024 ** 3 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, out, err: err || (error?.message ?? '') }),
    )
  })
}

/** Runs npm, which knows the address of the registry, its proxy and its keys. */
export function npm(args: readonly string[], cwd: string): Promise<Ended> {
  return ended('npm', [...args, '--loglevel=error'], cwd, process.platform === 'win32')
}

/** The lines of npm's output that tell people what is wrong. */
export function npmProblem(err: string): readonly string[] {
  const lines = err.split('\n').map(line => line.replace(/^npm (?:error|ERR!)/, '').trim())
  return lines.filter(line => line !== '' && !/^A complete log|^For a full report|^code |^errno |\.log$/.test(line))
}
