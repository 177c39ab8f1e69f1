/** A bot without a database. */
import { setImmediate } from 'node:timers/promises'
import reply from '@kikimimi/reply'
import { type Conversation, type Duration, Erasure, milliseconds, startBot } from 'kikimimi'
import { promptOf, scriptedModel, testPlatform, VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedProfiles, key, place } from './test-people.ts'

const ME = { id: 'bot', name: 'kiki' }

async function withoutDatabase() {
  const borrowed = borrowedProfiles()
  const clock = new VirtualClock(new Date('2026-01-05T10:00:00Z'))
  const platform = testPlatform({ me: ME })
  const chat = scriptedModel('I see.')
  const warnings: string[] = []
  const warn = (line: string) => void warnings.push(line)
  const log = { debug: () => {}, info: () => {}, warn, error: warn, child: () => log }
  const config = {
    persona: { name: 'kiki' },
    database: false,
    models: { chat },
    plugins: [...borrowed.plugins, reply()],
  } as const
  const bot = await startBot(config, { inMemory: true, clock, log, platforms: [platform], env: {} })

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 20; quiet++) {
      await setImmediate()
      const { due, active } = await bot.jobs.state()
      if (due + active > 0) quiet = 0
    }
  }
  let count = 0
  return {
    ...borrowed,
    bot,
    chat,
    warnings,
    settle,
    async say(author: string, text: string, where: Conversation = place(), id = `m${++count}`) {
      const { id: _, ...conversation } = where
      const mentions = text.includes('@kiki') ? [ME] : []
      const at = new Date(clock.now())
      await bot.receive(platform, { id, conversation, author: { id: author, name: author }, text, at, mentions })
      await settle()
    },
    pass: (time: Duration) => clock.advance(clock.now() + milliseconds(time), { settle }),
    [Symbol.asyncDispose]: () => bot.stop(),
  }
}

test('it counts messages with a turn once, and knows the topics of a person', async () => {
  await using m = await withoutDatabase()
  await m.say('alice', 'my tomatoes are growing')
  await m.say('alice', 'tomatoes need sun')
  await m.say('alice', 'tomatoes need sun', place(), 'm2')
  await m.say('alice', '@kiki what do you think?')
  await m.pass('1h')
  await m.say('alice', '@kiki and now?')
  expect(await m.known('alice')).toEqual({
    person: key('alice'),
    name: 'alice',
    messages: 4,
    mentions: 2,
    familiarity: 'stranger',
    lastSeenAt: new Date('2026-01-05T11:00:00Z'),
    channels: [{ id: 'test/team/general', name: 'general', messages: 4 }],
    topics: ['tomatoes', 'growing', 'sun'],
  })
  expect((await m.store().list()).map(({ person, messages }) => [person.id, messages])).toEqual([['alice', 4]])
  expect(promptOf(m.chat.asked.at(-1))).toContain('Last time you talked about: “tomatoes”, “growing”, “sun”')
  expect(m.warnings).toEqual([])
})

test('notes of a conversation are shown in that conversation only', async () => {
  await using m = await withoutDatabase()
  const den = place('den', { visibility: 'private' })
  await m.say('alice', 'my tomatoes are growing', den)
  await m.pass('1h')
  await m.store().note(key('alice'), den, { tags: ['gardener'] })
  expect(await m.store().get(key('alice'), place())).toBeUndefined()
  await m.say('alice', 'hello')
  await m.pass('1m')
  expect(JSON.stringify(await m.known('alice'))).not.toMatch(/tomatoes|gardener|den/)
  expect(await m.known('alice', den)).toMatchObject({ messages: 2, topics: ['tomatoes', 'growing'], tags: ['gardener'] })
  // With another visibility it is another place.
  expect(await m.store().get(key('alice'), place('den'))).toBeUndefined()
  expect(await m.store().inspect(key('alice'))).toMatchObject({ topics: ['tomatoes', 'growing'], tags: ['gardener'] })
})

test('links and erasures work', async () => {
  await using m = await withoutDatabase()
  for (const author of ['alice', 'eve']) await m.say(author, '@kiki Eve likes tomatoes')
  await m.store().note(key('alice'), place(), { tags: ['sister of Eve'] })
  await m.store().link(key('alice'), key('eve'))
  expect(await m.known('alice')).toMatchObject({ messages: 2, tags: ['sister of Eve'] })
  await expect(m.store().link(key('eve'), key('eve'))).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })

  const readAt = new Date(0)
  await m.ctx().use(Erasure, 'optional')?.forget(key('eve'))
  await m.settle()
  await m.pass('1h')
  expect(await m.store().get(key('eve'), place())).toBeUndefined()
  expect(await m.store().accounts(key('alice'))).toEqual([key('alice')])
  expect(JSON.stringify(await m.store().inspect(key('alice')))).not.toMatch(/[Ee]ve/)
  await m.say('eve', '@kiki hello')
  await m.store().note(key('eve'), place(), { tags: ['gardener'] }, readAt)
  const eve = await m.known('eve')
  expect(eve.messages).toBe(1)
  expect(eve).not.toHaveProperty('tags')
})
