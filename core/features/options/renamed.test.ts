import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { definePlugin, type Plugin } from '../../api/index.ts'
import { startBot } from '../../bot/bot.ts'
import { planOf } from '../../bot/plan.ts'
import { openTestDatabase, testBot, testPlatform, VirtualClock } from '../../testing/index.ts'
import { withSettings } from '../settings-file/define-bot.ts'

const volume = z.number().default(3)

/** A release that calls the option `loudness`, which was `volume`. */
const telling = (options = z.strictObject({ loudness: volume.meta({ renamedFrom: 'volume' }) })) =>
  definePlugin({
    name: 'telling',
    options: options.prefault({}),
    scoped: ['loudness'],
    setup: ctx => ({
      respond: ({ conversation }) => ({ kind: 'text', text: String(ctx.optionsFor(conversation).loudness) }),
    }),
  })
const former: object = { volume: 5 }
const told = 'the option "volume" is called "loudness" now. Rename it.'

describe('the former name of an option', () => {
  test('is refused with the present one, for all places', async () => {
    const plugin = { ...telling()(former), overrides: { channels: { dev: { volume: 1 } } } }
    await expect(testBot({ plugins: [plugin] })).rejects.toThrow(
      `bot.config.ts is invalid:\n  - [telling] ${told}\n  - [telling] in the channel "dev": ${told}`,
    )
  })

  test('is refused by a schema that ignores unknown names', async () => {
    const loose = telling(z.object({ loudness: volume.meta({ renamedFrom: 'volume' }) }))
    await expect(testBot({ plugins: [loose(former)] })).rejects.toThrow(`[telling] ${told}`)
  })

  test('is refused in bot.settings.json', async () => {
    const file = { plugins: { telling: { options: { volume: 5 }, channels: { dev: { volume: 1 } } } } }
    const config = withSettings({ persona: { name: 'kiki' }, plugins: [telling()()] }, file)
    await expect(planOf(config, undefined)).rejects.toThrow(
      `bot.settings.json is invalid:\n  - [telling] ${told}\n  - [telling] in the channel "dev": ${told}`,
    )
  })

  test('is replaced in what was set in the chat', async () => {
    await using scope = new AsyncDisposableStack()
    const db = scope.adopt(await openTestDatabase(), opened => opened.close())
    const clock = new VirtualClock(new Date('2026-03-02T09:00:00Z'))
    const place = 'test/team/dev'
    const earlier = definePlugin({
      name: 'telling',
      options: z.strictObject({ volume }).prefault({}),
      scoped: ['volume'],
      setup: () => {},
    })
    const start = (plugin: Plugin) =>
      startBot(
        { persona: { name: 'kiki' }, plugins: [plugin] },
        { db, clock, supervise: false, platforms: [testPlatform({ me: { id: 'bot', name: 'kiki' } })], env: {} },
      )
    const old = scope.use(await start(earlier()))
    await old.settings.set({ place, plugin: 'telling', key: 'volume', value: 9, by: { id: 'bob', name: 'bob' } })
    await old.stop()
    const bot = scope.use(await start(telling()()))
    expect(bot.settings.list(place)).toEqual([
      { place, plugin: 'telling', key: 'loudness', value: 9, by: { id: 'bob', name: 'bob' }, at: new Date(clock.now()) },
    ])
  })
})
