/** The first start: without a key, with the default plugins. */
import facts, { Facts } from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { conversationId, definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import proactive from './index.ts'
import { CAMPING } from './test-bot.ts'

test.each([
  ['en', /^By the way, I remember this: 2 days ago, dave: “erin bought a tent for camping in the mountains”$/],
  ['ja', /^そういえば、こんな話がありました。2日前, dave: “林さんはキャンプに夢中で、焚き火台を買った”$/],
] as const)('the offline model brings it up, in %s', async (locale, said) => {
  const { fact, opener } = CAMPING[locale]
  const place = { platform: 'test', workspace: 'team', channel: 'random', name: 'random', visibility: 'public' } as const
  const told = definePlugin({
    name: 'told',
    needs: [Facts],
    setup: ctx => ({
      after: async ({ message }) => {
        if (message.author.id !== 'dave') return
        const conversation = { ...place, id: conversationId(place) }
        const sources = [{ message: 'x1', author: 'dave' }]
        await ctx.use(Facts).add({ conversation, content: fact, shareable: true, sources })
      },
    }),
  })
  await using bot = await testBot({ plugins: [facts(), told, proactive(), judgeRules(), reply()], locale })
  await bot.say('dave', 'hi')
  await bot.pass('2d')
  await bot.say('alice', opener)
  await bot.pass('1m')
  expect(bot.sent).toEqual([expect.stringMatching(said)])
  // A quote of the bot is no answer to the next question.
  await bot.say('alice', locale === 'en' ? '@kiki who said that about camping?' : '@kiki キャンプの話、誰がしてた？')
  expect(bot.sent.at(-1)).not.toContain(locale === 'en' ? 'By the way' : 'そういえば')
})
