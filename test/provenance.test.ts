/** What was made of a message goes with the message: facts, index, summaries at every level, answers of the bot, traces. */
import facts, { Facts } from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import remember from '@kikimimi/remember'
import { definePlugin, formatSections, type PluginContext } from 'kikimimi'
import { promptOf, scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { dump, findIn } from '../core/testing/privacy/dump.ts'
import { createConsolidation } from '../plugins/profiles/cards/consolidate.ts'
import { options } from '../plugins/profiles/options.ts'

/** Words and what the models make of them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  zanzibar: 'the spice island',
  quokka: 'a smiling marsupial',
  tuesday: 'the second weekday',
}
const SECRETS = ['zanzibar', 'spice island']

/** Repeats every word of the table that a prompt has, in other words. */
function paraphrase(prompt: string): string {
  const said = Object.entries(SYNONYMS).flatMap(([word, other]) =>
    prompt.toLowerCase().includes(word) || prompt.includes(other) ? other : [],
  )
  return said.length > 0 ? `It is about ${said.join(' and ')}.` : 'Nothing.'
}

const answerer = definePlugin({
  name: 'answerer',
  setup: ctx => ({
    decide: turn =>
      turn.addressed ? { kind: 'full', why: paraphrase(turn.history.map(({ text }) => text).join('\n')) } : undefined,
    respond: async (turn, _decision, { sections }) => {
      const seen = turn.history.map(({ author, text }) => `${author.name}: ${text}`).join('\n')
      const text = `${formatSections(sections, ctx.bot.locale)}\n\n${seen}`
      return { kind: 'text', text: await ctx.models.text('chat', { system: '', messages: [{ role: 'user', text }] }) }
    },
  }),
})

async function gossiping() {
  let running: PluginContext | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Facts],
    setup: ctx => {
      running = ctx
    },
  })
  const chat = scriptedModel(request => paraphrase(promptOf(request)))
  const summary = scriptedModel(request => {
    const text = paraphrase(promptOf(request))
    return { value: { summary: text, memory: text, mood: 'calm', topics: [] } }
  })
  const bot = await testBot({
    plugins: [
      remember(),
      memorySummary({ everyMinutes: 1, foldAfter: '30m', workspaceEvery: '1m' }),
      facts(),
      profiles(),
      answerer,
      borrower,
    ],
    models: { chat, summary },
    pacing: { minWait: '1s', jitter: 0 },
    storage: 'pglite',
  })
  return {
    bot,
    chat,
    ctx() {
      if (running) return running
      throw new Error('the bot has not started')
    },
  }
}

const found = async (bot: TestBot) => findIn(await dump(bot.db), SECRETS)

/** Where the words of a message go, or what is made of them. */
const PLACES: Readonly<Record<string, string>> = {
  'a fact': 'select content as text from facts.fact',
  'the message index': 'select l.text from facts.message m join kikimimi_v1.message l on l.seq = m.seq',
  'the summary of a channel': `select recent as text from memory_summary.memory where kind = 'channel'`,
  'its history': `select history as text from memory_summary.memory where kind = 'channel'`,
  'the summary of the workspace': `select recent || history as text from memory_summary.memory where kind = 'workspace'`,
  'a card': 'select text from profiles.card_line',
  'an answer': `select text from kikimimi_v1.message where own`,
  'a trace': 'select data::text as text from kikimimi.trace',
}

/** The places that have one of the secrets. */
async function holding(bot: TestBot): Promise<readonly string[]> {
  const places = await Promise.all(
    Object.entries(PLACES).map(async ([place, sql]) => {
      const { rows } = await bot.db.query<{ text: string }>(sql)
      const text = rows.map(row => row.text.toLowerCase()).join('\n')
      return SECRETS.some(secret => text.includes(secret)) ? [place] : []
    }),
  )
  return places.flat()
}

/** Talk in which the secret reaches everything that is made of messages. Returns the id of the message with the secret. */
async function talk(bot: TestBot, ctx: PluginContext): Promise<string> {
  await bot.say('bob', 'my quokka is ill', { channel: 'random' })
  const secret = await bot.say('alice', 'I am moving to Zanzibar')
  await ctx.use(Facts).add({
    conversation: {
      id: 'test/team/general',
      platform: 'test',
      workspace: 'team',
      channel: 'general',
      name: 'general',
      visibility: 'public',
    },
    content: 'alice moves to Zanzibar',
    kind: 'durable',
    people: ['alice'],
    sources: [{ message: secret, author: 'alice', quote: 'I am moving to Zanzibar' }],
  })
  await bot.say('bob', '@kiki what is new?')
  await bot.say('bob', 'the meeting is on tuesday')
  await bot.pass('3m')
  await bot.say('carol', '@kiki anything?', { channel: 'random' })
  // Recent events become history, and the answers leave the screen.
  await bot.pass('40m')
  await bot.say('carol', '@kiki where does alice move to, Zanzi?', { channel: 'random' })
  await bot.pass('3m')
  // The nightly run.
  await createConsolidation(ctx, { hold: async () => {} }, options.parse({}))(AbortSignal.timeout(60_000))
  return secret
}

describe('a message that is', () => {
  const ways: Readonly<Record<string, (bot: TestBot, message: string) => Promise<unknown>>> = {
    deleted: (bot, message) => bot.remove(message),
    edited: (bot, message) => bot.edit(message, 'I am moving away'),
    forgotten: bot => bot.say('alice', '@kiki forget me'),
    'edited after an opt-out': async (bot, message) => {
      await bot.say('alice', '@kiki don’t listen to me')
      await bot.edit(message, 'I am moving to Zanzibar, really')
    },
    'not to be remembered': async (bot, message) => {
      await bot.say('alice', 'please don’t remember that', { replyTo: { id: message } })
      // Its text leaves the log with the screen.
      await bot.pass('2h')
    },
  }
  for (const [how, go] of Object.entries(ways)) {
    test(`${how} leaves nothing, and what is made anew keeps the rest`, async () => {
      const { bot, chat, ctx } = await gossiping()
      await using _ = bot
      const secret = await talk(bot, ctx())
      expect(await holding(bot)).toEqual(Object.keys(PLACES))
      await go(bot, secret)
      await bot.pass('10m')
      expect(await holding(bot)).toEqual([])
      expect(await found(bot)).toEqual([])
      const asked = chat.asked.length
      for (const channel of ['general', 'random', 'other']) await bot.say('carol', '@kiki tell me all', { channel })
      for (const request of chat.asked.slice(asked))
        for (const word of SECRETS) expect(promptOf(request).toLowerCase()).not.toContain(word)
      expect(promptOf(chat.asked[asked])).toContain('the second weekday')
    })
  }
})

test('a closed channel leaves the memory of the workspace, and answers in other channels', async () => {
  const { bot, ctx } = await gossiping()
  await using _ = bot
  await talk(bot, ctx())
  await bot.say('dave', 'hello', { visibility: 'private' })
  await bot.pass('3m')
  const { rows } = await bot.db.query<{ text: string }>(
    `select recent || history as text from memory_summary.memory where kind = 'workspace'
     union all select text from kikimimi_v1.message where own and conversation like '%random'`,
  )
  expect(rows.map(({ text }) => text).join('\n')).not.toContain('spice island')
})
