import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appLink, manifest } from './manifest.ts'

test('the documentation shows the manifest', () => {
  const text = readFileSync(new URL('../../docs/slack.md', import.meta.url), 'utf8')
  const [, json = '{}'] = /^```json\n([\s\S]*?)^```$/m.exec(text) ?? []
  expect(JSON.parse(json)).toEqual(manifest('kiki'))
})

test('the documentation shows what several workspaces need in the manifest', () => {
  const text = readFileSync(new URL('../../docs/slack.md', import.meta.url), 'utf8')
  const [, lines = ''] = /```jsonc\n([\s\S]*?)```/.exec(text) ?? []
  const { oauth_config, settings } = manifest('kiki', 'https://your.domain')
  expect(JSON.parse(`{${lines}}`)).toEqual({
    oauth_config: { redirect_urls: oauth_config.redirect_urls },
    settings: { org_deploy_enabled: settings.org_deploy_enabled, token_rotation_enabled: settings.token_rotation_enabled },
  })
  expect(settings).toMatchObject({ org_deploy_enabled: true, token_rotation_enabled: true })
})

test('the manifest requests exactly the events that the bot uses', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(name => !/^testing\b|\.test\.ts$/.test(name))
  const source = files.map(name => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n')
  const listened = Array.from(source.matchAll(/bolt\.event\('(\w+)'/g), ([, event]) => event)
  const asked = manifest('kiki').settings.event_subscriptions.bot_events.map(event => event.replace(/^message\..*/, 'message'))
  expect([...new Set(asked)].sort()).toEqual(listened.sort())
})

test('the link contains the same manifest for any name', () => {
  const { searchParams } = new URL(appLink('聞き耳 & co'))
  expect(searchParams.get('new_app')).toBe('1')
  expect(JSON.parse(searchParams.get('manifest_json') ?? '')).toEqual(manifest('聞き耳 & co'))
})
