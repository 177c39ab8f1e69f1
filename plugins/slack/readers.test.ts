/** Who reads a channel: shared channels, guests, threads. */
import { expect, test } from 'vitest'
import { ask, mention, startOnSlack, until } from './test-bot.ts'

type On = Awaited<ReturnType<typeof startOnSlack>>
const latest = ({ turns }: On) => turns.at(-1)?.conversation.readers

async function asked(on: On, said: Partial<Parameters<On['slack']['say']>[0]> = {}) {
  const before = on.turns.length
  await on.slack.say({ ...mention('and?'), ...said })
  await until(() => on.turns.length > before)
  return on.turns.at(-1)?.conversation
}

test('a channel that is shared with another organization, from the event on until its end', async () => {
  await using on = await startOnSlack()
  await ask(on, 'before')
  expect(latest(on)).toBeUndefined()
  await on.slack.connect('general')
  expect(await asked(on)).toMatchObject({ visibility: 'public', readers: { outsiders: true } })
  await on.slack.disconnect('general')
  expect((await asked(on))?.readers).toBeUndefined()
})

test('a shared channel without an event: the next message tells it', async () => {
  await using on = await startOnSlack()
  await ask(on, 'before')
  await on.slack.connect('general', { quietly: true })
  expect((await asked(on))?.readers).toEqual({ outsiders: true })
})

test('a guest in a channel, and in a direct conversation', async () => {
  await using on = await startOnSlack()
  await ask(on, 'before')
  await on.slack.invite('gus', 'general')
  expect((await asked(on))?.readers).toEqual({ outsiders: true })
  expect(await asked(on, { author: 'gus', channel: '@gus', text: 'and here?' })).toMatchObject({
    visibility: 'direct',
    readers: { outsiders: true },
  })
  expect((await asked(on, { author: 'alice', channel: '@alice', text: 'and me?' }))?.readers).toBeUndefined()
})

test('a guest who speaks in a channel', async () => {
  await using on = await startOnSlack()
  on.slack.user('gus').isGuest = true
  expect((await asked(on, { author: 'gus' }))?.readers).toEqual({ outsiders: true })
  expect((await asked(on, { author: 'alice' }))?.readers).toEqual({ outsiders: true })
})

test('everybody who reads a channel reads its threads', async () => {
  await using on = await startOnSlack()
  const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: 'hello' })
  expect((await asked(on, { thread: ts }))?.readers).toEqual({ own: false })
})
