import { expect, test } from 'vitest'
import { definePlugin, type Turn } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

const ACCOUNTS = new Map([
  ['north', { id: 'north-bot', name: 'kiki' }],
  ['south', { id: 'south-bot', name: 'kiki' }],
])

/** A bot with an account of its own in each workspace. */
async function withAccounts() {
  const turns: Turn[] = []
  const answers = definePlugin({
    name: 'answers',
    setup: () => ({
      respond(turn) {
        turns.push(turn)
        return { kind: 'text', text: `to ${turn.message.text}` }
      },
    }),
  })
  const meIn = async ({ workspace }: { readonly workspace: string }) => ACCOUNTS.get(workspace) ?? { id: 'bot', name: 'kiki' }
  const bot = await testBot({ plugins: [answers], platform: { meIn } })
  return { bot, turns }
}

const mentions = (id: string) => [{ id, name: 'kiki' }]

test('a mention counts for the account of the workspace in which it is said', async () => {
  const { bot, turns } = await withAccounts()
  await using _ = bot
  await bot.say('alice', 'hello north', { workspace: 'north', mentions: mentions('north-bot') })
  await bot.say('alice', 'hello south', { workspace: 'south', mentions: mentions('north-bot') })
  await bot.say('alice', 'hello all', { workspace: 'north', mentions: mentions('bot') })
  expect(turns.map(({ addressed, me, message }) => [message.text, addressed, me.id])).toEqual([
    ['hello north', 'mention', 'north-bot'],
  ])
})

test('a message of the account is the bot’s own, and one of its account elsewhere is not', async () => {
  const { bot, turns } = await withAccounts()
  await using _ = bot
  await bot.say('north-bot', 'said in the north', { workspace: 'north' })
  await bot.say('north-bot', 'said in the south', { workspace: 'south', bot: true })
  await bot.say('alice', 'well?', { workspace: 'north', mentions: mentions('north-bot') })
  await bot.say('alice', 'well?', { workspace: 'north', mentions: mentions('north-bot') })
  await bot.say('alice', 'well?', { workspace: 'south', mentions: mentions('south-bot') })
  const seen = turns.map(({ history }) => history.map(({ author, own }) => [author.id, own]))
  expect(seen.at(-2)).toEqual([
    ['north-bot', true],
    ['alice', false],
    ['north-bot', true],
    ['alice', false],
  ])
  expect(seen.at(-1)).not.toContainEqual(['north-bot', true])
})
