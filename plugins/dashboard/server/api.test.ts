import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin } from 'kikimimi'
import { VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { FeedEvent, MessageView, TurnView } from '../history/views.ts'
import { Panels } from '../index.ts'
import { eventsOf, openPage, type TestPage } from '../testing/open-page.ts'
import { OWNER } from './accounts.ts'
import { createFeed } from './feed.ts'
import { createLogins } from './logins.ts'

interface Room {
  readonly messages: readonly MessageView[]
  readonly turns: readonly TurnView[]
}

async function json<T>(answer: Promise<Response>): Promise<T> {
  const got = await answer
  expect(got.status).toBe(200)
  return (await got.json()) as T
}

const room = (page: TestPage, name = 'general') => json<Room>(page.api(`playground/messages?room=${encodeURIComponent(name)}`))

const say = (page: TestPage, body: object) =>
  json<{ id: string; heard: boolean }>(
    page.api('playground/messages', { method: 'POST', body: { room: 'general', author: 'alice', ...body } }),
  )

/** Reads events until there are enough. */
async function hear(
  page: TestPage,
  enough: (events: readonly FeedEvent[]) => boolean,
  during: () => Promise<unknown>,
): Promise<FeedEvent[]> {
  const answer = await page.api('events')
  const heard: FeedEvent[] = []
  const done = during()
  for await (const event of eventsOf(answer)) {
    heard.push(event)
    if (enough(heard)) break
  }
  await done
  return heard
}

const settle = async () => {}
const isMessage = (event: FeedEvent) => event.type === 'message'
const isTurn = (event: FeedEvent) => event.type === 'turn'

test('a message to the bot in the playground is answered, with its reasons', async () => {
  await using page = await openPage({ model: 'At ten.' })
  const events = await hear(
    page,
    heard => heard.some(isTurn),
    () => say(page, { text: '@kiki when does the train leave?' }),
  )
  const told = events.map(event => (event.type === 'typing' ? `typing ${event.on}` : event.type))
  // The question is sent after it is recorded, and the bot may be faster.
  expect(told.toSorted()).toEqual(['message', 'message', 'turn', 'typing false', 'typing true'])
  expect(told.at(-1)).toBe('turn')
  const { messages, turns } = await room(page)
  expect(messages.map(({ author, text, own }) => [author.name, text, own])).toEqual([
    ['alice', '@kiki when does the train leave?', false],
    ['kiki', 'At ten.', true],
  ])
  expect(turns).toMatchObject([
    {
      place: { conversation: 'playground//general', platform: 'playground', name: 'general', visibility: 'public' },
      trace: { outcome: 'replied', addressed: 'mention', decision: { kind: 'full', why: 'mentions the bot' } },
      messages: [{ text: '@kiki when does the train leave?' }],
      said: [{ text: 'At ten.' }],
    },
  ])
  expect(await json(page.api('playground'))).toMatchObject({ rooms: ['general'], people: [{ id: 'alice', name: 'alice' }] })
})

test('messages of other platforms are sent live, and found later', async () => {
  await using page = await openPage({ model: 'At ten.' })
  const events = await hear(
    page,
    heard => heard.some(isTurn) && heard.some(isMessage),
    () => page.say('bob', 'キキ、元気？'),
  )
  expect(events.find(isMessage)).toMatchObject({ place: { platform: 'test', name: 'dev' }, message: { text: 'キキ、元気？' } })
  const { turns } = await json<{ turns: TurnView[] }>(page.api('turns'))
  expect(events.find(isTurn)).toEqual({ type: 'turn', turn: turns[0] })
  expect(await json(page.api('turns?conversation=test/team/other'))).toEqual({ turns: [] })
  const before = turns[0]?.trace.at ?? ''
  expect(await json(page.api(`turns?before=${before}`))).toEqual({ turns })
  expect(await json(page.api(`turns?before=${new Date(Date.parse(before) - 1).toISOString()}`))).toEqual({ turns: [] })
})

test('the words of a person who is being forgotten are on no page', async () => {
  await using page = await openPage({ model: 'At ten.' })
  const words = 'the parcel of bob'
  await say(page, { author: 'bob', text: words })
  await expect.poll(async () => (await room(page)).turns.length).toBe(1)
  const pages = async () => [
    JSON.stringify(await room(page)),
    JSON.stringify(await json(page.api('turns'))),
    JSON.stringify(await json(page.api(`turns/search?text=parcel`))),
    JSON.stringify(await json(page.api('channel?conversation=playground//general'))),
  ]
  expect((await pages()).map(text => text.includes('bob'))).toEqual([true, true, true, true])
  await page.db.query(`insert into kikimimi.forgetting (platform, person, before) values ('playground', 'bob', now())`)
  expect((await pages()).map(text => text.includes('bob'))).toEqual([false, false, false, false])
  const [turn] = (await room(page)).turns
  expect(turn?.messages).toMatchObject([{ text: '', author: { name: '' }, deleted: true }])
})

test('an unaddressed conversation is judged after a pause, all at once', async () => {
  await using page = await openPage()
  await say(page, { text: 'the train leaves at ten' })
  const last = await say(page, { text: 'I will be late', author: 'bob' })
  await expect.poll(async () => (await room(page)).turns.length).toBe(1)
  const [turn] = (await room(page)).turns
  expect(turn?.trace).toMatchObject({ outcome: 'silent', trigger: last.id })
  expect(turn?.messages.map(({ author }) => author.name)).toEqual(['alice', 'bob'])
})

test('a thread is its own conversation, and a reply to the bot addresses it', async () => {
  await using page = await openPage({ model: 'Yes.' })
  const { id } = await say(page, { text: '@kiki are you there?' })
  await expect.poll(async () => (await room(page)).messages.length).toBe(2)
  const answer = (await room(page)).messages[1]
  await say(page, { text: 'and now?', thread: id, replyTo: answer?.id })
  await expect.poll(async () => (await room(page)).messages.length).toBe(4)
  const { messages, turns } = await room(page)
  expect(messages.map(({ thread }) => thread)).toEqual([undefined, undefined, id, id])
  expect(turns[0]).toMatchObject({ place: { thread: id }, trace: { addressed: 'reply' } })
})

test('in a direct conversation no mention is needed', async () => {
  await using page = await openPage({ model: 'Hello.' })
  await say(page, { room: '@alice', text: 'good morning' })
  await expect.poll(async () => (await room(page, '@alice')).turns).toMatchObject([{ trace: { addressed: 'direct' } }])
  expect((await room(page)).messages).toEqual([])
})

test('own messages can be edited and deleted, those of the bot cannot', async () => {
  await using page = await openPage({ model: 'Yes.' })
  const { id } = await say(page, { text: '@kiki are you there?' })
  await expect.poll(async () => (await room(page)).messages.length).toBe(2)
  const own = (await room(page)).messages[1]?.id
  const patch = (message: string | undefined, text: string) =>
    page.api(`playground/messages/${message}`, { method: 'PATCH', body: { room: 'general', text } })
  expect((await patch(id, 'never mind')).status).toBe(200)
  expect((await room(page)).messages[0]).toMatchObject({ text: 'never mind', edited: true })
  expect((await patch(own, 'I am a teapot')).status).toBe(404)
  expect((await page.api(`playground/messages/${own}?room=general`, { method: 'DELETE' })).status).toBe(404)
  expect((await page.api(`playground/messages/${id}?room=general`, { method: 'DELETE' })).status).toBe(200)
  // The answer left with the words that it was made from.
  expect((await room(page)).messages).toEqual([])
})

test('people and the bot add reactions, and people remove theirs', async () => {
  const nod = definePlugin({
    name: 'nod',
    setup: () => ({
      decide: () => ({ kind: 'react', why: 'is nice' }),
      respond: () => ({ kind: 'reaction', emoji: '🎉' }),
    }),
  })
  await using page = await openPage({ plugins: [nod] })
  const { id } = await say(page, { text: 'we did it' })
  const reactions = async () => (await room(page)).messages[0]?.reactions
  await expect.poll(reactions).toEqual([{ emoji: '🎉', by: ['kiki'] }])
  const react = (removed: boolean) =>
    page.api(`playground/messages/${id}/reactions`, {
      method: 'POST',
      body: { room: 'general', by: 'Bob', emoji: '👍', removed },
    })
  await react(false)
  expect(await reactions()).toEqual([
    { emoji: '🎉', by: ['kiki'] },
    { emoji: '👍', by: ['bob'] },
  ])
  await react(true)
  expect(await reactions()).toEqual([{ emoji: '🎉', by: ['kiki'] }])
})

test('an answer to a command is for its author, and other text after the name is a message', async () => {
  await using page = await openPage({ model: 'Hello.' })
  const { answer } = await json<{ answer: string }>(
    page.api('playground/messages', {
      method: 'POST',
      body: { room: 'general', author: 'alice', text: '/kiki help', locale: 'ja' },
    }),
  )
  expect(answer).toMatch(/status.*[ぁ-ん]/s)
  expect((await room(page)).messages).toEqual([])
  await say(page, { text: '/kiki good morning' })
  await expect.poll(async () => (await room(page)).turns).toMatchObject([{ trace: { addressed: 'mention' } }])
})

test('dropped messages are shown to nobody', async () => {
  const deaf = definePlugin({
    name: 'deaf',
    setup: () => ({ filter: ({ author }) => (author.id === 'bob' ? 'opted out' : undefined) }),
  })
  await using page = await openPage({ plugins: [deaf] })
  const events = await hear(
    page,
    heard => heard.some(isMessage),
    async () => {
      await page.say('bob', 'this is between us')
      await sleep(100)
      await page.say('alice', 'good morning')
    },
  )
  expect(JSON.stringify(events)).not.toContain('between us')
})

test('the author is told if the bot does not listen', async () => {
  const deaf = definePlugin({
    name: 'deaf',
    setup: () => ({ filter: ({ author }) => (author.id === 'bob' ? 'opted out' : undefined) }),
  })
  await using page = await openPage({ plugins: [deaf] })
  expect(await say(page, { text: 'hello' })).toMatchObject({ heard: true })
  expect(await say(page, { text: 'hello', author: 'bob' })).toMatchObject({ heard: false })
})

test('a plugin adds a panel, and its errors stay in the log', async () => {
  const trains = definePlugin({
    name: 'trains',
    needs: [Panels],
    setup: ctx => {
      const panels = ctx.use(Panels)
      const today = [{ title: 'Today', rows: [{ to: 'Ueno', at: '10:04' }] }]
      ctx.scope.defer(panels.add({ id: 'trains', title: 'Trains', read: () => today }))
      const broken = panels.add({
        id: 'broken',
        title: 'Broken',
        read: () => {
          throw new Error('the secret is 1234')
        },
      })
      ctx.scope.defer(broken)
    },
  })
  await using page = await openPage({ plugins: [trains] })
  expect(await json(page.api('bot'))).toMatchObject({ panels: [{ id: 'trains', title: 'Trains' }, { id: 'broken' }] })
  expect(await json(page.api('panels/trains'))).toEqual({ sections: [{ title: 'Today', rows: [{ to: 'Ueno', at: '10:04' }] }] })
  expect((await page.api('panels/none')).status).toBe(404)
  const broken = await page.api('panels/broken')
  expect([broken.status, await broken.json()]).toEqual([500, { message: 'Something went wrong: see the log.' }])
  expect(page.log).toEqual(['the page asked for something that failed "the secret is 1234"'])
})

test('a panel appears, changes and disappears with its plugin, while the page continues', async () => {
  const trains = definePlugin({
    name: 'trains',
    options: z.strictObject({ title: z.string() }),
    needs: [Panels],
    setup: (ctx, { title }) => ctx.scope.defer(ctx.use(Panels).add({ id: 'trains', title, read: () => [{ text: title }] })),
  })
  await using page = await openPage({ plugins: [trains({ title: 'Trains' })] })
  const shown = async () => (await json<{ panels: object[] }>(page.api('bot'))).panels
  await page.reload([trains({ title: 'Trains to Ueno' })])
  expect(await shown()).toEqual([{ id: 'trains', title: 'Trains to Ueno' }])
  expect(await json(page.api('panels/trains'))).toEqual({ sections: [{ text: 'Trains to Ueno' }] })
  await page.reload([])
  expect(await shown()).toEqual([])
})

test('a panel that does not end is given up', async () => {
  const clock = new VirtualClock()
  const asked = Promise.withResolvers<void>()
  const slow = definePlugin({
    name: 'slow',
    needs: [Panels],
    setup(ctx) {
      const read = () => {
        asked.resolve()
        return new Promise<never>(() => {})
      }
      ctx.scope.defer(ctx.use(Panels).add({ id: 'slow', title: 'Slow', read }))
    },
  })
  await using page = await openPage({ plugins: [slow], clock })
  const answer = page.api('panels/slow')
  await asked.promise
  await clock.advance(10_000, { settle })
  expect((await answer).status).toBe(500)
  expect(page.log).toEqual(['the page asked for something that failed "the panel \\"slow\\" took more than 10 s"'])
})

test('the API describes itself', async () => {
  await using page = await openPage()
  const { openapi, paths } = await json<{ openapi: string; paths: Record<string, Record<string, { summary?: string }>> }>(
    page.api('openapi.json'),
  )
  expect(openapi).toMatch(/^3\./)
  expect(Object.keys(paths)).toContain('/api/playground/messages/{id}')
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  expect(operations.filter(({ summary }) => summary === undefined)).toEqual([])
})

test('a client that does not read is disconnected, and no data pile up', () => {
  const clock = new VirtualClock()
  using feed = createFeed(clock)
  const slow = feed.open('a')
  const event: FeedEvent = { type: 'removed', conversation: 'c', message: 'x'.repeat(10_000) }
  for (let n = 0; n < 200; n++) feed.tell(event)
  expect(slow?.destroyed).toBe(true)
  expect(slow?.readableLength).toBeLessThan(1_100_000)
})

test('a client gets no events after its logout in another process', async () => {
  await using page = await openPage()
  let now = Date.now()
  let beat = () => {}
  const app = { db: page.db, clock: { now: () => now } }
  const sessions = createLogins('a long enough password', app).sessions
  const beats = {
    setInterval(run: () => void) {
      beat = run
    },
    clearInterval() {},
  }
  using feed = createFeed(beats, sessions)
  const begun = await sessions.begin(
    { account: OWNER, password: 'a long enough password' },
    { address: '127.0.0.1', browser: 'test' },
  )
  if (!('session' in begun)) throw new Error('not begun')
  const stream = feed.open(begun.session)
  beat()
  expect(await sessions.who(begun.session)).toBeDefined()
  expect(stream?.destroyed).toBe(false)
  await createLogins('a long enough password', app).sessions.end(begun.session)
  now += 20_000
  beat()
  await expect.poll(() => stream?.destroyed).toBe(true)
})

test('at most fifty pages at once', async () => {
  using feed = createFeed(new VirtualClock())
  const open = Array.from({ length: 51 }, () => feed.open('a'))
  expect(open.filter(Boolean)).toHaveLength(50)
  open[0]?.destroy()
  await sleep(0)
  expect(feed.open('a')).toBeDefined()
})

test('a HEAD request takes no place', async () => {
  await using page = await openPage()
  for (let n = 0; n < 50; n++) expect((await page.api('events', { method: 'HEAD' })).status).toBe(404)
  expect((await page.api('events')).status).toBe(200)
})

test('open pages do not delay the stop', async () => {
  const page = await openPage()
  const events = await page.api('events')
  await Promise.all([page[Symbol.asyncDispose](), expect(events.text()).rejects.toThrow('terminated')])
})
