/** The check of `kikimimi/testing` finds what a plugin tells the wrong people, and what it keeps of a forgotten person. */
import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import profiles from '@kikimimi/profiles'
import reply from '@kikimimi/reply'
import { definePlugin, MessageLog } from 'kikimimi'
import { checkPrivacy } from 'kikimimi/testing'
import { expect, test } from 'vitest'

test('plugins with a memory keep secrets', async () => {
  expect(await checkPrivacy([addressing(), facts(), profiles(), reply()], { rounds: 40 })).toEqual([])
})

test('a bot that never asks a model is not checked', async () => {
  expect(await checkPrivacy([addressing()], { rounds: 5 })).toEqual([
    expect.stringContaining('No turn of an outsider asks the model.'),
  ])
})

test('what is read for the operator, and given to everybody, is found', async () => {
  const gossip = definePlugin({
    name: 'gossip',
    needs: [MessageLog],
    setup: ctx => ({
      async context() {
        const [last] = await ctx.use(MessageLog).read({ readers: 'operator', people: true, channel: 'test/team/board', limit: 1 })
        return last && { place: 'other', title: 'Lately', text: last.text }
      },
    }),
  })
  expect(await checkPrivacy([addressing(), reply(), gossip()])).toEqual([
    expect.stringMatching(/^Other secrets change .*prompt in/),
    // The section names no sources, so the answers stay when the words are erased.
    expect.stringMatching(/^Words of a forgotten person are left in kikimimi\.message: /),
  ])
})

test('words that are kept without the hook forget are found', async () => {
  const diary = definePlugin({
    name: 'diary',
    migrations: new URL('./privacy/diary-migrations/', import.meta.url),
    setup: ctx => ({
      async filter({ text }) {
        await ctx.db.query('insert into diary.line (text) values ($1)', [text])
      },
    }),
  })
  const found = await checkPrivacy([addressing(), reply(), diary()], { rounds: 30 })
  expect(found).toEqual([expect.stringMatching(/^Words of a forgotten person are left in diary\.line: /)])
})
