/** Each plugin starts with the settings of its manifest, and with none of them less. docs/reference.test.ts compares the other fields. */
import { newKey } from '@kikimimi/backup'
import type { BotConfig, PluginFactory } from 'kikimimi'
import { inspect } from 'kikimimi/host'
import { silentLog } from 'kikimimi/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PLUGIN_PACKAGES } from '../plugin-packages.ts'
import { setUpAlone } from '../set-up-alone.ts'
import { manifestOf, type PluginManifest } from './manifest.ts'
import { packageIn } from './project.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Values of the right form. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ DISCORD_TOKEN: 'a-token', TELEGRAM_TOKEN: '1:a-token', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' },
  ...{ BACKUP_KEY: (await newKey()).secret, host: '127.0.0.1', channels: ['#general'] },
  ...{ MATRIX_TOKEN: 'a-token', homeserver: 'http://127.0.0.1', adapters: [{ use: class {} }] },
}

function manifestFor(name: string): PluginManifest {
  const found = packageIn(import.meta.dirname, name)
  if (!found) throw new Error(`${name} is no workspace.`)
  return manifestOf(found)
}

/** The mistakes of a bot with this plugin, which gets these settings. */
async function mistakesOf(name: string, { export: exported, settings }: PluginManifest): Promise<readonly string[]> {
  const { [exported]: factory }: Record<string, PluginFactory<unknown>> = await import(name)
  if (!factory) throw new Error(`${name} has no export ${exported}.`)
  for (const { env } of settings) if (env) vi.stubEnv(env, String(VALUES[env]))
  const own = settings.filter(({ env }) => !env).map(({ option }) => [option, VALUES[option]])
  const config: BotConfig = {
    persona: { name: 'kiki' },
    plugins: [factory(own.length > 0 ? Object.fromEntries(own) : undefined)],
  }
  const { plan, mistakes } = await inspect(config, undefined)
  if (!plan) return mistakes.filter(({ code }) => code === 'OPTIONS_INVALID').map(({ message }) => message)
  // A plugin that asks for nothing has no mistakes in its options; set up, it may look for its server.
  if (!asking.includes(name)) return []
  return setUpAlone(plan, { log: silentLog, env: process.env }).then(
    () => [],
    (error: Error) => [error.message],
  )
}

const asking = PLUGIN_PACKAGES.filter(name => manifestFor(name).settings.length > 0)

test.each(PLUGIN_PACKAGES)('%s starts with the settings that it asks for', async name => {
  expect(await mistakesOf(name, manifestFor(name))).toEqual([])
})

test('plugins ask for something', () => {
  expect(asking).toContain('@kikimimi/telegram')
})

describe.each(asking)('%s', name => {
  const manifest = manifestFor(name)
  test.each(manifest.settings)('does not start without $option', async left => {
    const settings = manifest.settings.filter(one => one !== left)
    const mistakes = await mistakesOf(name, { ...manifest, settings })
    expect(mistakes.join()).toContain(left.env ?? left.option)
  })
})

test('a manifest cannot write lines or code of its own', () => {
  const json = (kikimimi: unknown) => ({
    name: 'a',
    version: '1.0.0',
    description: '',
    keywords: [],
    peerDependencies: {},
    kikimimi,
  })
  const setting = { option: 'key', env: 'KEY', description: 'Key.\nNODE_OPTIONS=--import=./evil.js\u001b[2J' }
  expect(manifestOf(json({ name: 'a', settings: [setting] })).settings[0]?.description).toBe(
    'Key. NODE_OPTIONS=--import=./evil.js [2J',
  )
  for (const wrong of [
    { export: 'a } from "b"; evil(); //' },
    { settings: [{ ...setting, option: 'key: evil()' }] },
    { settings: [{ ...setting, env: 'A=1\nB' }] },
  ]) {
    expect(() => manifestOf(json({ name: 'a', ...wrong }))).toThrow(expect.objectContaining({ code: 'PLUGIN_PACKAGE' }))
  }
})
