/** The bot itself keeps opt-outs: they hold without the plugin that people asked. */
import facts from '@kikimimi/facts'
import profiles, { type ProfileStore, Profiles } from '@kikimimi/profiles'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'

async function optedOut() {
  let people: ProfileStore | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Profiles],
    setup: ctx => {
      people = ctx.use(Profiles)
    },
  })
  const others = [facts(), profiles(), reply(), borrower()]
  const bot = await testBot({ storage: 'pglite', plugins: [remember(), ...others] })
  const old = await bot.say('bob', 'the key is under the pot')
  await bot.say('alice', "@kiki don't listen to me")
  await bot.pass('2m')
  expect((await bot.reload({ plugins: others })).stopped).toEqual(['remember'])
  const log = async () => {
    const { rows } = await bot.db.query(
      `select author_id, text, reactions, being_forgotten from kikimimi_v1.message where deleted_at is null and not own order by seq`,
    )
    return rows
  }
  return {
    bot,
    old,
    others,
    log,
    link: (a: string, b: string) => people?.link({ platform: 'test', id: a }, { platform: 'test', id: b }),
  }
}

const KEY = { author_id: 'bob', text: 'the key is under the pot', reactions: [], being_forgotten: false }

test('an opt-out holds without the plugin remember, after a restart, and for an account that is linked then', async () => {
  const { bot, old, log, link, others } = await optedOut()
  await using _ = bot
  const work = await bot.say('alice-at-work', 'my desk is in room 4')
  await bot.restart()
  await bot.say('alice', 'my safe opens with 4711')
  await bot.react('alice', old, '👍')
  expect(await log()).toMatchObject([KEY, { author_id: 'alice-at-work', being_forgotten: false }])

  await link('alice-at-work', 'alice')
  expect(await log()).toMatchObject([KEY, { author_id: 'alice-at-work', being_forgotten: true }])
  await bot.say('alice-at-work', '@kiki what time is it?')
  await bot.edit(work, 'my desk is in room 4711')
  await bot.react('alice-at-work', old, '👍')
  await bot.pass('10m')
  expect(await log()).toEqual([KEY])
  expect(bot.sent.filter(text => text.includes('room'))).toEqual([])

  await bot.reload({ plugins: [remember(), ...others] })
  await bot.say('alice', '@kiki listen to me again')
  await bot.say('alice', 'the sun shines')
  expect(await log()).toContainEqual({ author_id: 'alice', text: 'the sun shines', reactions: [], being_forgotten: false })
})

test('a message that comes before the process knows of the opt-out is left out', async () => {
  const { bot, log } = await optedOut()
  await using _ = bot
  await bot.say('dave', 'good morning')
  // As another process does, whose notification is still on its way.
  await bot.db.query(`insert into kikimimi.opt_out (platform, person, since) values ('test', 'carol', $1)`, [
    new Date(bot.clock.now()),
  ])
  await bot.say('carol', 'my safe opens with 4711')
  await bot.say('dave', '@kiki where is the safe?')
  await bot.pass('10m')
  expect(await log()).toMatchObject([
    KEY,
    { author_id: 'dave' },
    { author_id: 'carol', text: '', being_forgotten: true },
    { author_id: 'dave' },
  ])
  expect(bot.sent.join()).not.toContain('4711')
  const { rows } = await bot.db.query('select seq from facts.message where author = $1', ['carol'])
  expect(rows).toEqual([])
})
