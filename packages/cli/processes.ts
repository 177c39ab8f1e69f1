/** Other programs that a command runs: npm, and the command line in another folder. */
import { type ExecFileOptions, execFile } from 'node:child_process'

export interface Ended {
  readonly code: number
  readonly out: string
  /** What it says of a mistake. It has a reason even if the program did not start. */
  readonly err: string
}

/** Runs a program to its end. */
export function ended(command: string, args: readonly string[], cwd: string, options: ExecFileOptions = {}): Promise<Ended> {
  return new Promise(resolve => {
    execFile(command, args, { ...options, cwd, maxBuffer: 1024 ** 3, encoding: 'utf8' }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, out, err: err || (error?.message ?? '') }),
    )
  })
}

/** Runs npm, which knows the address of the registry, its proxy and its keys. */
export function npm(args: readonly string[], cwd: string): Promise<Ended> {
  return ended('npm', [...args, '--loglevel=error'], cwd, { shell: process.platform === 'win32', env: packageEnv() })
}

/** The environment of a package manager. `yarn run` of version 1 has replaced the registry of .npmrc by its own one there. */
export function packageEnv(): NodeJS.ProcessEnv {
  const { npm_config_registry: registry, ...env } = process.env
  const isOfYarn = registry === undefined || registry.startsWith('https://registry.yarnpkg.com')
  return { ...env, ...(!isOfYarn && { npm_config_registry: registry }) }
}

/** The lines of npm's output that tell people what is wrong. */
export function npmProblem(err: string): readonly string[] {
  const lines = err.split('\n').map(line => line.replace(/^npm (?:error|ERR!)/, '').trim())
  return lines.filter(line => line !== '' && !/^A complete log|^For a full report|^code |^errno |\.log$/.test(line))
}
