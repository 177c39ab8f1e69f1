/** What the kernel keeps over a restart, with the database under test. */
import { expect, it } from 'vitest'
import { type Decision, definePlugin, type PluginHooks } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

const storage = 'pglite'

const plug = (name: string, hooks: PluginHooks) => definePlugin({ name, setup: () => hooks })
const echo = plug('echo', {
  respond: ({ messages }) => ({ kind: 'text', text: `re: ${messages.map(({ text }) => text).join(' + ')}` }),
})
const decides = (decision: Decision) => plug('decider', { decide: ({ addressed }) => (addressed ? undefined : decision) })

it('a message that is delivered twice is answered once, after a restart too', async () => {
  await using bot = await testBot({ storage, plugins: [echo] })
  await bot.say('alice', '@kiki hello', { id: 'same' })
  await bot.say('alice', '@kiki hello', { id: 'same' })
  await bot.restart()
  await bot.say('alice', '@kiki hello', { id: 'same' })
  await bot.pass('10m')
  expect(bot.sent).toHaveLength(1)
})

it('a message that had not been judged is judged after a restart', async () => {
  await using bot = await testBot({ storage, plugins: [decides({ kind: 'full', why: 'test' }), echo] })
  await bot.say('alice', 'anybody?')
  await bot.restart()
  await bot.pass('10s')
  expect(bot.sent).toEqual(['re: anybody?'])
})

it('a delayed answer survives a restart, and its responder learns which plugin decided', async () => {
  const seen: (string | undefined)[] = []
  const listens = plug('listens', { respond: (_turn, { plugin }) => void seen.push(plugin) })
  const later = decides({ kind: 'full', why: 'later', delayMs: 60_000 })
  await using bot = await testBot({ storage, plugins: [later, listens, echo] })
  await bot.say('alice', 'anybody?')
  await bot.pass('10s')
  await bot.restart()
  await bot.pass('2m')
  expect(bot.sent).toEqual(['re: anybody?'])
  expect(seen).toEqual(['decider'])
})
