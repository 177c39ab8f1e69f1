import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NEEDED, WANTED } from './scopes.ts'

const [, json = '{}'] =
  /^```json\n([\s\S]*?)^```$/m.exec(readFileSync(new URL('../../docs/slack.md', import.meta.url), 'utf8')) ?? []
const manifest = JSON.parse(json)

test('the manifest asks for every scope that the bot wants', () => {
  expect(manifest.oauth_config.scopes.bot).toEqual(expect.arrayContaining([...NEEDED, ...Object.keys(WANTED)]))
})

test('the manifest asks for every event that the bot listens to', () => {
  const listened = Array.from(
    readFileSync(new URL('./listen.ts', import.meta.url), 'utf8').matchAll(/bolt\.event\('(\w+)'/g),
    ([, event]) => event,
  )
  const asked = manifest.settings.event_subscriptions.bot_events.map((event: string) => event.replace(/^message\..*/, 'message'))
  expect([...new Set(asked)].sort()).toEqual(listened.sort())
})
