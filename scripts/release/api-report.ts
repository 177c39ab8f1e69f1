/**
 * `npm run api`: writes the public API of each package as text, into docs/api. A test compares it with the code, so that a
 * change of the API is seen in the diff of a commit. Public are the exports of `kikimimi` except `kikimimi/host`, and `.` and
 * `./testing` of the other packages. Other exports are for packages of this repository, and change in any release.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { compile, exportsOf, type Workspace, workspaces } from '../pack.ts'
import type { Bump } from './versions.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/api')

/** File name to text: `kikimimi.api.md`, `kikimimi-testing.api.md`. */
export async function apiReports(): Promise<ReadonlyMap<string, string>> {
  const all = await workspaces()
  await mkdir(join(root, '.cache'), { recursive: true })
  const stage = await mkdtemp(join(root, '.cache/api-'))
  try {
    const reports = join(stage, 'reports')
    await mkdir(reports)
    await compile(all, stage)
    const configs = all.flatMap(workspace => entriesOf(workspace, stage)).map(entry => configOf(entry, stage))
    const [first] = configs
    if (!first) throw new Error('No package exports anything.')
    const compilerState = CompilerState.create(first, {
      additionalEntryPoints: configs.map(config => config.mainEntryPointFilePath),
    })
    for (const config of configs) {
      const { succeeded } = Extractor.invoke(config, {
        localBuild: true,
        compilerState,
        messageCallback(message) {
          // Only errors are of interest: the report is a new file in each run.
          message.handled = message.logLevel !== ExtractorLogLevel.Error
        },
      })
      if (!succeeded) throw new Error(`No API report of ${config.mainEntryPointFilePath}`)
    }
    const texts = (await readdir(reports)).map(async name => [name, await readFile(join(reports, name), 'utf8')] as const)
    return new Map(await Promise.all(texts))
  } finally {
    await rm(stage, { recursive: true })
  }
}

/** The reports of the repository. */
export async function writtenReports(): Promise<ReadonlyMap<string, string>> {
  const texts = (await readdir(folder)).map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

export type ApiChange = 'none' | 'added' | 'changed'

/** A report whose lines are all in the newer one, in order, has only additions. */
export function apiChange(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ApiChange {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const changes = names.map(name => {
    const [old = '', present = ''] = [before.get(name), after.get(name)]
    if (old === present) return 'none'
    return hasLines(present.split('\n'), old.split('\n')) ? 'added' : 'changed'
  })
  return changes.find(change => change === 'changed') ?? changes.find(change => change === 'added') ?? 'none'
}

/** Whether these lines are among the others, in their order. */
function hasLines(others: readonly string[], lines: readonly string[]): boolean {
  let from = 0
  return lines.every(line => {
    from = others.indexOf(line, from) + 1
    return from > 0
  })
}

/** Semver, with a minor version for what breaks before 1.0.0. `undefined`: any release. */
export function neededBump(version: string, change: ApiChange): Bump | undefined {
  const early = version.startsWith('0.')
  if (change === 'changed') return early ? 'minor' : 'major'
  return change === 'added' && !early ? 'minor' : undefined
}

interface Entry {
  /** `kikimimi-testing-gemini` */
  readonly report: string
  /** The declarations of its first file. */
  readonly file: string
  readonly manifest: string
}

function entriesOf({ folder: path, manifest }: Workspace, stage: string): Entry[] {
  const isPublic = (name: string) => (manifest.name === 'kikimimi' ? name !== './host' : name === '.' || name === './testing')
  const exported = Object.entries(exportsOf(manifest)).filter(([name]) => isPublic(name))
  return exported.map(([name, file]) => ({
    report: join(manifest.name, name).replace('@', '').replaceAll('/', '-'),
    file: join(stage, path, file.replace(/\.ts$/, '.d.ts')),
    manifest: join(root, path, 'package.json'),
  }))
}

function configOf({ report, file, manifest }: Entry, stage: string): ExtractorConfig {
  const silent = { default: { logLevel: ExtractorLogLevel.None } }
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: stage,
      mainEntryPointFilePath: file,
      compiler: {
        overrideTsconfig: { extends: join(root, 'tsconfig.json'), compilerOptions: { skipLibCheck: true }, files: [file] },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${report}.api.md`,
        reportFolder: join(stage, 'reports'),
        reportTempFolder: join(stage, 'temp'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: manifest,
  })
}

if (import.meta.main) {
  const reports = await apiReports()
  await rm(resolve(folder), { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, text] of reports) await writeFile(join(folder, name), text)
  console.log(`${reports.size} reports in docs/api`)
}
