/** Reactions. */
import type { Message } from 'kikimimi'
import { expect, test } from 'vitest'
import { ask, type BotOnSlack, mention, startOnSlack, until } from './test-bot.ts'

/** The state of a message in the next turn. */
async function known(on: BotOnSlack, id: string): Promise<Message | undefined> {
  await ask(on, `what of ${id}?`)
  return on.turns.at(-1)?.history.find(message => message.id === id)
}

test('a reaction is recorded with its person, without a turn', async () => {
  await using on = await startOnSlack()
  const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: 'we did it' })
  await on.slack.react('alice', 'general', ts, '+1')
  await on.slack.react('carol', 'general', ts, '+1')
  await on.slack.react('carol', 'general', ts, 'party_parrot')
  expect((await known(on, ts))?.reactions).toEqual([
    { emoji: '👍', by: ['UALICE', 'UCAROL'] },
    { emoji: ':party_parrot:', by: ['UCAROL'] },
  ])
  expect(on.turns).toHaveLength(1)
})

test('a removed reaction is gone', async () => {
  await using on = await startOnSlack()
  const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: 'we did it' })
  await on.slack.react('alice', 'general', ts, 'heart')
  await on.slack.react('carol', 'general', ts, 'heart')
  await on.slack.unreact('alice', 'general', ts, 'heart')
  expect((await known(on, ts))?.reactions).toEqual([{ emoji: '❤️', by: ['UCAROL'] }])
})

test('reactions of the bot are recorded too', async () => {
  await using on = await startOnSlack()
  on.answer(turn => ({ kind: 'reaction', emoji: '👀', to: turn.message.id }))
  const { ts } = await on.slack.say(mention('look'))
  await until(() => on.slack.reactions.length === 1)
  on.answer(turn => ({ kind: 'text', text: `to ${turn.message.text.replace(/^@kiki /, '')}` }))
  expect((await known(on, ts))?.reactions).toEqual([{ emoji: '👀', by: ['UKIKI'] }])
})

test('in a thread they belong to the message there', async () => {
  await using on = await startOnSlack()
  const { ts: thread } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a topic' })
  const { ts } = await on.slack.say({ author: 'alice', channel: 'general', text: 'a thought', thread })
  await on.slack.react('bob', 'general', ts, 'bulb')
  await on.slack.say({ ...mention('what of it?'), thread })
  await until(() => on.turns.length === 1)
  expect(on.turns[0]?.history[0]).toMatchObject({ text: 'a thought', reactions: [{ emoji: '💡', by: ['UBOB'] }] })
})

test('a reaction that is delivered twice counts once', async () => {
  await using on = await startOnSlack()
  const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: 'we did it' })
  await on.slack.react('alice', 'general', ts, 'tada')
  await on.slack.redeliver()
  expect((await known(on, ts))?.reactions).toEqual([{ emoji: '🎉', by: ['UALICE'] }])
})
