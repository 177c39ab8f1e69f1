/** Chat commands, as people see them. */
import { definePlugin } from 'kikimimi'
import { expect, test } from 'vitest'
import { type BotOnSlack, mention, overHttp, startOnSlack, startWithHttp, until } from './test-bot.ts'

/** The answer that only alice sees. */
async function give(on: BotOnSlack, text: string, channel = 'general'): Promise<string | undefined> {
  const before = on.slack.seen(channel).length
  await on.slack.command('alice', channel, '/kiki', text)
  await until(() => on.slack.seen(channel).length === before + 2)
  const [given, answer] = on.slack.seen(channel).slice(before)
  expect([given, answer]).toMatchObject([
    { author: 'alice', text: `/kiki ${text}`, onlyFor: 'alice' },
    { author: 'kiki', onlyFor: 'alice' },
  ])
  return answer?.text
}

/** Whether the bot answers bob. */
async function answers(on: BotOnSlack): Promise<boolean> {
  const before = on.texts().length
  const { ts } = await on.slack.say({ ...mention('hello'), author: 'bob' })
  await until(async () => (await on.bot.traces(1))[0]?.trigger === ts)
  await on.bot.drained()
  return on.texts().length > before
}

test.each([
  ['en', 'help', /^What you can tell me with \/kiki:/],
  ['ja', 'help', /^\/kiki に続けて使えるコマンド：/],
  ['en', 'status', /^I hear the messages in #general\./],
  ['ja', 'status', /^#general の会話を聞いています。/],
  ['en', 'why', /^I have not judged any message here yet\./],
] as const)('a command is answered to its author alone, %s: %s', async (locale, text, answer) => {
  await using on = await startOnSlack({ config: { locale } })
  expect(await give(on, text)).toMatch(answer)
  await on.bot.drained()
  expect(on.slack.posted).toEqual([])
  expect(on.turns).toEqual([])
})

test('also over HTTP', async () => {
  await using on = await startWithHttp({ plugin: overHttp })
  on.slack.deliverTo(`${on.address}/slack/events`)
  expect(await give(on, 'status')).toContain('I hear the messages in #general.')
})

test.each(['public', 'private'] as const)('in a %s channel without the bot', async kind => {
  await using on = await startOnSlack()
  on.slack.channel('lounge', kind).isMember = false
  expect(await give(on, 'status', 'lounge')).toContain('I do not listen here.')
})

/** A command for moderators of a channel. */
const hushing = definePlugin({
  name: 'hushing',
  setup: () => ({
    respond: () => ({ kind: 'text', text: 'yes' }),
    commands: [{ name: 'hush', does: { en: 'hushes', ja: '静かにする' }, permission: 'moderator', run: () => 'Hush.' }],
  }),
})

test.each([
  ['nobody in particular', {}, false],
  ['who made the channel', { madeIt: true }, false],
  ['an admin', { isAdmin: true }, true],
] as const)(
  'who may stop it: %s',
  async (_who, { madeIt = false, isAdmin = false }: { madeIt?: boolean; isAdmin?: boolean }, may) => {
    await using on = await startOnSlack({ responder: hushing() })
    const alice = on.slack.user('alice')
    alice.isAdmin = isAdmin
    if (madeIt) on.slack.channel('general').creator = alice.id
    expect(await give(on, 'hush')).toMatch(may || madeIt ? /^Hush\./ : /^That is for those who may manage this channel/)
    expect(await give(on, 'stop')).toMatch(may ? /^I am stopped/ : /^That is for those who may manage the whole workspace/)
    expect(await answers(on)).toBe(!may)
    if (!may) return
    expect(await give(on, 'start')).toBe('I may speak again.')
    expect(await answers(on)).toBe(true)
  },
)

test('in a direct conversation everybody may use it, for that conversation only', async () => {
  await using on = await startOnSlack()
  expect(await give(on, 'stop', '@alice')).toMatch(/^I am stopped/)
  expect(await give(on, 'status', '@alice')).toContain('STOPPED by alice')
  expect(await answers(on)).toBe(true)
})

test('a message of an admin stops the bot, and of no other person', async () => {
  await using on = await startOnSlack()
  on.slack.user('alice').isAdmin = true
  on.slack.channel('general').creator = on.slack.user('bob').id
  await on.slack.say({ ...mention('STOP'), author: 'bob' })
  expect(await answers(on)).toBe(true)
  await on.slack.say(mention('STOP'))
  expect(await answers(on)).toBe(false)
  await on.slack.say(mention('START'))
  await until(async () => answers(on))
})

test('other text is a public message to the bot', async () => {
  await using on = await startOnSlack()
  await on.slack.command('alice', 'general', '/kiki', 'why is the sky blue?')
  await until(() => on.texts().length > 0)
  expect(on.slack.seen('general')).toEqual([
    { author: 'alice', text: '/kiki why is the sky blue?' },
    { author: 'kiki', text: 'to why is the sky blue?' },
  ])
})
