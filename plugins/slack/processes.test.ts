// postgres: processes share workspaces
/** Several processes of one bot on one Postgres server, each with an address for a load balancer. */

import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import type { Database, Reply, Silence } from 'kikimimi'
import { connectTestDatabase, openTestDatabase, testServer } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import slackPlugin from './index.ts'
import { type BotOptions, overHttp, startWithHttp, until } from './test-bot.ts'

describe.skipIf(!testServer())('processes that share a server', () => {
  let scope: AsyncDisposableStack
  let slack: SlackEmulator
  let url: string
  let db: Database

  beforeEach(async () => {
    scope = new AsyncDisposableStack()
    const opened = await openTestDatabase()
    scope.defer(() => opened.close())
    if (opened.kind !== 'postgres') throw new Error('not a server')
    db = opened
    url = opened.url
    slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
    scope.defer(() => slack.close())
  })
  afterEach(() => scope.disposeAsync())

  async function join(options: BotOptions = {}) {
    const db = await connectTestDatabase(url)
    scope.defer(() => db.close())
    const on = scope.use(await startWithHttp({ plugin: overHttp, there: slack, parts: { db }, ...options }))
    return { ...on, events: `${on.address}/slack/events` }
  }

  test('an event that reaches both at once is recorded and answered once', async () => {
    const [one, two] = [await join(), await join()]
    const { id: channel } = slack.channel('general')
    for (let count = 1; count <= 5; count++) {
      // Each message needs its own time: the previous answer may be in the same millisecond.
      const ts = (Date.now() / 1_000 + count / 1e6).toFixed(6)
      const event = { type: 'message', channel, channel_type: 'channel', user: 'UALICE', text: `<@UKIKI> ${count}`, ts }
      const body = JSON.stringify({ type: 'event_callback', team_id: 'TKIKIMIMI', event })
      const answers = await Promise.all([one, two].map(({ events }) => slack.request({ url: events, body })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      await until(() => slack.posted.length >= count)
    }
    for (const { bot } of [one, two]) await bot.drained()
    expect(slack.posted.map(({ text }) => text)).toEqual([1, 2, 3, 4, 5].map(count => `to ${count}`))
    expect(one.turns.length + two.turns.length).toBe(5)
  })

  test('an installation through one process is served by the other at once, also by a process that has never heard of it', async () => {
    const key = { clientId: slack.clientId, clientSecret: slack.clientSecret, tokenKey: 'a'.repeat(64) }
    const plugin = ({ signingSecret, apiUrl }: SlackEmulator) => slackPlugin({ signingSecret, apiUrl, ...key })
    const config = { concurrency: 1 }
    const [one, two] = [await join({ plugin, config }), await join({ plugin, config })]
    const acme = slack.team('TACME', { installed: false })
    const begun = await fetch(`${one.address}/slack/install`, { redirect: 'manual' })
    const cookie = begun.headers.get('set-cookie')?.replace(/;.*/, '') ?? ''
    const back = slack.allow(begun.headers.get('location') ?? '', 'TACME', `${one.address}/slack/oauth_redirect`)
    expect((await fetch(back, { headers: { cookie } })).status).toBe(200)
    // The process that takes the first turn is busy, so the other one runs the second. Only one of them receives the events.
    const { promise, resolve } = Promise.withResolvers<Reply>()
    for (const process of [one, two]) {
      process.answer(({ message }) => (message.text.includes('think') ? promise : { kind: 'text', text: 'yes' }))
    }
    const turns = () => [...one.turns, ...two.turns]
    slack.deliverTo(one.events)
    await acme.say({ author: 'alice', channel: 'general', text: 'think about it', mention: true })
    await until(() => turns().length === 1)
    await acme.say({ author: 'bob', channel: 'random', text: 'and this?', mention: true })
    await until(() => acme.posted.length === 1)
    resolve({ kind: 'text', text: 'done' })
    await until(() => acme.posted.length === 2)
    expect(acme.posted.map(({ text }) => text)).toEqual(['yes', 'done'])
    expect([one.turns.length, two.turns.length]).toEqual([1, 1])
    for (const { me, conversation } of turns()) expect([conversation.workspace, me.name]).toEqual(['TACME', 'kiki'])
    expect(slack.posted).toEqual([])
  })

  const kept = async () => (await db.query('select 1 from slack.command')).rowCount

  /** A process whose only turn lasts until the end of the test. */
  async function busy() {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    const one = await join({ config: { concurrency: 1 } })
    scope.defer(() => resolve({ kind: 'text', text: 'done' }))
    one.answer(() => promise)
    slack.deliverTo(one.events)
    await slack.say({ author: 'alice', channel: 'general', text: 'think about it', mention: true })
    await until(() => one.turns.length === 1)
    return one
  }

  test('the thinking status is shown, whichever process received the question', async () => {
    await busy()
    const two = await join()
    const { promise, resolve } = Promise.withResolvers<Reply>()
    two.answer(() => promise)
    await slack.say({ author: 'bob', channel: 'random', text: 'and about this', mention: true })
    await until(() => slack.status('random') === 'is thinking…')
    resolve({ kind: 'text', text: 'done' })
    await until(() => slack.posted.length === 1 && !slack.status('random'))
  })

  test('a command in a channel without the bot is answered by any process, and its address is deleted', async () => {
    const one = await busy()
    const two = await join()
    slack.channel('lounge').isMember = false
    await slack.command('alice', 'lounge', '/kiki', 'what time is it?')
    await until(() => slack.seen('lounge').length === 2)
    expect(slack.seen('lounge')).toEqual([
      { author: 'alice', text: '/kiki what time is it?' },
      { author: 'kiki', text: 'to what time is it?' },
    ])
    expect([one.turns.length, two.turns.length]).toEqual([1, 1])
    await until(async () => (await kept()) === 0)
    expect([...one.log, ...two.log].join('\n')).not.toContain('/commands/')
  })

  test.each<[string, Reply | Silence]>([
    ['an answer in the channel', { kind: 'text', text: 'done' }],
    ['silence', { kind: 'silent', why: 'nothing to say' }],
  ])('the address of a command is deleted after %s', async (_, reply) => {
    const one = await join()
    const { promise, resolve } = Promise.withResolvers<Reply | Silence>()
    one.answer(() => promise)
    slack.deliverTo(one.events)
    await slack.command('alice', 'general', '/kiki', 'what time is it?')
    await until(() => one.turns.length === 1)
    expect(await kept()).toBe(1)
    resolve(reply)
    await until(async () => (await kept()) === 0)
    expect(slack.posted.map(({ text }) => text)).toEqual(reply.kind === 'text' ? ['done'] : [])
  })

  test('a command whose address cannot be stored is still answered', async () => {
    const one = await join()
    slack.deliverTo(one.events)
    await db.query('drop table slack.command')
    await slack.command('alice', 'general', '/kiki', 'what time is it?')
    await until(() => slack.seen('general').length === 2)
    expect(slack.seen('general').at(-1)).toEqual({ author: 'kiki', text: 'to what time is it?' })
    expect(one.log.join('\n')).toContain('could not be shared with other processes')
  })
})
