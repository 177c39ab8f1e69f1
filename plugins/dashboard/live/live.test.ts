// postgres: notifications between processes
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, definePlugin, MessageLog, type PluginContext, systemClock } from 'kikimimi'
import { ignored } from 'kikimimi/host'
import { testServer, VirtualClock } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import type { DropView, FeedEvent } from '../history/views.ts'
import { createFeed } from '../server/feed.ts'
import { catalogues, translated } from '../testing/catalogues.ts'
import { eventsOf, openPage, quietLog, type TestPage } from '../testing/open-page.ts'
import { createDrops } from './drops.ts'
import { createTurnFeed } from './turn-feed.ts'

const deaf = definePlugin({
  name: 'deaf',
  setup: () => ({ filter: ({ author }) => (author.id === 'bob' ? 'does not want to be heard' : undefined) }),
})

const drops = async (page: TestPage) => ((await (await page.api('drops')).json()) as { drops: DropView[] }).drops
const turnOf = (event: FeedEvent) => (event.type === 'turn' ? [event.turn.trace.turn] : [])

/** All events from now on. */
async function listen(page: TestPage): Promise<{ events: FeedEvent[] } & AsyncDisposable> {
  const leaving = new AbortController()
  const answer = await fetch(`${page.url}/api/events`, { signal: leaving.signal })
  const events: FeedEvent[] = []
  const heard = (async () => {
    for await (const event of eventsOf(answer)) events.push(event)
  })().catch(() => {})
  return {
    events,
    async [Symbol.asyncDispose]() {
      leaving.abort()
      await heard
    },
  }
}

describe('dropped messages', () => {
  test('are sent with plugin, reason and count, without text and author', async () => {
    await using page = await openPage({ plugins: [deaf] })
    await using heard = await listen(page)
    for (const text of ['this is between us', 'and so is this', 'and this']) await page.say('bob', text)
    await page.say('alice', 'good morning')
    await expect.poll(() => heard.events.flatMap(turnOf)).toHaveLength(1)
    const all = () => heard.events.flatMap(event => (event.type === 'dropped' ? event.drops : []))
    await expect.poll(() => all().at(-1)?.count, { timeout: 5_000 }).toBe(3)
    const line = { plugin: 'deaf', why: 'does not want to be heard', platform: 'test', place: { name: 'dev' }, count: 3 }
    expect(await drops(page)).toMatchObject([line])
    expect(new Set(all().map(({ id }) => id)).size).toBe(1)
    expect(JSON.stringify([heard.events, await drops(page)])).not.toMatch(/bob|between us/)
  })

  test('in a direct conversation are sent without the place', async () => {
    await using page = await openPage({ plugins: [deaf] })
    const said = { room: '@bob', author: 'bob', text: 'this is between us' }
    await page.api('playground/messages', { method: 'POST', body: said })
    expect(await drops(page)).toEqual([
      {
        id: expect.any(String),
        platform: 'playground',
        plugin: 'deaf',
        why: 'does not want to be heard',
        count: 1,
        at: expect.any(String),
      },
    ])
  })

  test('are sent at most once per second, and limited in number', async () => {
    const clock = new VirtualClock()
    using feed = createFeed(clock)
    const reader = feed.open('a')
    const kept = createDrops({ clock, log: quietLog }, feed, new AbortController().signal)
    const drop = (why: string) => kept.hear({ platform: 'test', plugin: 'spam', why, at: new Date(clock.now()) })
    for (let n = 0; n < 1_000; n++) drop('spam')
    expect(kept.recent).toMatchObject([{ count: 1_000 }])
    await clock.advance(60_000, { settle: () => sleep(0) })
    drop('spam')
    expect(kept.recent).toMatchObject([{ count: 1 }])
    for (let n = 0; n < 1_000; n++) drop(`spam ${n}`)
    expect(kept.recent).toHaveLength(100)
    expect(kept.recent[0]).toMatchObject({ why: 'spam 999' })
    expect(reader?.readableLength).toBeLessThan(300_000)
  })
})

describe('turns', () => {
  test('that end at the same time are read together, and each is sent once', async () => {
    let lent: PluginContext | undefined
    const setup = (ctx: PluginContext) => {
      lent = ctx
    }
    const lender = definePlugin({ name: 'lender', needs: [MessageLog], setup })
    await using page = await openPage({ plugins: [lender] })
    if (!lent) throw new Error('nothing was set up')
    const { use } = lent
    const ids = Array.from({ length: 200 }, (_, n) => `turn-${n}`)
    await page.db.transaction(db => keep(db, ids))
    await using scope = new AsyncDisposableStack()
    const stopped = scope.adopt(new AbortController(), one => one.abort())
    const feed = scope.use(createFeed(systemClock))
    const reader = scope.use(feed.open('a') ?? new Readable())
    const told = createTurnFeed({ db: page.db, clock: systemClock, log: quietLog, use }, feed, stopped.signal)
    const before = page.db.statements
    for (const id of [...ids, ...ids]) told.done(id)
    const events: string[] = []
    reader.on(
      'data',
      chunk =>
        void events.push(
          ...String(chunk)
            .split('\n\n')
            .filter(block => block.startsWith('data: ')),
        ),
    )
    await expect.poll(() => events.length).toBe(200)
    // The first at once, the others together. The bot's own queries are included.
    expect(page.db.statements - before).toBeLessThan(20)
    expect(new Set(events).size).toBe(200)
  })
})

describe.runIf(testServer())('two processes of one bot', () => {
  test('each shows the turns of both once, with their messages', async () => {
    await using one = await openPage({ model: 'At ten.' })
    await using other = await openPage({ model: 'At ten.', beside: one })
    await using here = await listen(one)
    await using there = await listen(other)
    for (let n = 0; n < 5; n++) {
      // Different people, because one answer covers what its caller adds while it is made.
      await one.say(`alice${n}`, `@kiki when does train ${n} leave?`)
      await other.say(`bob${n}`, `@kiki when does bus ${n} leave?`)
    }
    const done = async () => (await one.bot.traces()).map(({ turn }) => turn)
    const texts = () => here.events.flatMap(event => (event.type === 'turn' ? event.turn.messages.map(({ text }) => text) : []))
    await expect.poll(() => new Set(texts()).size).toBe(10)
    await expect.poll(() => there.events.flatMap(turnOf).length).toBe(here.events.flatMap(turnOf).length)
    // Duplicates would have arrived by now.
    await sleep(1_500)
    for (const { events } of [here, there]) expect(events.flatMap(turnOf).toSorted()).toEqual((await done()).toSorted())
  })

  test('a turn with a lower number that commits later is sent too', async () => {
    await using page = await openPage()
    await using heard = await listen(page)
    const late = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const committed = page.db.transaction(async db => {
      // In another channel: turns of one channel wait for each other, because they are counted.
      await keep(db, ['early'], 'test/team/ops')
      begun.resolve()
      await late.promise
    })
    await begun.promise
    await keep(page.db, ['later'])
    await expect.poll(() => heard.events.flatMap(turnOf), { timeout: 5_000 }).toEqual(['later'])
    late.resolve()
    await committed
    await expect.poll(() => heard.events.flatMap(turnOf), { timeout: 5_000 }).toEqual(['later', 'early'])
  })

  test('without watchers there is no query', async () => {
    await using page = await openPage()
    const asked: string[] = []
    const { query } = page.db
    page.db.query = (sql, params) => {
      if (sql.includes('from kikimimi_v1.trace')) asked.push(sql)
      return query.call(page.db, sql, params) as never
    }
    const watcher = await listen(page)
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBeGreaterThan(1)
    await watcher[Symbol.asyncDispose]()
    await sleep(1_200)
    asked.splice(0)
    await keep(page.db, ['unseen'])
    await sleep(2_500)
    expect(asked).toEqual([])
  })
})

/** Stores a turn as a process does. */
async function keep(db: Database, turns: readonly string[], conversation = 'test/team/dev'): Promise<void> {
  for (const turn of turns) {
    const trace = { turn, conversation, messages: [], trigger: '', sections: [], models: [], sent: [] }
    await db.query(
      `insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data) values ($1, $2, $3, 'silent', '', $4)`,
      [turn, trace.conversation, new Date(), JSON.stringify({ ...trace, outcome: 'silent', problems: [], ms: {} })],
    )
  }
}

test('the reason of a dropped message is translated into every language', async () => {
  const here = { id: '', platform: 'test', workspace: '', channel: 'a', name: 'a', visibility: 'public' } as const
  const message = { id: '1', conversation: here, author: { id: 'a', name: 'a' }, text: 'hi', at: new Date() }
  const reasons = [
    ignored({ ...message, author: { ...message.author, bot: true } }, here, {}),
    ignored({ ...message, text: '' }, here, {}),
    ignored(message, { ...here, visibility: 'direct' }, { direct: false }),
    ignored(message, here, { except: ['a'] }),
    ignored(message, here, { channels: [] }),
    'does not want to be heard',
    'the filter failed',
    'redacted: the reason names the author or quotes the message',
  ]
  expect(reasons).not.toContain(undefined)
  for (const [language, { reasons: translations }] of Object.entries(await catalogues())) {
    if (language === 'en') continue
    const told = reasons.map(why => translated(why ?? '', translations))
    expect(told.filter(why => /[a-z]{2}/i.test(why))).toEqual([])
  }
})
