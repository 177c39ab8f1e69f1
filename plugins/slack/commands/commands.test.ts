/** Slash commands, as people see them. */
import { expect, test } from 'vitest'
import { changed, overHttp, overSocket, startOnSlack, startWithHttp, until } from '../test-bot.ts'

const ASKED = { author: 'alice', text: '/kiki what time is it?' }
const ANSWERED = { author: 'kiki', text: 'to what time is it?' }

test('a command is a message to the bot: everybody sees the question and one answer', async () => {
  await using on = await startOnSlack()
  await on.slack.command('alice', 'general', '/kiki', 'what time is it?')
  await until(() => on.texts().length > 0)
  await on.bot.drained()
  expect(on.slack.seen('general')).toEqual([ASKED, ANSWERED])
  expect(on.turns[0]).toMatchObject({ addressed: 'mention', message: { text: 'what time is it?', author: { name: 'alice' } } })
})

test('over HTTP it is a form, and works the same', async () => {
  await using on = await startWithHttp({ plugin: overHttp })
  on.slack.deliverTo(`${on.address}/slack/events`)
  await on.slack.command('alice', 'general', '/kiki', 'what time is it?')
  await until(() => on.texts().length > 0)
  await on.bot.drained()
  expect(on.slack.seen('general')).toEqual([ASKED, ANSWERED])
})

test('a command that could not be stored shows an error, and can be repeated', async () => {
  let failures = 1
  await using on = await startOnSlack({
    plugin: slack =>
      changed(overSocket(slack), ({ receive }) => ({
        receive: message => (failures-- > 0 ? Promise.reject(new Error('the database is busy')) : receive(message)),
      })),
  })
  await on.slack.command('alice', 'general', '/kiki', 'what time is it?')
  expect(on.slack.seen('general')).toMatchObject([
    { author: 'slackbot', text: expect.stringContaining('failed'), onlyFor: 'alice' },
  ])
  await on.slack.command('alice', 'general', '/kiki', 'what time is it?')
  await until(() => on.texts().length > 0)
  expect(on.slack.seen('general').slice(1)).toEqual([ASKED, ANSWERED])
})

test.each(['public', 'private'] as const)('in a %s channel without the bot it is answered too', async kind => {
  await using on = await startOnSlack()
  on.slack.channel('lounge', kind).isMember = false
  await on.slack.command('alice', 'lounge', '/kiki', 'what time is it?')
  await until(() => on.slack.seen('lounge').length === 2)
  await on.bot.drained()
  expect(on.slack.seen('lounge')).toEqual([ASKED, ANSWERED])
  expect(on.slack.posted).toEqual([])
})

test('there a long answer comes in all its parts', async () => {
  await using on = await startOnSlack()
  const words = Array.from({ length: 1_500 }, (_, index) => `word${index}`)
  on.answer(() => ({ kind: 'text', text: words.join(' ') }))
  on.slack.channel('lounge').isMember = false
  await on.slack.command('alice', 'lounge', '/kiki', 'tell me all')
  await until(() => on.slack.seen('lounge').some(({ text }) => text.includes('word1499')))
  const [, ...parts] = on.slack.seen('lounge').map(({ text }) => text)
  expect(parts.join(' ').split(' ')).toEqual(words)
})

test('there the bot records its answers', async () => {
  await using on = await startOnSlack()
  on.slack.channel('lounge').isMember = false
  await on.slack.command('alice', 'lounge', '/kiki', 'one')
  await until(() => on.slack.seen('lounge').length === 2)
  await on.slack.command('alice', 'lounge', '/kiki', 'two')
  await until(() => on.slack.seen('lounge').length === 4)
  expect(on.turns[1]?.history.map(({ text, own }) => [text, own])).toEqual([
    ['one', false],
    ['to one', true],
    ['two', false],
  ])
})

test('there an answer with an unknown result is not posted twice', async () => {
  await using on = await startOnSlack()
  on.slack.channel('lounge').isMember = false
  on.slack.fail('response_url', { reset: true, done: true })
  await on.slack.command('alice', 'lounge', '/kiki', 'what time is it?')
  await until(() => on.log.some(line => line.includes('could not send')))
  await on.bot.drained()
  expect(on.slack.seen('lounge')).toEqual([ASKED, ANSWERED])
})

test('an answer that Slack no longer accepts is reported as lost, with the remedy', async () => {
  await using on = await startOnSlack()
  on.slack.channel('lounge').isMember = false
  on.slack.fail('response_url', { status: 404 })
  await on.slack.command('alice', 'lounge', '/kiki', 'what time is it?')
  await until(() => on.log.some(line => line.includes('HTTP 404. Invite the bot to the channel: /invite @bot')))
  await on.bot.drained()
  expect(on.slack.seen('lounge')).toEqual([ASKED])
})

test('other answers go to the channel, or are not sent', async () => {
  await using on = await startOnSlack()
  on.slack.channel('lounge').isMember = false
  await on.slack.command('alice', 'lounge', '/kiki', 'one')
  await until(() => on.slack.seen('lounge').length === 2)
  await on.slack.join('lounge')
  on.answer(async () => {
    await on.slack.leave('lounge')
    return { kind: 'text', text: 'too late' }
  })
  await on.slack.say({ author: 'bob', channel: 'lounge', text: 'two', mention: true })
  await until(() => on.log.some(line => line.includes('not_in_channel')))
  await on.bot.drained()
  expect(on.slack.seen('lounge').map(({ text }) => text)).toEqual(['/kiki one', 'to one', '<@UKIKI> two'])
})
