// postgres: processes share the shards
/** Several processes of one bot on one Postgres server. Each is a whole bot with its own connections. */

import { type DiscordEmulator, type DiscordOptions, startDiscord } from '@kikimimi/discord/testing'
import { type Clock, definePlugin, type Reply, systemClock, type Turn } from 'kikimimi'
import { connectTestDatabase, openTestDatabase, testServer } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, type KikiOptions, startKiki, until } from './test-bot.ts'

/** Leases are renewed twenty times as often. */
const hasty: Clock = { ...systemClock, setInterval: (run, ms) => systemClock.setInterval(run, ms / 20) }

const TWO = { shards: 2, guilds: ['team', 'club'].map(name => ({ name, channels: [name], emojis: ['party'] })) }

describe.skipIf(!testServer())('processes that share a server', () => {
  let scope: AsyncDisposableStack
  let discord: DiscordEmulator
  let url: string

  beforeEach(async () => {
    scope = new AsyncDisposableStack()
    const db = await openTestDatabase()
    scope.defer(() => db.close())
    if (db.kind !== 'postgres') throw new Error('not a server')
    url = db.url
  })
  afterEach(() => scope.disposeAsync())

  async function open(options: DiscordOptions = TWO): Promise<void> {
    discord = scope.use(await startDiscord(options))
  }

  /** Starts another process. */
  async function join(options: KikiOptions = {}): Promise<Kiki> {
    const db = await connectTestDatabase(url)
    scope.defer(() => db.close())
    const kiki = await startKiki(discord, { ...options, parts: { db, clock: hasty, jobClock: systemClock } })
    scope.defer(() => kiki.bot.stop())
    return kiki
  }

  const connected = (kiki: Kiki) => kiki.log.filter(line => line.includes('"connected"')).length
  /** Each has one shard, and all servers are connected. */
  const even = (...processes: Kiki[]) => until(() => discord.online === 2 && processes.every(one => connected(one) > 0))
  const answers = () => discord.posted.map(({ text }) => text).toSorted()
  /** Asks in both servers. Resolves when both have an answer. */
  async function ask(author: string): Promise<void> {
    const wanted = discord.posted.length + 2
    for (const channel of ['team', 'club']) discord.say({ author, channel, text: '@kiki hello' })
    await discord.until(() => discord.posted.length >= wanted)
  }
  const twice = (...people: string[]) => people.flatMap(name => [`yes, ${name}`, `yes, ${name}`]).toSorted()
  /** A process whose only turn lasts until the end of the test. */
  async function busy(): Promise<Kiki> {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    const kiki = await join({ config: { concurrency: 1 }, answer: () => promise })
    scope.defer(() => resolve({ kind: 'text', text: 'done' }))
    discord.say({ author: 'alice', text: '@kiki think about it' })
    await until(() => kiki.turns.length === 1)
    return kiki
  }

  test('each shard is connected by one process, and each answer is sent once', async () => {
    await open()
    const [one, two] = [await join(), await join()]
    await even(one, two)
    const people = Array.from({ length: 10 }, (_, index) => `person${index}`)
    for (const person of people) await ask(person)
    expect(answers()).toEqual(twice(...people))
    expect([await one.unready(), await two.unready()]).toEqual([undefined, undefined])
    const { length } = discord.calls.filter(({ method }) => method === 'IDENTIFY')
    // At first, the first process had both for a moment.
    expect(length).toBeLessThanOrEqual(3)
  })

  test('no message is lost or answered twice while shards move to a new process, and back from one that stops', async () => {
    await open()
    const one = await join()
    await even(one)
    await ask('alice')
    const two = await join()
    await ask('bob')
    await even(one, two)
    await ask('carol')
    const three = await join()
    await ask('dora')
    const stopped = one.bot.stop()
    await ask('erin')
    await stopped
    await even(two, three)
    await ask('frank')
    expect(answers()).toEqual(twice('alice', 'bob', 'carol', 'dora', 'erin', 'frank'))
    expect([await two.unready(), await three.unready()]).toEqual([undefined, undefined])
  })

  test('a process without a shard stands by, is ready, and runs jobs', async () => {
    await open({ guilds: [{ name: 'team', emojis: ['party'] }] })
    const one = await busy()
    const two = await join({ answer: react })
    expect([connected(two), await two.unready()]).toEqual([0, undefined])
    const message = discord.say({
      author: 'bob',
      channel: discord.thread({ channel: 'general', name: 'plans' }),
      text: '@kiki hooray',
    })
    await discord.until(() => discord.reactions.length === 1)
    discord.say({ author: 'carol', channel: discord.direct('carol'), text: 'hello' })
    await discord.until(() => discord.posted.length === 1)
    expect(two.turns.map(({ me }) => me)).toEqual(Array(2).fill({ id: discord.bot.id, name: 'kiki' }))
    expect(discord.reactions).toMatchObject([{ message, emoji: ':party:' }])
    expect(answers()).toEqual(['yes, carol'])
    expect([one.turns.length, two.turns.length, connected(two)]).toEqual([1, 2, 0])
  })

  test('a command is answered in its place by any process, and its token is deleted', async () => {
    await open({ guilds: [{ name: 'team', channels: ['general', 'help', 'quiet'] }] })
    const one = await busy()
    const two = await join({
      config: { apology: false },
      answer: ({ conversation }) => (conversation.name === 'help' ? { kind: 'text', text: 'gladly' } : undefined),
    })
    const [asked, unanswered] = ['help', 'quiet'].map(channel =>
      discord.command({ author: 'bob', name: 'kiki', text: 'tell me all', channel }),
    )
    await until(async () => (await two.traces()).length === 2)
    await discord.until(() => discord.calls.some(({ method }) => method === 'DELETE'))
    expect(two.turns.map(({ message }) => message.id).toSorted()).toEqual([asked?.id, unanswered?.id])
    expect([asked?.answers, unanswered?.original]).toEqual([['> bob: tell me all\ngladly'], undefined])
    expect(answers()).toEqual(asked?.answers)
    const db = await connectTestDatabase(url)
    scope.defer(() => db.close())
    await until(async () => (await db.query('select 1 from discord.command')).rowCount === 0)
    expect([...one.log, ...two.log].join('\n')).not.toContain('interaction-')
  })

  test('a command from before a stop is answered in its place after it', async () => {
    await open({})
    const decide = () => ({ kind: 'full', why: 'later', delayMs: 60_000 }) as const
    const one = await join({ plugins: [definePlugin({ name: 'patient', setup: () => ({ decide }) })] })
    const asked = discord.command({ author: 'bob', name: 'kiki', text: 'are you there?' })
    await until(async () => (await one.traces()).length === 1)
    await one.bot.stop()
    expect(asked.deferred).toBe(true)
    await join()
    await until(() => discord.online === 1)
    // A newer message starts a new judgement.
    discord.say({ author: 'carol', text: 'is it?' })
    await discord.until(() => discord.posted.length > 0)
    expect(asked.answers).toEqual(['> bob: are you there?\nyes, bob'])
  })

  test('a command whose token cannot be stored is still answered in its place', async () => {
    await open({})
    const kiki = await join()
    await until(() => discord.online === 1)
    const db = await connectTestDatabase(url)
    scope.defer(() => db.close())
    await db.query('drop table discord.command')
    const asked = discord.command({ author: 'bob', name: 'kiki', text: 'are you there?' })
    await until(() => asked.answers.length > 0)
    expect(asked.answers).toEqual(['> bob: are you there?\nyes, bob'])
    expect(kiki.log.join('\n')).toContain('could not be shared with other processes')
  })

  test('the identify limit of Discord applies to all processes together', async () => {
    await open({ ...TWO, maxConcurrency: 1 })
    const [one, two] = [await join(), await join()]
    await even(one, two)
    await ask('alice')
    // A refused process would have tried again.
    expect(discord.calls.filter(({ method }) => method === 'IDENTIFY')).toHaveLength(connected(one) + connected(two))
  })

  test('a wrong clock at the last login blocks no process', async () => {
    await open({})
    await (await join()).bot.stop()
    const db = await connectTestDatabase(url)
    scope.defer(() => db.close())
    expect((await db.query(`update discord.identify set at = at + interval '1 hour'`)).rowCount).toBe(1)
    const two = await join()
    expect(connected(two)).toBe(1)
  })

  test('all processes together keep the limits of Discord, and each answer is sent', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `guild${index}`)
    await open({ shards: 2, guilds: names.map(name => ({ name, channels: [name] })) })
    discord.limitAll({ calls: 50, ms: 1_000 })
    discord.limit('POST /channels/:id/messages', { calls: 5, ms: 5_000 })
    const [one, two] = [await join(), await join()]
    await even(one, two)
    for (const channel of names) discord.say({ author: 'alice', channel, text: '@kiki hello' })
    await discord.until(() => discord.posted.length === names.length)
    expect(discord.calls.filter(({ status }) => status === 429)).toEqual([])
    expect(one.turns.length + two.turns.length).toBe(names.length)
  })

  test('a process waits for a limit that another one has used up', async () => {
    await open({})
    discord.limit('POST /channels/:id/messages', { calls: 1, ms: 1_000 })
    const [one, two] = [await join(), await join()]
    await until(() => discord.online === 1)
    const place = {
      id: '',
      platform: 'discord',
      workspace: '1',
      channel: discord.id('general'),
      name: 'general',
      visibility: 'public',
    } as const
    const post = ({ platform }: Kiki, nonce: string) => platform.send(place, { text: nonce, nonce }, new AbortController().signal)
    await post(one, 'first')
    // The notice of the database.
    await new Promise(resolve => setTimeout(resolve, 200))
    await post(two, 'second')
    expect(discord.calls.filter(({ status }) => status === 429)).toEqual([])
    expect(answers()).toEqual(['first', 'second'])
  })

  test('the bot divides itself into more shards while it runs, and no message is lost or answered twice', async () => {
    await open()
    const [one, two] = [await join(), await join()]
    await even(one, two)
    await ask('alice')
    discord.reshard(4, { required: true })
    await ask('bob')
    await until(() => discord.online === 4)
    await ask('carol')
    expect(answers()).toEqual(twice('alice', 'bob', 'carol'))
    expect([one.failure(), two.failure()]).toEqual([undefined, undefined])
    expect([await one.unready(), await two.unready()]).toEqual([undefined, undefined])
  })
})

function react({ conversation, message: { author } }: Turn): Reply {
  return conversation.visibility === 'direct'
    ? { kind: 'text', text: `yes, ${author.name}` }
    : { kind: 'reaction', emoji: ':party:' }
}
