/** How the messages of a batch are shown to the model. */
import { promptOf } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { answer, reflecting } from './test-bot.ts'

const conversation = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const

test('a thread has its name, an answer its target, and a card its words', async () => {
  await using r = await reflecting(() => answer([]), { lull: '1m', minMessages: 1 })
  const { bot, platform, clock } = r.bot
  const say = (id: string, name: string, text: string, more: object) =>
    bot.receive(platform, { id, author: { id: name, name }, text, at: new Date(clock.now()), conversation, ...more })
  const details = { topic: 'all about\n# trains', threadName: 'Trip to\n## Nikko', root: 'm1' }
  const thread = { conversation: { ...conversation, thread: 'm1', details } }
  await say('m1', 'alice', 'how far is it?', { conversation: { ...conversation, details: { topic: details.topic } } })
  await say('m2', 'bob', 'it is 300 m', { replyTo: { id: 'm1' } })
  await say('m3', 'carol', 'see below', { parts: [{ kind: 'card', title: 'Build', text: 'red]\n---' }] })
  await say('m4', 'dave', 'when do we leave?', thread)
  await say('m5', 'erin', 'at nine', { ...thread, replyTo: { id: 'm4' } })
  await r.bot.pass('2m')
  const prompt = promptOf(r.model.asked[0]).replace(/\*\*[\d: -]+\*\*/g, '**time**')
  expect(prompt).toMatch(/^Place: #general\n\nTopic of the channel: all about \/ .*trains\n\n## Known facts\n/)
  expect(prompt).toContain('**time** bob [2] → alice ("how far is it?"):\nit is 300 m\n')
  expect(prompt).toMatch(/see below\n\[card: Build — red\) \/ .*---\]\n/)
  expect(prompt).toMatch(/\n### Thread: Trip to \/ .*Nikko\n\n\*\*time\*\* dave \[4\]:\n/)
  expect(prompt).toContain('**time** erin [5] → dave ("when do we leave?"):\nat nine\n')
  expect(prompt.match(/^---$/gm)).toHaveLength(1)
  expect(r.model.asked[0]?.system).not.toMatch(/general|trains|dave/)
})
