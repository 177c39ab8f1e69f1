/** Packed packages under another version, with changes: a release that does not exist. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isOurs } from '../../packages/cli/plugin-packages.ts'
import { succeeds } from '../command.ts'
import type { Manifest } from '../pack.ts'
import { rangeAt } from './versions.ts'

export interface RepackOptions {
  /** The version that the packages ask of each other by `^`. Default: their own. */
  readonly asks?: string
  /** Changes the files of a package. */
  change?(folder: string, name: string): Promise<void>
}

export async function repacked(
  tarballs: readonly string[],
  into: string,
  version: string,
  { asks = version, change }: RepackOptions = {},
): Promise<string[]> {
  await mkdir(into, { recursive: true })
  const files: string[] = []
  for (const tarball of tarballs) {
    const stage = join(into, 'stage')
    await mkdir(stage)
    await succeeds(into, 'tar', ['xf', tarball, '-C', stage])
    const folder = join(stage, 'package')
    const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    await change?.(folder, manifest.name)
    const asking = (group: Manifest['dependencies'] = {}) =>
      Object.fromEntries(
        Object.entries(group).map(([name, range]) => [
          name,
          isOurs(name) ? rangeAt(range, range.startsWith('^') ? asks : version) : range,
        ]),
      )
    const { dependencies, peerDependencies } = manifest
    const written = {
      ...{ ...manifest, version },
      ...(dependencies && { dependencies: asking(dependencies) }),
      ...(peerDependencies && { peerDependencies: asking(peerDependencies) }),
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify(written, undefined, 2))
    const file = join(into, basename(tarball).replace(manifest.version, version))
    await succeeds(stage, 'tar', ['czf', file, 'package'])
    await rm(stage, { recursive: true })
    files.push(file)
  }
  return files
}
