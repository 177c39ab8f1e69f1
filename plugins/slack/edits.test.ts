/** Changes of messages: by their authors, and by Slack, which adds previews of links later. */
import { expect, test } from 'vitest'
import { ask, mention, startOnSlack, until } from './test-bot.ts'

const LINK = 'https://example.com/train'
const PREVIEW = {
  service_name: 'Example',
  title: 'Trains',
  text: 'The next one leaves at ten',
  from_url: LINK,
  fallback: 'Trains',
}

test.each([
  ['', {}],
  [', also when Slack does not tell what stood there before', { briefly: true }],
])('a preview that Slack adds later is part of the message%s', async (_name, how) => {
  await using on = await startOnSlack()
  const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: `look: <${LINK}>`, raw: true })
  await on.slack.unfurl('general', ts, [PREVIEW], how)
  await ask(on, 'what is behind it?')
  expect(on.turns[0]?.history[0]).toMatchObject({
    text: `look: ${LINK}`,
    parts: [{ kind: 'card', author: 'Example', title: 'Trains', text: 'The next one leaves at ten', url: LINK }],
  })
})

test('a preview neither interrupts an answer nor asks for a second one', async () => {
  await using on = await startOnSlack()
  const { promise: thought, resolve } = Promise.withResolvers<void>()
  on.answer(async () => {
    await thought
    return { kind: 'text', text: 'at ten' }
  })
  const { ts } = await on.slack.say({
    ...mention(`when? <${LINK}>`),
    text: `<@UKIKI> when? <${LINK}>`,
    mention: false,
    raw: true,
  })
  await until(() => on.turns.length === 1)
  await on.slack.unfurl('general', ts, [PREVIEW])
  expect(on.turns[0]?.signal.aborted).toBe(false)
  resolve()
  await until(() => on.texts().length === 1)
  await on.slack.unfurl('general', ts, [])
  await on.bot.drained()
  expect(on.texts()).toEqual(['at ten'])
})

test('a preview of a link of the bot leaves its message as it was', async () => {
  await using on = await startOnSlack()
  on.answer(() => ({ kind: 'text', text: `**See** [this](${LINK})` }))
  await on.slack.say(mention('one'))
  await until(() => on.texts().length === 1)
  await on.bot.drained()
  await on.slack.say(mention('two'))
  await until(() => on.texts().length === 2)
  await on.slack.unfurl('general', on.slack.posted[0]?.ts ?? '', [PREVIEW])
  await on.bot.drained()
  await on.slack.say(mention('three'))
  await until(() => on.turns.length === 3)
  const [before, after] = on.turns.slice(1).map(({ history }) => history.find(({ own }) => own))
  expect(after).toEqual(before)
})

test('an edit that adds a mention is answered', async () => {
  await using on = await startOnSlack({ config: { pacing: { minWait: 0, jitter: 0 } } })
  const { ts } = await on.slack.say({ author: 'alice', channel: 'general', text: 'when does it leave?' })
  await on.bot.drained()
  await on.slack.edit('general', ts, '<@UKIKI> when does it leave?')
  await until(() => on.texts().length === 1)
  expect(on.turns[0]).toMatchObject({ addressed: 'mention', message: { mentions: [{ id: 'UKIKI', name: 'kiki' }] } })
  expect(on.texts()).toEqual(['to when does it leave?'])
})

test('a count of replies is no edit', async () => {
  await using on = await startOnSlack()
  const { promise: thought, resolve } = Promise.withResolvers<void>()
  on.answer(async () => {
    await thought
    return { kind: 'text', text: 'at ten' }
  })
  const { ts } = await on.slack.say(mention('when?'))
  await until(() => on.turns.length === 1)
  await on.slack.say({ author: 'bob', channel: 'general', text: 'late, surely', thread: ts })
  const same = { channel: 'CGENERAL', channel_type: 'channel' as const, ts, text: '<@UKIKI> when?', user: 'UALICE', event_ts: ts }
  const message = { ...same, type: 'message' as const, subtype: undefined, reply_count: 1, latest_reply: ts }
  await on.slack.event({ ...same, type: 'message', subtype: 'message_changed', hidden: true, message })
  expect(on.turns[0]?.signal.aborted).toBe(false)
  resolve()
  await until(() => on.texts().length === 1)
})
