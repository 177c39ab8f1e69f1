import { access, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { called } from '../testing/command.ts'
import { startRegistry } from '../testing/registry.ts'
import { versionFor } from '../upgrade/packages.ts'
import { keptFolder, swap } from '../upgrade/swap.ts'
import { trialOf } from '../upgrade/trial.ts'

const root = join(import.meta.dirname, '../../..')

test('a bot that npm has not installed from a registry is refused with what to do', async () => {
  const { code, err } = await called(['upgrade', '--dry-run'], { cwd: root })
  expect([code, err]).toEqual([
    1,
    'This bot runs from a checkout of kikimimi, which git upgrades.\nThe installed version and the files of the bot are as before.\n',
  ])
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-upgrade-'))
  const bare = await called(['upgrade'], { cwd: folder.path })
  expect(bare.err).toContain('has no package.json with an installed kikimimi. Run npm install in the folder of the bot.')
})

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a missing version and a registry without an answer get different errors', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-upgrade-'))
  {
    await using registry = await startRegistry(folder.path)
    for (const [name, value] of Object.entries(registry.env)) vi.stubEnv(name, value)
    await expect(versionFor(folder.path, '0.1.0')).rejects.toThrow('The registry does not have kikimimi.')
    await registry.publish({ name: 'kikimimi', version: '0.2.0' })
    expect(await versionFor(folder.path, '0.1.0')).toBe('0.2.0')
    await expect(versionFor(folder.path, '0.1.0', '0.3.0')).rejects.toThrow('does not have a version "0.3.0" of kikimimi.')
    await expect(versionFor(folder.path, '0.2.1')).rejects.toThrow('0.2.0 is older than 0.2.1.')
  }
  vi.stubEnv('npm_config_cache', join(folder.path, 'empty'))
  await expect(versionFor(folder.path, '0.1.0')).rejects.toThrow(/^The registry http.* gave no answer: .*ECONNREFUSED/)
})

describe('the folder of a bot', () => {
  const texts = async (folder: string, ...paths: string[]) => Promise.all(paths.map(path => readFile(join(folder, path), 'utf8')))

  async function botIn(folder: string): Promise<void> {
    for (const path of ['node_modules/kikimimi', 'plugins/own/node_modules', 'data', '.git'])
      await mkdir(join(folder, path), { recursive: true })
    for (const path of ['package.json', 'node_modules/kikimimi/index.js', 'plugins/own/index.ts', 'data/PG_VERSION', '.env'])
      await writeFile(join(folder, path), `old ${path}`)
    await writeFile(join(folder, 'video.bin'), Buffer.alloc(2 ** 20 + 1))
  }

  test('is copied for the trial, without packages and with links to its data, and nothing stays', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-upgrade-'))
    await botIn(folder.path)
    const before = (await readdir(folder.path)).sort()
    {
      await using trial = await trialOf(folder.path)
      const copied = await readdir(trial.bot, { recursive: true, withFileTypes: true })
      expect(copied.map(one => `${one.name}${one.isSymbolicLink() ? ' (link)' : ''}`).sort()).toEqual(
        ['.env', 'data (link)', 'index.ts', 'own', 'package.json', 'plugins', 'video.bin (link)'].sort(),
      )
      expect(await texts(trial.bot, 'data/PG_VERSION')).toEqual(['old data/PG_VERSION'])
    }
    expect((await readdir(folder.path)).sort()).toEqual(before)
  })

  test('is as before when the new version does not work in its place, and changes when it does', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-upgrade-'))
    await botIn(folder.path)
    await using trial = await trialOf(folder.path)
    await mkdir(join(trial.bot, 'node_modules/kikimimi'), { recursive: true })
    for (const path of ['package.json', 'package-lock.json', 'node_modules/kikimimi/index.js'])
      await writeFile(join(trial.bot, path), `new ${path}`)
    const kept = await keptFolder(folder.path, '0.2.0')
    const change = {
      ...{ folder: folder.path, trial: trial.bot, kept, files: ['package.json', 'package-lock.json'] },
      packages: ['node_modules', 'plugins/own/node_modules'],
    }
    const paths = ['package.json', 'node_modules/kikimimi/index.js']
    const failing = swap(change, async () => {
      expect(await texts(folder.path, ...paths)).toEqual(paths.map(path => `new ${path}`))
      throw new Error('it does not start')
    })
    await expect(failing).rejects.toThrow('it does not start')
    expect(await texts(folder.path, ...paths)).toEqual(paths.map(path => `old ${path}`))
    await expect(access(join(folder.path, 'package-lock.json'))).rejects.toThrow('ENOENT')
    await access(join(folder.path, 'plugins/own/node_modules'))

    await swap(change, async () => {})
    expect(await texts(folder.path, ...paths)).toEqual(paths.map(path => `new ${path}`))
    expect(await texts(kept, 'package.json')).toEqual(['old package.json'])
    expect(await keptFolder(folder.path, '0.2.0')).toBe(`${kept}-2`)
  })
})
