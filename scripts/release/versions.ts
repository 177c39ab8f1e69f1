/** The version of all packages: one number, because they are released together. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Manifest, workspaces } from '../pack.ts'

export type Bump = 'major' | 'minor' | 'patch'
export const BUMPS: readonly string[] = ['major', 'minor', 'patch'] satisfies Bump[]

const TEMPLATES = ['bot', 'plugin'].map(name => `packages/create-kikimimi/templates/${name}/package.json`)
const GROUPS = ['dependencies', 'peerDependencies', 'devDependencies'] as const

/** `1.2.3` and `minor` give `1.3.0`. */
export function bumped(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (bump === 'major') return `${major + 1}.0.0`
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}

/** Whether semver lets both versions stand for the same public API: `^0.1.0` accepts 0.1.9, not 0.2.0. */
export function isCompatible(before: string, after: string): boolean {
  const kept = (version: string) =>
    version
      .split('.')
      .slice(0, version.startsWith('0.') ? 2 : 1)
      .join('.')
  return kept(before) === kept(after)
}

/** The version of the packages. Throws if they differ. */
export async function presentVersion(): Promise<string> {
  const versions = new Map((await workspaces()).map(({ folder, manifest }) => [manifest.version, folder]))
  const [version, ...others] = versions.keys()
  if (version === undefined || others.length > 0)
    throw new Error(`All packages have one version. Found ${[...versions].map(each => each.join(' in ')).join(', ')}.`)
  return version
}

/** Writes the version into the packages of a checkout, and into what they and the templates ask of each other. */
export async function setVersion(root: string, version: string): Promise<void> {
  const all = await workspaces(root)
  const names = new Set(all.map(({ manifest }) => manifest.name))
  for (const { folder } of all) await rewrite(join(root, folder, 'package.json'), manifest => ({ ...manifest, version }))
  for (const file of [...all.map(({ folder }) => `${folder}/package.json`), ...TEMPLATES])
    await rewrite(join(root, file), manifest => withRanges(manifest, names, version))
}

/**
 * The kernel and the packages that a bot lists are asked for by `^`, so that one kernel serves packages of several releases. A dependency is
 * exact: npm would take it from a later release, which asks for a later kernel.
 */
function withRanges(manifest: Manifest, names: ReadonlySet<string>, version: string): Manifest {
  const groups = GROUPS.flatMap(group => {
    const asked = manifest[group]
    if (!asked) return []
    return [
      [
        group,
        Object.fromEntries(
          Object.entries(asked).map(([name, range]) => [name, names.has(name) ? rangeAt(range, version) : range]),
        ),
      ],
    ]
  })
  return { ...manifest, ...Object.fromEntries(groups) }
}

/** A range of the same kind for another version. */
export function rangeAt(range: string, version: string): string {
  return range.startsWith('^') ? `^${version}` : version
}

async function rewrite(file: string, change: (manifest: Manifest) => Manifest): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(file, `${JSON.stringify(change(JSON.parse(text)), undefined, 2)}\n`)
}
