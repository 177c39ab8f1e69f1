import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import type { Reply } from 'kikimimi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, startKiki, until } from './test-bot.ts'

const POST = 'POST /channels/:id/messages'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'dev'] }] })
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
  expect(kiki.log.join('\n')).not.toContain(discord.token)
})

const answers = () => discord.posted.map(({ text }) => text)
const posts = () => discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))

describe('a message with a temporary error is posted once', () => {
  test.each<[string, Parameters<DiscordEmulator['fail']>[1], number]>([
    ['429 with Retry-After', { status: 429, retryAfter: 0.2 }, 1],
    ['429 without Retry-After', { status: 429 }, 2],
    ['500', { status: 500 }, 2],
    ['503', { status: 503 }, 1],
    ['a destroyed socket', 'socket', 1],
    ['no answer', 'hang', 1],
    ['an error after it was posted', { status: 500, afterwards: true }, 1],
  ])('%s', async (_, fault, times) => {
    kiki = await startKiki(discord, { options: { timeout: '300ms' } })
    discord.fail(POST, fault, times)
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1 && posts().at(-1)?.status === 200)
    expect(posts()).toHaveLength(times + 1)
    expect(answers()).toEqual(['yes, alice'])
    expect(await outcomes(kiki, 1)).toEqual([['replied', undefined]])
  })
})

describe('a channel that Discord refuses', () => {
  test.each<[string, Parameters<DiscordEmulator['fail']>[1], string]>([
    [
      '403',
      { status: 403, code: 50001, message: 'Missing Access' },
      'the bot cannot see the channel: give its role View Channel there',
    ],
    ['404', { status: 404, code: 10003, message: 'Unknown Channel' }, 'the channel is gone'],
    ['400', { status: 400, code: 50035, message: 'Invalid Form Body' }, 'Invalid Form Body'],
    ['a page of a proxy', 'page', 'Discord answered 403 with a page, not as its API does'],
  ])('%s: the trace has the reason, the channel is skipped, and others work', async (_, fault, why) => {
    kiki = await startKiki(discord)
    discord.fail(POST, fault)
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => posts().length === 1)
    discord.say({ author: 'bob', channel: 'dev', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(answers()).toEqual(['yes, bob'])
    const failed = (await outcomes(kiki, 2)).find(([outcome]) => outcome === 'failed')
    expect(failed?.[1]).toContain(why)
    expect(kiki.log.filter(line => line.includes('could not send'))).toEqual([expect.stringContaining(why)])
    expect(posts()).toHaveLength(2)
    expect(kiki.failure()).toBeUndefined()
    expect(await kiki.unready()).toBeUndefined()
  })

  test('a thread that is deleted during the turn', async () => {
    const thinking = Promise.withResolvers<Reply>()
    const inThread = ({ conversation }: { conversation: { thread?: string } }) => conversation.thread !== undefined
    const answer = ({ message }: { message: { author: { name: string } } }): Reply => ({
      kind: 'text',
      text: `yes, ${message.author.name}`,
    })
    kiki = await startKiki(discord, { answer: turn => (inThread(turn) ? thinking.promise : answer(turn)) })
    const thread = discord.thread({ channel: 'general', name: 'plans' })
    discord.say({ author: 'alice', channel: thread, text: '@kiki hello' })
    await until(() => kiki.turns.length === 1)
    discord.deleteChannel(thread)
    thinking.resolve({ kind: 'text', text: 'too late' })
    expect(await outcomes(kiki, 1)).toEqual([['failed', expect.stringContaining('the channel is gone')]])
    discord.say({ author: 'bob', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(answers()).toEqual(['yes, bob'])
    expect(posts().map(({ status }) => status)).toEqual([404, 200])
  })

  test('gets no typing indicator until its permissions change', async () => {
    kiki = await startKiki(discord)
    discord.fail(POST, { status: 403, code: 50013, message: 'Missing Permissions' })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => posts().length === 1)
    const typed = () => discord.calls.filter(({ path }) => path.endsWith('/typing')).length
    const before = typed()
    discord.say({ author: 'alice', text: '@kiki are you there?' })
    await discord.until(() => answers().length === 1)
    expect(typed()).toBe(before)
    discord.say({ author: 'alice', text: '@kiki thanks' })
    await discord.until(() => answers().length === 2)
    expect(typed()).toBe(before + 1)
  })

  test.each(['channel', 'role', 'member'] as const)('gets it again after a change of its %s', async by => {
    kiki = await startKiki(discord)
    discord.fail(POST, { status: 403, code: 50013, message: 'Missing Permissions' })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await until(() => kiki.log.some(line => line.includes('could not send')))
    const typed = () => discord.calls.filter(({ path }) => path.endsWith('/typing')).length
    const before = typed()
    discord.permit(by)
    discord.say({ author: 'alice', text: '@kiki are you there?' })
    await discord.until(() => answers().length === 1)
    expect(typed()).toBe(before + 1)
  })
})

/** Outcome and reason of each turn, oldest first, after this number of turns. */
async function outcomes({ traces }: Kiki, turns: number) {
  await until(async () => (await traces()).length >= turns)
  return (await traces()).map(({ outcome, why }) => [outcome, why]).toReversed()
}
