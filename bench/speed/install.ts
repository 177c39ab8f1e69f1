/** The size of the packages of the bot, installed from the lock file like in the container: total, and by plugin. */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bytesIn } from '../base/folders.ts'
import { machine, progress, round } from '../base/measure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** As in the Dockerfile. */
const OMITTED = ['dev', 'peer', 'optional']
const LARGEST = 10

interface Installed {
  /** One of our own packages: its folder. */
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const folder = mkdtempSync(join(tmpdir(), 'kikimimi-install-'))
try {
  const manifests = globSync(
    ['package-lock.json', ...['.', ...manifestIn(root).workspaces].map(path => join(path, 'package.json'))],
    {
      cwd: root,
    },
  )
  for (const file of manifests) cpSync(join(root, file), join(folder, file))
  const omit = OMITTED.map(kind => `--omit=${kind}`)
  progress(`npm ci ${omit.join(' ')}`)
  const begun = performance.now()
  execFileSync('npm', ['ci', ...omit, '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const seconds = round((performance.now() - begun) / 1_000, 1)
  process.stdout.write(`${JSON.stringify({ machine: machine(), seconds, ...measured(folder) }, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function measured(folder: string) {
  const lock: { packages: Record<string, Installed> } = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  )
  const packages = new Map([...Object.entries(lock.packages), ['.', manifestIn(folder)] as const])
  const foreign = [...packages.keys()].filter(path => path.includes('node_modules/') && !packages.get(path)?.link)
  const bytes = new Map(foreign.map(path => [path, bytesIn(join(folder, path), ['node_modules'])]))
  const sizeOf = (paths: Iterable<string>) => {
    const sizes = [...paths].flatMap(path => bytes.get(path) ?? [])
    return { packages: sizes.length, mb: mb(sizes.reduce((sum, size) => sum + size, 0)) }
  }
  const kernel = needed(packages, 'core')
  const beside = (path: string) => sizeOf([...needed(packages, path)].filter(one => !kernel.has(one)))
  const plugins = [...packages.keys()].filter(path => path.startsWith('plugins/')).sort()
  return {
    ...sizeOf(foreign),
    largest: Object.fromEntries(
      [...bytes]
        .sort(([, a], [, b]) => b - a)
        .slice(0, LARGEST)
        .map(([path, size]) => [path.replace(/^.*node_modules\//, ''), mb(size)]),
    ),
    kernel: sizeOf(kernel),
    // Beside the kernel. A shared package counts for both.
    adds: {
      'bot.config.ts': beside('.'),
      ...Object.fromEntries(plugins.map(path => [path.slice('plugins/'.length), beside(path)])),
    },
  }
}

function manifestIn(folder: string): Installed & { readonly workspaces: readonly string[] } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The packages that an installation brings, itself included: npm puts a dependency beside it, or in a parent folder. */
function needed(packages: ReadonlyMap<string, Installed>, from: string, found = new Set<string>()): Set<string> {
  if (found.has(from)) return found
  found.add(from)
  const { dependencies, peerDependencies = {}, peerDependenciesMeta } = packages.get(from) ?? {}
  const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta?.[name]?.optional)
  for (const name of [...Object.keys({ ...dependencies }), ...peers]) {
    let at = from
    while (at !== '.' && !packages.has(join(at, 'node_modules', name))) at = dirname(at)
    const path = join(at, 'node_modules', name)
    const one = packages.get(path)
    if (one) needed(packages, one.link ? (one.resolved ?? path) : path, found)
  }
  return found
}

function mb(bytes: number): number {
  return round(bytes / 2 ** 20, 1)
}
