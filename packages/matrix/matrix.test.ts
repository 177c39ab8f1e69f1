/** A whole bot on a homeserver of this process, with the real matrix-js-sdk. */
import { Channels, definePlugin, Files } from 'kikimimi'
import { checkPlugin, type PlatformBotOptions, platformBot } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import matrix from './index.ts'
import { calling, enter, type Homeserver, startHomeserver, type Visitor, words } from './testing/index.ts'

let opened: AsyncDisposableStack
let server: Homeserver
let alice: Visitor
let bob: Visitor
let kiki: Visitor
let room: string
beforeEach(async () => {
  opened = new AsyncDisposableStack()
  server = opened.use(await startHomeserver())
  const people = await Promise.all(['alice', 'bob', 'kiki'].map(name => enter(server.url, name, name !== 'kiki')))
  for (const person of people) opened.use(person)
  ;[alice, bob, kiki] = people as [Visitor, Visitor, Visitor]
  room = await alice.create({ preset: 'public_chat', name: 'general' }, bob, kiki)
})
afterEach(() => opened.disposeAsync())

interface Given extends Partial<PlatformBotOptions> {
  readonly options?: Partial<Parameters<typeof matrix>[0]>
}

async function start({ options, plugins = [], ...given }: Given = {}) {
  const platform = matrix({ homeserver: server.url, token: kiki.token, ...options })
  return opened.use(await platformBot({ plugins: [platform, ...plugins], ...given }))
}

/** The texts of the bot that people see. */
const texts = () =>
  alice.seen.flatMap(({ sender, type, content }) => (sender === kiki.id && type === 'm.room.message' ? [content.body] : []))
const until = (holds: () => boolean | Promise<boolean>) => expect.poll(holds, { timeout: 10_000 }).toBe(true)
const told = (log: readonly string[], words: string) => log.some(line => line.includes(words))

describe('an answer', () => {
  test('waits as long as the homeserver asks, and is posted once', async () => {
    const { bot } = await start()
    server.fail(kiki.id, /send\/m.room.message/, { status: 429, errcode: 'M_LIMIT_EXCEEDED', retryAfterMs: 700 })
    await alice.send(room, calling(kiki, 'hello'))
    const asked = performance.now()
    await until(() => texts().length === 1)
    expect(performance.now() - asked).toBeGreaterThan(690)
    await bot.drained()
    expect(texts()).toEqual(['yes, alice'])
  })

  test.each(['before', 'after'] as const)('whose connection breaks %s it is posted is sent again, and posted once', async cut => {
    const { bot } = await start()
    server.fail(kiki.id, /send\/m.room.message/, { cut })
    await alice.send(room, calling(kiki, 'hello'))
    await until(() => texts().length === 1)
    await alice.send(room, calling(kiki, 'and now?'))
    await until(() => texts().length === 2)
    await bot.drained()
    expect(texts()).toEqual(['yes, alice', 'yes, alice'])
    expect(server.requests.filter(line => /PUT .*send\/m.room.message/.test(line))).toHaveLength(5)
  })

  test('notifies nobody, and a command is answered as a reply', async () => {
    const { turns } = await start({ answer: () => ({ kind: 'text', text: `@room ${alice.id}` }) })
    const asked = await alice.send(room, words('!kiki help'))
    await until(() => texts().length === 1)
    expect(turns).toEqual([])
    await alice.send(room, words('!kiki how are you?'))
    await until(() => texts().length === 2)
    expect(turns[0]).toMatchObject({ addressed: 'mention', message: { text: 'how are you?' } })
    const [help, answer] = alice.seen.filter(({ sender, type }) => sender === kiki.id && type === 'm.room.message')
    expect(help?.content['m.relates_to']).toEqual({ 'm.in_reply_to': { event_id: asked } })
    expect(answer?.content['m.mentions']).toEqual({})
  })

  test('to a command that only an admin may give comes by the rights in the room', async () => {
    await start()
    await bob.send(room, words('!kiki stop'))
    await until(() => texts().length === 1)
    await alice.send(room, words('!kiki stop'))
    await until(() => texts().length === 2)
    expect(texts()[0]).not.toBe(texts()[1])
  })
})

describe('a message', () => {
  test('mentions by a link of an older client, and not by answering alone', async () => {
    const { turns, bot } = await start()
    const link = `<a href="https://matrix.to/#/${encodeURIComponent(kiki.id)}">kiki</a>: hello`
    await alice.send(room, { msgtype: 'm.text', body: 'kiki: hello', format: 'org.matrix.custom.html', formatted_body: link })
    await until(() => texts().length === 1)
    expect(turns[0]).toMatchObject({ addressed: 'mention', message: { text: 'kiki: hello' } })
    const said = await bob.send(room, words('I am off'))
    const quote = { 'm.relates_to': { 'm.in_reply_to': { event_id: said } }, 'm.mentions': { user_ids: [bob.id] } }
    await alice.send(room, words(`> <${bob.id}> I am off\n\nsee you`, quote))
    await alice.send(room, calling(kiki, 'and you?'))
    await until(() => texts().length === 2)
    await bot.drained()
    const quoted = turns.at(-1)?.history.find(({ text }) => text === 'see you')
    expect(quoted).toMatchObject({ replyTo: said, mentions: [] })
  })

  test('has each mention as a name once, also when a name contains the mention of another person', async () => {
    const { turns } = await start()
    const rename = (person: Visitor, displayname: string) =>
      person.call('PUT', ['profile', person.id, 'displayname'], { displayname })
    await rename(alice, `${bob.id} ${bob.id}`)
    await rename(bob, `${alice.id} ${alice.id}`)
    const other = await alice.create({ preset: 'public_chat', name: 'other' }, bob, kiki)
    const ids = Array.from({ length: 40 }, (_, index) => [alice.id, bob.id][index % 2])
    await bob.send(other, words(`${alice.id} met ${bob.id}`, { 'm.mentions': { user_ids: ids } }))
    await alice.send(other, calling(kiki, 'who met?'))
    await until(() => texts().length === 1)
    const [said] = turns[0]?.history ?? []
    expect(said?.text).toBe(`@${bob.id} ${bob.id} met @${alice.id} ${alice.id}`)
    expect(said?.mentions.map(({ id }) => id)).toEqual([alice.id, bob.id])
  })

  test('is edited by its author alone, and is answered when the edit mentions the bot', async () => {
    const { turns } = await start()
    const said = await alice.send(room, words('the train leaves at nine'))
    const edit = (content: ReturnType<typeof words>) =>
      words('* edited', { 'm.new_content': content, 'm.relates_to': { rel_type: 'm.replace', event_id: said } })
    await bob.send(room, edit(words('alice owes me money')))
    await alice.send(room, edit(calling(kiki, 'when does the train leave?')))
    await until(() => texts().length === 1)
    expect(turns[0]?.history.map(({ text }) => text)).toEqual(['@kiki when does the train leave?'])
  })

  test('that is a notice is by a bot, and fields without sense are left out', async () => {
    const { turns } = await start()
    // As by default, what other bots write is not recorded.
    await bob.send(room, { ...words('build 7 is green'), msgtype: 'm.notice' })
    await bob.send(room, { msgtype: 7, body: ['no'], 'm.relates_to': 'no', 'm.mentions': { user_ids: 'no' } })
    await bob.send(room, words('@', { 'm.mentions': { user_ids: Array(60).fill('@') } }))
    await bob.send(room, { body: 'waves', msgtype: 'm.emote', 'm.relates_to': { 'm.in_reply_to': {} } })
    await alice.send(room, calling(kiki, 'hello'))
    await until(() => texts().length === 1)
    const heard = turns[0]?.history.map(({ author, text }) => [author.name, author.bot, text])
    expect(heard).toEqual([
      ['bob', undefined, '@'],
      ['bob', undefined, '* bob waves'],
      ['alice', undefined, '@kiki hello'],
    ])
  })

  test('has its file, which is fetched with the token', async () => {
    const read: string[] = []
    const reader = definePlugin({
      name: 'reader',
      needs: [Files],
      setup: ctx => ({
        context: async ({ conversation, message, signal }) => {
          read.push(JSON.stringify([message, await ctx.use(Files).read(conversation, message.attachments, { signal })]))
          return undefined
        },
      }),
    })
    await start({ plugins: [reader] })
    const url = await alice.upload('the key is under the mat')
    const caption = calling(kiki, 'what does it say?')
    await alice.send(room, { ...caption, msgtype: 'm.file', url, filename: 'note.txt', info: { mimetype: 'text/plain' } })
    await until(() => read.length === 1)
    expect(read[0]).toContain('the key is under the mat')
    expect(read[0]).toContain('@kiki what does it say?')
    expect(read[0]).not.toContain(kiki.token)
  })
})

describe('a room', () => {
  test('is entered by an invitation, and what was written to the bot meanwhile is answered', async () => {
    const { turns } = await start()
    const direct = await alice.create({ preset: 'private_chat' })
    await alice.send(direct, words('not for the bot'))
    await alice.call('POST', ['rooms', direct, 'invite'], { user_id: kiki.id })
    await alice.send(direct, words('hello?'))
    await until(() => texts().length === 1)
    expect(turns[0]).toMatchObject({ addressed: 'direct', conversation: { visibility: 'direct', workspace: '' } })
    expect(turns[0]?.messages.map(({ text }) => text)).toEqual(['hello?'])
  })

  test('is not entered when invitations are off', async () => {
    const { log } = await start({ options: { invites: 'off' } })
    const other = await alice.create({ name: 'other' })
    await alice.call('POST', ['rooms', other, 'invite'], { user_id: kiki.id })
    await until(() => alice.seen.some(event => event.room === other && event.sender === kiki.id))
    expect(alice.seen.at(-1)).toMatchObject({ state_key: kiki.id, content: { membership: 'leave' } })
    expect(told(log, 'invited by')).toBe(true)
  })

  test('that is or becomes encrypted is left, with the reason', async () => {
    await start()
    const encryption = { type: 'm.room.encryption', content: { algorithm: 'm.megolm.v1.aes-sha2' } }
    const secret = await alice.create({ name: 'secret', initial_state: [{ ...encryption, state_key: '' }] })
    await alice.call('POST', ['rooms', secret, 'invite'], { user_id: kiki.id })
    await alice.call('PUT', ['rooms', room, 'state', encryption.type, ''], encryption.content)
    const left = () => alice.seen.filter(({ sender, content }) => sender === kiki.id && content.membership === 'leave')
    await until(() => left().length === 2)
    for (const { content } of left()) expect(content.reason).toMatch(/cannot read encrypted rooms/)
  })
})

describe('a connection', () => {
  test('that is away for a while loses no message', async () => {
    const { unready, log } = await start()
    expect(await unready()).toBeUndefined()
    for (const path of [/GET .*\/sync/, /GET .*\/sync/]) server.fail(kiki.id, path, { status: 502 })
    await alice.send(room, calling(kiki, 'one'))
    await until(async () => (await unready())?.includes('502') === true)
    await until(() => texts().length === 1)
    await alice.send(room, calling(kiki, 'two'))
    await until(() => texts().length === 2)
    await until(async () => (await unready()) === undefined)
    expect(log.join('\n')).not.toContain(kiki.token)
  })

  test('that was away for more messages than a batch holds reads the others from the history', async () => {
    const { turns } = await start()
    await alice.send(room, calling(kiki, 'before'))
    await until(() => texts().length === 1)
    server.fail(kiki.id, /GET .*\/sync/, { status: 502 })
    await bob.send(room, words('wake it up'))
    for (let count = 1; count <= 120; count++) await bob.send(room, words(`line ${count}`))
    await alice.send(room, calling(kiki, 'how many?'))
    await until(() => texts().length === 2)
    expect(turns.at(-1)?.history.map(({ text }) => text)).toEqual(expect.arrayContaining(['line 90', 'line 120']))
    expect(turns.flatMap(({ history }) => history.map(({ id }) => id))).not.toHaveLength(0)
  })

  test('whose token was revoked ends the bot', async () => {
    const { bot } = await start()
    server.fail(kiki.id, /GET .*\/sync/, { status: 401, errcode: 'M_UNKNOWN_TOKEN' })
    await alice.send(room, words('hello'))
    await expect(bot.failed).rejects.toThrow(/MATRIX_TOKEN/)
  })

  test('is refused with a wrong token, and the error does not tell it', async () => {
    const begun = start({ options: { token: 'wrong-secret' } })
    await expect(begun).rejects.toThrow(/could not connect.*M_UNKNOWN_TOKEN.*MATRIX_TOKEN/)
    await expect(begun).rejects.not.toThrow(/wrong-secret/)
  })
})

test('check tells whose token it is', async () => {
  const found = await checkPlugin(matrix({ homeserver: server.url, token: kiki.token }))
  expect(found).toEqual([{ what: `matrix: the token is that of ${kiki.id}` }])
})

/** Says a text after each answer, in the place and directly. */
const pinger = (text: string) =>
  definePlugin({
    name: 'pinger',
    needs: [Channels],
    setup: ctx => ({
      async after({ conversation, message }) {
        if (message.text.includes('quiet')) return
        const how = { sources: 'none', notify: [message.author] } as const
        await ctx.send(conversation, { kind: 'text', text }, how)
        const direct = await ctx.use(Channels).direct(conversation, message.author)
        if (direct) await ctx.send(direct, { kind: 'text', text }, how)
      },
    }),
  })

test('a message outside of a turn notifies the people whom its plugin names, and directly in a room of two', async () => {
  await start({ plugins: [pinger(`⏰ alice: @room <b>${bob.id}</b> & more`)] })
  await alice.send(room, calling(kiki, 'hello'))
  await until(() => texts().length === 2)
  const posts = () => alice.seen.filter(({ sender, type }) => sender === kiki.id && type === 'm.room.message')
  expect(posts()[1]?.content).toEqual({
    msgtype: 'm.text',
    body: `⏰ alice: @room <b>${bob.id}</b> & more`,
    format: 'org.matrix.custom.html',
    formatted_body: `⏰ <a href="https://matrix.to/#/${encodeURIComponent(alice.id)}">alice</a>: @room &lt;b&gt;${bob.id}&lt;/b&gt; &amp; more`,
    'm.mentions': { user_ids: [alice.id] },
  })
  const made = () => server.requests.filter(line => /POST .*createRoom/.test(line)).length
  const sent = () => server.requests.filter(line => /PUT .*send\/m.room.message/.test(line)).length
  await until(() => made() === 2 && sent() === 4)
  // The same room again, although the person has not joined it yet.
  await alice.send(room, calling(kiki, 'and again'))
  await until(() => sent() === 8)
  expect(made()).toBe(2)
})
