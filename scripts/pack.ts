/**
 * `npm run pack [FOLDER]`: a tarball of each workspace, as it is published. Node strips no types below node_modules, so
 * these hold JavaScript and declarations: what `exports` and `bin` reach, `language/*.ts`, and the folders that this names by
 * `new URL('./folder/', import.meta.url)`. Tests and what only they use are not reached. The page of the dashboard is a bundle.
 *   npm run pack              into .cache/packages
 *   npm publish .cache/packages/kikimimi-0.1.0.tgz
 */
import { execFile } from 'node:child_process'
import { access, cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bundlePage } from '../plugins/dashboard/files/bundle-page.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: string | Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** What package.json of the repository says about all packages. */
interface Project {
  readonly repository?: { readonly type: string; readonly url: string }
  readonly homepage?: string
  readonly bugs?: string
}

export interface Workspace {
  /** Relative to the repository. */
  readonly folder: string
  readonly manifest: Manifest
}

export interface Packed {
  readonly name: string
  /** The tarball. */
  readonly file: string
  /** The files in it. */
  readonly paths: readonly string[]
}

/** The packages of a checkout of this repository. */
export async function workspaces(checkout = root): Promise<Workspace[]> {
  const { workspaces: patterns }: { workspaces: string[] } = await readJson(join(checkout, 'package.json'))
  const folders = await Array.fromAsync(glob(patterns, { cwd: checkout }))
  return Promise.all(
    folders.sort().map(async folder => ({ folder, manifest: await readJson(join(checkout, folder, 'package.json')) })),
  )
}

/** Packs all workspaces into a folder. Throws for a type error, and for an import that a manifest does not declare. */
export async function pack(into: string): Promise<Packed[]> {
  await mkdir(join(root, '.cache'), { recursive: true })
  const stage = await mkdtemp(join(root, '.cache/pack-'))
  try {
    const all = await workspaces()
    await compile(all, stage)
    for (const one of all) await complete(one, join(stage, one.folder))
    await mkdir(into, { recursive: true })
    const folders = all.map(({ folder }) => join(stage, folder))
    const { stdout } = await run('npm', ['pack', ...folders, '--json', '--ignore-scripts', '--pack-destination', into], {
      cwd: stage,
      maxBuffer: 64 * 1024 * 1024,
    })
    const reports: { name: string; filename: string; files: { path: string }[] }[] = JSON.parse(stdout)
    return reports.map(({ name, filename, files }) => ({
      name,
      file: join(into, filename),
      paths: files.map(({ path }) => path),
    }))
  } finally {
    await rm(stage, { recursive: true })
  }
}

/** Writes JavaScript and declarations of all workspaces. It is one run, so that each sees the types of the others. */
export async function compile(all: readonly Workspace[], stage: string): Promise<void> {
  const tsconfig = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      // The code stays as it is, except the endings of imports.
      target: 'esnext',
      rewriteRelativeImportExtensions: true,
      rootDir: root,
      outDir: '.',
      // A file found in node_modules, through the links of the workspaces, can be mistaken for an external one and not be
      // written.
      paths: Object.fromEntries(
        all.flatMap(({ folder, manifest }) =>
          Object.entries(exportsOf(manifest)).map(([name, path]) => [join(manifest.name, name), [join(root, folder, path)]]),
        ),
      ),
    },
    include: [],
    files: (await Promise.all(all.map(entriesOf))).flat(),
  }
  await writeFile(join(stage, 'tsconfig.json'), JSON.stringify(tsconfig))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '--project', stage], { cwd: root }).catch(({ stdout }: { stdout: string }) => {
    throw new Error(`The types are wrong:\n${stdout}`)
  })
}

/** The exports of a package: `.` or a path below it, to a file relative to the package. */
export function exportsOf({ exports = {} }: Manifest): Readonly<Record<string, string>> {
  return typeof exports === 'string' ? { '.': exports } : exports
}

/** The entry points of a package, and modules that are found by listing a folder: `language/<locale>.ts`. */
async function entriesOf({ folder, manifest }: Workspace): Promise<string[]> {
  const listed = await Array.fromAsync(glob('**/language/*.ts', { cwd: join(root, folder), exclude: ['**/node_modules/**'] }))
  return [...Object.values(exportsOf(manifest)), ...Object.values(manifest.bin ?? {}), ...listed].map(path =>
    join(root, folder, path),
  )
}

/** Files beside the code in a package. */
async function complete({ folder, manifest }: Workspace, target: string): Promise<void> {
  const imports = new Set<string>()
  // All compiled files, before other files are added: files for a browser are found by their server.
  for (const path of await Array.fromAsync(glob('**/*.{js,d.ts}', { cwd: target }))) {
    const code = (await readFile(join(target, path), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\//g, '')
    for (const [, name = ''] of code.matchAll(/(?:^(?:import|export|\}) .*\bfrom |\bimport\(|^import )['"]([^'"]+)['"]/gm)) {
      imports.add(name)
      if (name.startsWith('.') && path.endsWith('.js')) await access(join(target, path, '..', name))
    }
    for (const [, named = ''] of code.matchAll(/new URL\('\.\/([^']+)', import\.meta\.url\)/g)) {
      const beside = join(path, '..', named)
      await cp(join(root, folder, beside), join(target, beside), { recursive: true, filter: isNotCompiled })
    }
  }
  const undeclared = undeclaredOf(imports, manifest)
  if (undeclared.length > 0)
    throw new Error(`${manifest.name} imports ${undeclared.join(', ')}: declare it in ${folder}/package.json.`)
  const project: Project = await readJson(join(root, 'package.json'))
  const written = { ...published(manifest), ...shared(project, folder) }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(written, null, 2)}\n`)
  await document(join(folder, 'README.md'), join(target, 'README.md'))
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'))
  if (folder === 'plugins/dashboard') await bundlePage(join(root, folder, 'page'), join(target, 'page'))
  // Every bot installs the kernel, so the documents come with it. An upgrade tells the new part of the changelog.
  if (folder === 'core') {
    const declarations = join(target, 'api/config.d.ts')
    const docs = new Map(Object.entries(await readJson<Record<string, string>>(join(root, SETTING_DOCS))))
    await writeFile(declarations, withDocs(await readFile(declarations, 'utf8'), docs))
    for await (const path of glob('{docs/*.md,CHANGELOG.md}', { cwd: root })) await document(path, join(target, path))
  }
}

/** What each setting of bot.config.ts does, by its path. */
const SETTING_DOCS = 'core/features/settings-file/setting-docs.json'

/**
 * The declarations of the schema of bot.config.ts, with the comments that editors show. TypeScript leaves the comments out of types
 * that it infers.
 */
export function withDocs(declarations: string, docs: ReadonlyMap<string, string>): string {
  const path: string[] = []
  let isInside = false
  return declarations
    .split('\n')
    .map(line => {
      if (/^\S/.test(line)) isInside = line.startsWith('export declare const settings:')
      const [, indent = '', name] = /^((?: {4})+)(\w+)\??: /.exec(line) ?? []
      if (!isInside || name === undefined) return line
      path.splice(indent.length / 4 - 1, Number.POSITIVE_INFINITY, name)
      const does = docs.get(path.join('.'))
      return does === undefined ? line : `${indent}/** ${does} */\n${line}`
    })
    .join('\n')
}

/** Sources that are in the package as JavaScript are left out. */
async function isNotCompiled(source: string, target: string): Promise<boolean> {
  if (!source.endsWith('.ts')) return true
  return access(target.replace(/\.ts$/, '.js')).then(
    () => false,
    () => true,
  )
}

/** Imported packages that an installation of this package would lack. */
export function undeclaredOf(imports: Iterable<string>, { name, dependencies, peerDependencies }: Manifest): string[] {
  const declared = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })])
  const foreign = [...imports].filter(one => !one.startsWith('.') && !isBuiltin(one))
  const packages = foreign.map(one => one.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? one)
  return [...new Set(packages)].filter(one => !declared.has(one)).sort()
}

/** Its paths lead to the compiled files. */
function published(manifest: Manifest): object {
  const written = (path: string) => path.replace(/\.ts$/, '.js')
  const exports = Object.entries(exportsOf(manifest)).map(([name, path]) => [
    name,
    { types: path.replace(/\.ts$/, '.d.ts'), default: written(path) },
  ])
  const bin = Object.entries(manifest.bin ?? {}).map(([name, path]) => [name, written(path)])
  return {
    ...manifest,
    exports: Object.fromEntries(exports),
    ...(bin.length > 0 && { bin: Object.fromEntries(bin) }),
  }
}

function shared({ repository, homepage, bugs }: Project, directory: string): object {
  return {
    ...(repository && { repository: { ...repository, directory } }),
    ...(homepage && { homepage }),
    ...(bugs && { bugs }),
    publishConfig: { access: 'public' },
  }
}

/** Copies a document, without links to files that are not in the package. */
async function document(path: string, target: string): Promise<void> {
  const text = await readFile(join(root, path), 'utf8')
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1'))
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8'))
}

if (import.meta.main) {
  const packed = await pack(resolve(process.argv[2] ?? join(root, '.cache/packages')))
  for (const { file, paths } of packed) console.log(`${file}  ${paths.length} files`)
}
