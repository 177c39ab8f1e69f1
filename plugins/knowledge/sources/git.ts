/** Documents of a Git repository, by the program `git`. Nothing is checked out: blobs are read from a bare, shallow clone. */
import { execFile } from 'node:child_process'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MOST_BYTES, tooLarge } from '../documents/reader.ts'
import { kindOfName } from '../documents/sections.ts'
import { Unreadable } from '../documents/unreadable.ts'
import { linkTo, MOST_DOCUMENTS, type Source, tooMany } from './source.ts'

const run = promisify(execFile)

/** Milliseconds of one call, and bytes of a list of files. */
const PATIENCE_MS = 5 * 60_000
const LONGEST_LIST = 64 * 1024 * 1024

export interface GitOptions {
  readonly name: string
  readonly git: string
  readonly branch?: string | undefined
  readonly path?: string | undefined
  readonly link?: string | undefined
  /** Deletes the clone with it. */
  readonly scope: AsyncDisposableStack
}

export function gitSource({ name, git: repository, branch, path = '', link, scope }: GitOptions): Source {
  let clone: Promise<string> | undefined

  async function git(args: readonly string[], signal: AbortSignal, options: { cwd?: string } = {}): Promise<Buffer> {
    try {
      const { stdout } = await run('git', ['-c', 'core.askPass=', ...args], {
        ...options,
        signal,
        timeout: PATIENCE_MS,
        maxBuffer: LONGEST_LIST,
        encoding: 'buffer',
        // It must not ask for a password, and not use a repository around the folder.
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_DIR: options.cwd },
      })
      return stdout
    } catch (error) {
      signal.throwIfAborted()
      throw new Unreadable(reasonOf(error).replaceAll(repository, name))
    }
  }

  /** An empty repository in a folder of this process. */
  async function prepared(signal: AbortSignal): Promise<string> {
    const cwd = await mkdtemp(join(tmpdir(), 'kikimimi-git-'))
    scope.defer(() => rm(cwd, { recursive: true, force: true }))
    await git(['init', '--quiet', '--bare', '.'], signal, { cwd })
    return cwd
  }

  async function repositoryOf(signal: AbortSignal): Promise<string> {
    const known = await clone?.then(
      cwd => access(cwd).then(() => cwd),
      () => undefined,
    )
    if (known !== undefined) return known
    clone = prepared(signal)
    return clone
  }

  return {
    name,

    async list(signal) {
      const cwd = await repositoryOf(signal)
      await git(['fetch', '--quiet', '--depth', '1', '--no-tags', '--', repository, branch ?? 'HEAD'], signal, { cwd })
      const [commit = ''] = (await git(['rev-parse', 'FETCH_HEAD'], signal, { cwd })).toString().split('\n')
      const files = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit, '--', path || '.'], signal, { cwd })
      const documents = files
        .toString()
        .split('\0')
        .flatMap(line => {
          const [, mode, version, size, file] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? []
          // 120000 is a symbolic link.
          if (file === undefined || mode === '120000' || kindOfName(file) === undefined) return []
          return [{ path: file, version: `${version}/${size}`, ...linkTo(link, file) }]
        })
      if (documents.length > MOST_DOCUMENTS) throw tooMany()
      return {
        documents,
        async read({ path: file, version = '' }, signal) {
          const [blob = '', size = ''] = version.split('/')
          if (Number(size) > MOST_BYTES) throw new Unreadable(tooLarge(Number(size)))
          return { kind: kindOfName(file) ?? 'markdown', bytes: await git(['cat-file', 'blob', blob], signal, { cwd }) }
        },
      }
    },
  }
}

/** The line in which git says what is wrong, or why it did not run. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'git failed'
  if ('code' in error && error.code === 'ENOENT') return 'the program git is not installed'
  if ('killed' in error && error.killed) return `git took more than ${PATIENCE_MS / 60_000} min`
  const said = 'stderr' in error ? String(error.stderr).trim().split('\n') : []
  return (said.find(line => /^(?:fatal|error): /.test(line)) ?? said.at(-1))?.slice(0, 300) || 'git failed'
}
