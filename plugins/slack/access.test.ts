/** Who may call the bot on Slack: ranks and user groups, with the real client on the emulator. */
import type { BotConfig } from 'kikimimi'
import { afterEach, expect, test } from 'vitest'
import { type BotOnSlack, type BotOptions, startOnSlack } from './test-bot.ts'

let kiki: BotOnSlack
afterEach(() => kiki[Symbol.asyncDispose]())

async function start(access: BotConfig['access'], options: BotOptions = {}): Promise<void> {
  const config = { pacing: { minWait: '50ms', jitter: 0 }, ...options.config, access: access ?? {} } as const
  kiki = await startOnSlack({ ...options, config })
  const { slack } = kiki
  slack.user('olga').isOwner = true
  slack.user('ada').isAdmin = true
  slack.user('gus').isGuest = true
  Object.assign(slack.user('eve'), { isStranger: true, isAdmin: true })
}

/** Whether the bot answers a call. Its turn has ended. */
async function answers(author: string, channel = 'general'): Promise<boolean> {
  const [before, turns] = [kiki.slack.posted.length, (await kiki.bot.traces()).length]
  await kiki.slack.say({ author, channel, text: 'hello', mention: true })
  await expect.poll(async () => (await kiki.bot.traces()).length, { timeout: 10_000 }).toBeGreaterThan(turns)
  return kiki.slack.posted.length > before
}

const why = async () => (await kiki.bot.traces())[0]?.decision?.why

test.each([
  [['owners'], ['olga']],
  [['admins'], ['olga', 'ada']],
  [['members'], ['olga', 'ada', 'alice']],
  [['guests'], ['gus', 'eve']],
  [['role:trusted'], ['alice']],
  [
    ['role:@trusted', 'person:UGUS'],
    ['alice', 'gus'],
  ],
  [['role:S1'], ['alice']],
  [['role:gone'], []],
  ['nobody', []],
  ['everyone', ['olga', 'ada', 'alice', 'gus', 'eve']],
])('%j', async (call, allowed) => {
  await start({ call })
  await kiki.slack.group('trusted', ['alice'])
  const answered: string[] = []
  for (const person of ['olga', 'ada', 'alice', 'gus', 'eve']) if (await answers(person)) answered.push(person)
  expect(answered).toEqual(allowed)
})

test('a person who has left the user group is refused as soon as Slack says so, and one with another name', async () => {
  await start({ call: ['role:trusted'] })
  await kiki.slack.group('trusted', ['alice'])
  expect(await answers('alice')).toBe(true)
  await kiki.slack.group('trusted', [])
  expect(await answers('alice')).toBe(false)
  expect(await why()).toBe('access.call: only role:trusted, #general')
  await kiki.slack.group('trusted', ['alice'])
  expect(await answers('alice')).toBe(true)
  await kiki.slack.renameGroup('trusted', 'friends')
  expect(await answers('alice')).toBe(false)
})

test('an admin who is one no longer', async () => {
  await start({ call: ['admins'] })
  expect(await answers('ada')).toBe(true)
  kiki.slack.user('ada').isAdmin = false
  await kiki.slack.renameUser('ada', 'ada')
  expect(await answers('ada')).toBe(false)
})

test('without the scope nobody is in a user group, and one line says which scope to add', async () => {
  await start({ call: ['role:trusted', 'admins'] }, { slack: { scopes: SCOPES } })
  await kiki.slack.group('trusted', ['alice'])
  expect(await answers('alice')).toBe(false)
  expect(await why()).toBe('access.call: only role:trusted, admins, #general (what the person is could not be looked up)')
  expect(await answers('alice')).toBe(false)
  expect(
    kiki.log.filter(line => line.includes('add the scope usergroups:read at') && line.includes('user groups cannot be read')),
  ).toHaveLength(1)
  // A rank needs no user groups.
  expect(await answers('ada')).toBe(true)
})

test('a list of user groups that fails is a refusal, until it works again', async () => {
  await start({ call: ['role:trusted'] })
  await kiki.slack.group('trusted', ['alice'])
  kiki.slack.fail('usergroups.list', { error: 'fatal_error' }, 2)
  expect(await answers('alice')).toBe(false)
  expect(await answers('alice')).toBe(true)
})

test('a slash command is answered to its author alone', async () => {
  await start({ call: ['role:trusted'] })
  await kiki.slack.group('trusted', ['alice'])
  await kiki.slack.command('gus', 'general', '/kiki', 'what is new?')
  await expect
    .poll(() => kiki.slack.seen('general').map(({ text, onlyFor }) => ({ text, onlyFor })))
    .toEqual([
      { text: '/kiki what is new?', onlyFor: 'gus' },
      { text: expect.stringMatching(/^You may not call me here/), onlyFor: 'gus' },
    ])
  await kiki.slack.command('alice', 'general', '/kiki', 'what is new?')
  await expect.poll(() => kiki.slack.seen('general').at(-1)).toMatchObject({ text: 'to what is new?' })
})

test('a direct message and the assistant pane have the roles of the workspace', async () => {
  await start({ call: ['role:trusted'] })
  await kiki.slack.group('trusted', ['alice'])
  expect(await answers('alice', '@alice')).toBe(true)
  expect(await answers('gus', '@gus')).toBe(false)
  const { ts } = await kiki.slack.openAssistant('gus')
  const turns = (await kiki.bot.traces()).length
  await kiki.slack.say({ author: 'gus', channel: '@gus', text: 'hello', thread: ts })
  await expect.poll(async () => (await kiki.bot.traces()).length).toBe(turns + 1)
  expect(kiki.texts()).toEqual(['to hello'])
})

/** Without usergroups:read. */
const SCOPES = [
  ...['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'commands', 'groups:read', 'im:history', 'im:read'],
  ...['reactions:read', 'reactions:write', 'users:read'],
]
