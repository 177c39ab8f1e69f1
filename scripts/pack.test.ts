/** The published packages, used outside of this repository without its other files. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { succeeds as outputOf } from './command.ts'
import { type Packed, pack, undeclaredOf, type Workspace, withDocs, workspaces } from './pack.ts'

const root = join(import.meta.dirname, '..')

let folder: string
let packages: readonly Packed[]
let all: readonly Workspace[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-pack-'))
  all = await workspaces()
  packages = await pack(join(folder, 'packages'))
})
afterAll(() => rm(folder, { recursive: true, maxRetries: 3 }))

/** The empty database of the embedded Postgres is prepared already. */
const env = { LOG_LEVEL: 'warn', KIKIMIMI_CACHE: join(root, 'node_modules/.cache/kikimimi') }
const succeeds = (cwd: string, command: string, args: readonly string[], input = '') =>
  outputOf(cwd, command, args, { env, input })

/** With the packed packages instead of those in the registry. */
async function install(cwd: string): Promise<void> {
  const file = join(cwd, 'package.json')
  const { dependencies, ...manifest } = JSON.parse(await readFile(file, 'utf8'))
  const files = Object.fromEntries(packages.map(one => [one.name, `file:${one.file}`]))
  for (const name of Object.keys(dependencies)) dependencies[name] = files[name] ?? dependencies[name]
  // The packages that only other packages need.
  const overrides = Object.fromEntries(Object.entries(files).filter(([name]) => !(name in dependencies)))
  await writeFile(file, JSON.stringify({ ...manifest, dependencies, overrides }))
  await succeeds(cwd, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'])
}

describe('a package', () => {
  test('is there for each workspace, and declares what it imports', () => {
    expect(packages.map(({ name }) => name).sort()).toEqual(all.map(({ manifest }) => manifest.name).sort())
    const manifest = { name: 'mine', version: '1.0.0', dependencies: { zod: '4' }, peerDependencies: { '@some/peer': '1' } }
    expect(undeclaredOf(['zod/mini', './near', 'node:fs/promises', '@some/peer', 'mine', 'left-pad'], manifest)).toEqual([
      'left-pad',
    ])
  })

  test('has the comments of the settings in its declarations', () => {
    const lines = (inside: readonly string[]) => [
      'export declare const settings: Z<{',
      ...inside,
      '}>;',
      'declare const a: {',
      '    size: 1;',
      '};',
    ]
    const declared = lines(['    memory: Z<{', '        size: Z<Int>;', '    }>;', '    size: Z;'])
    const docs = new Map([
      ['memory', 'What a turn sees.'],
      ['memory.size', 'Messages.'],
    ])
    const documented = [
      '    /** What a turn sees. */',
      '    memory: Z<{',
      '        /** Messages. */',
      '        size: Z<Int>;',
      '    }>;',
      '    size: Z;',
    ]
    expect(withDocs(declared.join('\n'), docs).split('\n')).toEqual(lines(documented))
  })

  test('has JavaScript, declarations and the files that the code reads, without tests', () => {
    for (const { name, paths } of packages) {
      const entry = name === '@kikimimi/cli' ? ['bin.js', 'cli.js'] : ['index.js', 'index.d.ts']
      expect(paths, name).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', ...entry]))
      const other = paths.filter(
        path =>
          !/(\.js|\.d\.ts|(eval|migrations|prompts|docs|locales)\/.*\.(sql|md|json)|^page\/.*\.(html|css|svg|br|gz)|-weights\.txt|setting-docs\.json)$|^templates\//.test(
            path,
          ),
      )
      // The kernel has the documentation of the repository.
      const changes = name === 'kikimimi' && existsSync(join(root, 'CHANGELOG.md')) ? ['CHANGELOG.md'] : []
      expect(other.sort(), name).toEqual([...changes, 'LICENSE', 'README.md', 'package.json'])
      expect(
        paths.filter(path => /\btests?\b/.test(path) && !/^(testing|templates)\//.test(path)),
        name,
      ).toEqual([])
    }
    const facts = packages.find(({ name }) => name === '@kikimimi/facts')
    expect(facts?.paths).toContain('migrations/001-facts.sql')
    expect(packages.find(({ name }) => name === '@kikimimi/dashboard')?.paths).toContain('page/index.html')
    expect(packages.find(({ name }) => name === 'kikimimi')?.paths).toContain('docs/write-a-plugin.md')
  })

  test('is identical at each packing', async () => {
    const again = await pack(join(folder, 'again'))
    const sums = (list: readonly Packed[]) =>
      Promise.all(
        list.map(async ({ name, file }) => [
          name,
          createHash('sha256')
            .update(await readFile(file))
            .digest('hex'),
        ]),
      )
    expect(await sums(again)).toEqual(await sums(packages))
  })

  test('starts the bot with the flags of this repository', async () => {
    const { kikimimi } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const [, flags = ''] = /const FLAGS = \[(.*?)\]/s.exec(await readFile(join(root, 'packages/cli/bin.ts'), 'utf8')) ?? []
    expect(Array.from(flags.matchAll(/'(.*?)'/g), ([, flag]) => flag)).toEqual(kikimimi.flags)
  })

  test('and the templates name existing versions', async () => {
    const { devDependencies, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const others = { ...devDependencies, ...dependencies }
    const ours = Object.fromEntries(all.map(({ manifest }) => [manifest.name, manifest.version]))
    for (const { manifest } of all) {
      for (const [name, version] of Object.entries(manifest.dependencies ?? {}))
        expect([name, version]).toEqual([name, ours[name] ?? others[name] ?? version])
    }
    const known = { ...others, ...Object.fromEntries(Object.entries(ours).map(([name, version]) => [name, `^${version}`])) }
    for (const template of ['bot', 'plugin']) {
      const file = join(root, 'packages/create-kikimimi/templates', template, 'package.json')
      const manifest = JSON.parse(await readFile(file, 'utf8'))
      const named = { ...manifest.dependencies, ...manifest.devDependencies }
      expect(named).toEqual(Object.fromEntries(Object.keys(named).map(name => [name, known[name]])))
    }
  })
})

describe('a new bot', () => {
  let bot: string
  beforeAll(async () => {
    const create = packages.find(({ name }) => name === 'create-kikimimi')
    await succeeds(folder, 'tar', ['xf', create?.file ?? '', '--one-top-level=create', '--strip-components=1'])
    await succeeds(folder, process.execPath, ['create/cli.js', 'my-bot', '--no-install'])
    bot = join(folder, 'my-bot')
    await install(bot)
  })

  test('answers, and remembers over a restart', async () => {
    expect(await succeeds(bot, 'npm', ['start', '--silent'], 'alice: the train leaves at ten\nalice: @kiki hello\n')).toBe(
      'kiki: Hello, alice!\n',
    )
    const asked = await succeeds(bot, 'npm', ['start', '--silent'], 'bob: @kiki when does the train leave?\n')
    expect(asked).toMatch(/^kiki: .*the train leaves at ten.*\n$/)
  })

  test('gets a plugin, whose test passes, and its types are right', async () => {
    const told = await succeeds(bot, 'npm', ['run', '--silent', 'kikimimi', '--', 'new', 'plugin', 'ping-pong'])
    expect(told).toContain("import pingPong from './plugins/ping-pong/index.ts'")
    const config = await readFile(join(bot, 'bot.config.ts'), 'utf8')
    const [line = ''] = /import pingPong .*/.exec(told) ?? []
    await writeFile(join(bot, 'bot.config.ts'), `${line}\n${config.replace('plugins: [', 'plugins: [pingPong(), ')}`)
    await succeeds(bot, 'npm', ['run', '--silent', 'check'])
    expect(await succeeds(bot, 'npm', ['test', '--silent'])).toMatch(/Tests +1 passed/)
    expect(await succeeds(bot, 'npm', ['start', '--silent'], 'alice: @kiki ping\n')).toBe('kiki: pong\n')
  })

  test('can create a package, and publish a plugin as JavaScript', async () => {
    const kikimimi = join(bot, 'node_modules/.bin/kikimimi')
    await succeeds(folder, kikimimi, ['new', 'bot', 'second', '--locale', 'ja', '--no-install'])
    expect(await readFile(join(folder, 'second/bot.config.ts'), 'utf8')).toContain("locale: 'ja'")
    expect((await readdir(join(folder, 'second'))).sort()).toEqual((await readdir(join(folder, 'my-bot'))).filter(made).sort())

    await succeeds(bot, kikimimi, ['new', 'plugin', 'given-away'])
    const plugin = join(bot, 'plugins/given-away')
    const [packed] = JSON.parse(await succeeds(plugin, 'npm', ['pack', '--json', '--foreground-scripts=false']))
    expect(packed.files.map(({ path }: { path: string }) => path).sort()).toEqual([
      'README.md',
      'index.d.ts',
      'index.js',
      'package.json',
    ])
  })

  const made = (file: string) => !['node_modules', 'package-lock.json', 'data', 'data.lock', 'plugins', '.cache'].includes(file)
})
