import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../command.ts'
import { workspaces } from '../pack.ts'
import { apiChange, apiReports, neededBump, writtenReports } from './api-report.ts'
import { changelogSection, withSection } from './changelog.ts'
import { reasonIn } from './compat.ts'
import { bumped, isCompatible, presentVersion, setVersion } from './versions.ts'

const root = join(import.meta.dirname, '../..')

describe('the public API', () => {
  test('is the one of docs/api; npm run api writes it', async () => {
    const [present, written] = await Promise.all([apiReports(), writtenReports()])
    expect([...present.keys()].sort()).toEqual([...written.keys()].sort())
    for (const [name, text] of present) expect(text, name).toBe(written.get(name))
  })

  test('needs a larger version for a change than for an addition', () => {
    const report = (...lines: string[]) => new Map([['a.api.md', lines.join('\n')]])
    const before = report('function one(): void', 'function two(): void')
    const more = report('function one(): void', 'function oneAndAHalf(): void', 'function two(): void')
    const other = report('function one(): string', 'function two(): void')
    expect(apiChange(before, before)).toBe('none')
    expect(apiChange(before, more)).toBe('added')
    expect(apiChange(more, before)).toBe('changed')
    expect(apiChange(before, other)).toBe('changed')
    expect(apiChange(before, new Map())).toBe('changed')
    expect([neededBump('1.4.0', 'none'), neededBump('1.4.0', 'added'), neededBump('1.4.0', 'changed')]).toEqual([
      undefined,
      'minor',
      'major',
    ])
    expect([neededBump('0.4.0', 'added'), neededBump('0.4.0', 'changed')]).toEqual([undefined, 'minor'])
  })
})

describe('a version', () => {
  test('is larger by one step, and stands for one public API', () => {
    expect([bumped('0.1.9', 'patch'), bumped('0.1.9', 'minor'), bumped('0.1.9', 'major')]).toEqual(['0.1.10', '0.2.0', '1.0.0'])
    expect(isCompatible('0.1.0', '0.1.10')).toBe(true)
    expect(isCompatible('0.1.0', '0.2.0')).toBe(false)
    expect(isCompatible('1.1.0', '1.2.0')).toBe(true)
    expect(isCompatible('1.9.0', '2.0.0')).toBe(false)
  })

  test('is set in all packages, in what they ask of each other, and in the templates', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'kikimimi-versions-'))
    try {
      const present = await presentVersion()
      const files = (await workspaces()).map(({ folder }) => `${folder}/package.json`)
      const templates = ['bot', 'plugin'].map(name => `packages/create-kikimimi/templates/${name}/package.json`)
      for (const file of ['package.json', ...files, ...templates]) await cp(join(root, file), join(copy, file))
      await setVersion(copy, '7.8.9')
      for (const file of [...files, ...templates]) {
        const text = await readFile(join(copy, file), 'utf8')
        const [before, after] = [await readFile(join(root, file), 'utf8'), text]
        const ours = /("(?:@kikimimi\/[\w-]+|(?:create-)?kikimimi)": "\^?)\d[\d.]+"/g
        const isTemplate = templates.includes(file)
        const expected = before
          .replaceAll(ours, '$17.8.9"')
          .replace(`"version": "${present}"`, `"version": "${isTemplate ? present : '7.8.9'}"`)
        expect(after, file).toBe(expected)
      }
    } finally {
      await rm(copy, { recursive: true })
    }
  })
})

test('the kernel is a peer of every package that imports it, so that a bot has one; dependencies are of the same release', async () => {
  const version = await presentVersion()
  const all = await workspaces()
  for (const { manifest } of all) {
    expect(manifest.dependencies?.kikimimi, manifest.name).toBeUndefined()
    for (const [name, range] of Object.entries(manifest.dependencies ?? {}))
      if (name.startsWith('@kikimimi/')) expect([manifest.name, name, range]).toEqual([manifest.name, name, version])
    const { kikimimi = `^${version}` } = manifest.peerDependencies ?? {}
    expect([manifest.name, kikimimi]).toEqual([manifest.name, `^${version}`])
  }
})

test('the changelog has the changes that users see, by area, the latest release first', () => {
  const subjects = ['slack, discord: show a typing sign', 'bench: fewer rounds', 'slack: answer in threads', 'Mend a word']
  const section = changelogSection('0.2.0', '2027-01-31', subjects)
  expect(section).toBe(`## 0.2.0 (2027-01-31)

### other

- Mend a word

### slack

- answer in threads

### slack, discord

- show a typing sign
`)
  const first = withSection('', changelogSection('0.1.0', '2027-01-01', []))
  expect(first).toBe('# Changelog\n\n## 0.1.0 (2027-01-01)\n\nNo change that users see.\n')
  expect(withSection(first, section)).toBe(`# Changelog\n\n${section}\n## 0.1.0 (2027-01-01)\n\nNo change that users see.\n`)
})

test('the table of compat has the first line of an error, not the end of its stack', async () => {
  const failing = await run(root, process.execPath, ['--input-type=module', '--eval', "import { missing } from 'node:fs'"])
  expect(failing.err).toMatch(/\n {4}at /)
  expect(reasonIn(failing.err)).toBe("SyntaxError: The requested module 'node:fs' does not provide an export named 'missing'")
  expect(reasonIn('npm start ended with 1:\n\nThere is no bot.config.ts.\n')).toBe('There is no bot.config.ts.')
})
