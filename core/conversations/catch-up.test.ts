import { expect, test } from 'vitest'
import { type App, definePlugin, type IncomingMessage, type Turn } from '../plugin.ts'
import { testBot } from '../testing/test-bot.ts'

const NOON = new Date('2026-01-05T12:00:00Z')

function said(id: string, channel: string, minutesAgo: number, text: string): IncomingMessage {
  return {
    id,
    conversation: { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' },
    author: { id: 'alice', name: 'alice' },
    text,
    at: new Date(NOON.getTime() - minutesAgo * 60_000),
    mentions: text.includes('@kiki') ? [{ id: 'bot', name: 'kiki' }] : [],
  }
}

/** A plugin that answers, and what the bot lent it. */
function withApp(turns: Turn[] = []) {
  const lent: App[] = []
  const plugin = definePlugin({
    name: 'test',
    setup(app) {
      lent.push(app)
      return {
        respond(turn) {
          turns.push(turn)
          return { kind: 'text', text: `answer to ${turn.message.id}` }
        },
      }
    },
  })
  return { plugin, bookmark: async () => lent[0]?.bookmark('test') }
}

test('what was said in an absence is read in every channel, also where the bot had never heard anybody', async () => {
  const turns: Turn[] = []
  const { plugin, bookmark } = withApp(turns)
  const past = [
    said('g1', 'general', 30, 'good morning'),
    said('n1', 'new', 40, '@kiki before the absence'),
    said('g2', 'general', 20, '@kiki too long ago'),
    said('g3', 'general', 5, '@kiki a moment ago'),
    said('n2', 'new', 15, 'a word'),
    said('n3', 'new', 5, '@kiki and here?'),
  ]
  await using bot = await testBot({ plugins: [plugin], platform: { past }, at: new Date(NOON.getTime() - 30 * 60_000) })
  await bot.say('alice', 'good morning', { id: 'g1' })
  const readOn = await bookmark()
  await bot.pass('30m')
  await readOn?.()
  await bot.pass('1m')
  expect(bot.sent).toEqual(['answer to g3', 'answer to n3'])
  expect(turns.map(({ history }) => history.filter(({ own }) => !own).map(({ id }) => id))).toEqual([
    ['g1', 'g2', 'g3'],
    ['n2', 'n3'],
  ])
})

test('a bot that has heard nothing yet has missed nothing', async () => {
  const { plugin, bookmark } = withApp()
  await using bot = await testBot({ plugins: [plugin], platform: { past: [said('g1', 'general', 1, '@kiki')] }, at: NOON })
  await (await bookmark())?.()
  await bot.pass('1m')
  expect(await bot.traces()).toEqual([])
})
