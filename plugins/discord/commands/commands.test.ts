import { type DiscordEmulator, type Interaction, startDiscord } from '@kikimimi/discord/testing'
import { definePlugin, type Reply, systemClock } from 'kikimimi'
import { definePlatform, type PlatformContext } from 'kikimimi/platform'
import { connectTestDatabase, openTestDatabase, VirtualClock } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, type KikiOptions, startKiki, until } from '../test-bot.ts'

const CALLBACK = 'POST /interactions/:id/:token/callback'
const ORIGINAL = '/webhooks/:app/:token/messages/@original'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({
    guilds: [{ name: 'team', channels: ['general', { name: 'vault', hidden: true }], emojis: ['party'] }],
  })
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

const start = async (given?: KikiOptions) => {
  kiki = await startKiki(discord, given)
}
const ask = (text: string, channel?: string) =>
  discord.command({ author: 'alice', name: 'kiki', text, ...(channel && { channel }) })
const answers = () => discord.posted.map(({ text }) => text)
const calls = (method: string, path: RegExp) => discord.calls.filter(call => call.method === method && path.test(call.path))
const warnings = () => kiki.log.filter(line => line.includes('"level":"warn"'))
const ended = async (turns: number) => until(async () => (await kiki.traces()).length >= turns)
/** Neither "thinking…" nor an answer is shown. */
const isGone = ({ deferred, original }: Interaction) => !deferred && original === undefined

describe('the command', () => {
  test('is registered at the start, in English and Japanese', async () => {
    await start()
    await discord.until(() => discord.commands.length > 0)
    expect(discord.commands).toMatchObject([
      {
        name: 'kiki',
        description: 'Say something to the bot',
        description_localizations: { ja: 'ボットに話しかけます' },
      },
    ])
    const [{ options = [] } = {}] = discord.commands as { options?: { name: string }[] }[]
    const about = ['ask', 'help', 'why', 'settings']
    expect(options.filter(({ name }) => about.includes(name))).toMatchObject([
      {
        name: 'ask',
        name_localizations: { ja: '話す' },
        options: [{ name: 'text', required: true, description_localizations: { ja: '言いたいこと' } }],
      },
      { name: 'help', name_localizations: { ja: 'ヘルプ' }, options: [] },
      { name: 'why', options: [{ name: 'link-or-id', required: false }] },
      {
        name: 'settings',
        name_localizations: { ja: '設定' },
        options: [
          { name: 'option', required: false, autocomplete: true },
          { name: 'value', required: false, autocomplete: true },
        ],
      },
    ])
  })

  test('replaces no other command', async () => {
    const commands = `${discord.apiUrl}/v10/applications/${discord.bot.id}/commands`
    const headers = { Authorization: `Bot ${discord.token}`, 'Content-Type': 'application/json' }
    for (const command of [{ name: 'weather' }, { name: 'kiki', description: 'old' }]) {
      await fetch(commands, { method: 'POST', headers, body: JSON.stringify(command) })
    }
    await start()
    await discord.until(() => calls('POST', /commands$/).length === 3)
    await discord.until(() => calls('POST', /commands$/).at(-1)?.status === 200)
    expect(discord.commands).toMatchObject([{ name: 'weather' }, { name: 'kiki', description: 'Say something to the bot' }])
  })

  test.each([
    ['Kiki', 'kiki'],
    ['キキ', 'キキ'],
    ['Kiki the Cat', 'kiki'],
    ['!', 'kiki'],
  ])('of a bot that is called %s is /%s', async (name, command) => {
    await start({ config: { persona: { name } } })
    await discord.until(() => discord.commands.length > 0)
    expect(discord.commands).toMatchObject([{ name: command }])
  })

  test('that Discord refuses gives one warning, and the bot continues', async () => {
    discord.fail('POST /applications/:id/commands', { status: 400, code: 50035, message: 'Invalid Form Body' })
    await start()
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(warnings()).toEqual([expect.stringContaining('the command /kiki could not be registered: Discord: 50035')])
  })

  test('of another application is ignored', async () => {
    await start()
    discord.command({ author: 'alice', name: 'weather', text: 'tomorrow' })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(calls('POST', /callback/)).toEqual([])
    expect(kiki.turns).toHaveLength(1)
  })
})

describe('a question with the command', () => {
  test('is answered in its place, below the question', async () => {
    await start()
    const asked = ask('when is lunch?')
    await discord.until(() => asked.answers.length > 0)
    expect(asked.answers).toEqual(['> alice: when is lunch?\nyes, alice'])
    expect(answers()).toEqual(asked.answers)
    expect(kiki.turns).toMatchObject([
      {
        addressed: 'mention',
        conversation: { name: 'general', visibility: 'public' },
        message: { id: asked.id, text: 'when is lunch?', author: { name: 'alice' }, mentions: [{ name: 'kiki' }] },
      },
    ])
  })

  test('is acknowledged first, so that people see "thinking…"', async () => {
    const thinking = Promise.withResolvers<Reply>()
    await start({ answer: () => thinking.promise })
    const before = discord.calls.length
    const asked = ask('think hard')
    await discord.until(() => kiki.turns.length > 0 && asked.deferred)
    const [first] = discord.calls.slice(before).filter(({ path }) => !path.endsWith('/commands'))
    expect(first).toMatchObject({ path: `/interactions/${asked.id}/${asked.token}/callback`, body: { type: 5 } })
    expect(answers()).toEqual([])
    thinking.resolve({ kind: 'text', text: 'done' })
    await discord.until(() => !asked.deferred)
    expect(answers()).toEqual(['> alice: think hard\ndone'])
  })

  test('is recorded as it was written, without "thinking…"', async () => {
    await start()
    ask('when is lunch?')
    await ended(1)
    discord.say({ author: 'bob', text: 'at noon?', replyTo: discord.posted[0]?.id ?? '' })
    await discord.until(() => answers().length === 2)
    expect(kiki.turns[1]?.addressed).toBe('reply')
    expect(kiki.turns[1]?.history.map(({ author, text }) => `${author.name}: ${text}`)).toEqual([
      'alice: when is lunch?',
      'kiki: yes, alice',
      'bob: at noon?',
    ])
  })

  test('can have a long answer: further parts follow, each once', async () => {
    const words = Array.from({ length: 600 }, (_, index) => `word${index}`)
    await start({ answer: () => ({ kind: 'text', text: words.join(' ') }) })
    discord.fail('POST /channels/:id/messages', { status: 500, afterwards: true })
    const asked = ask('tell me all')
    await ended(1)
    expect(answers().length).toBeGreaterThan(1)
    expect(asked.answers).toEqual(answers().slice(0, 1))
    expect(
      answers()
        .join(' ')
        .match(/word\d+/g),
    ).toEqual(words)
  })

  describe('where the bot may not post', () => {
    const words = Array.from({ length: 700 }, (_, index) => `word${index}`)
    const atLength = () => ({ kind: 'text', text: `${words.join(' ')} @everyone` }) as const

    test('a long answer works too, and notifies nobody', async () => {
      await start({ answer: atLength })
      const asked = ask('tell me all', 'vault')
      await ended(1)
      expect(asked.answers.length).toBeGreaterThan(2)
      expect(asked.answers.join(' ').match(/word\d+/g)).toEqual(words)
      expect(discord.posted.map(({ text, everyone }) => [text, everyone])).toEqual(asked.answers.map(text => [text, false]))
      expect((await kiki.traces())[0]?.outcome).toBe('replied')
    })

    test('after an error of Discord, no part is posted twice', async () => {
      await start({ answer: atLength })
      discord.fail('POST /webhooks/:app/:token', { status: 500, afterwards: true })
      const asked = ask('tell me all', 'vault')
      await ended(1)
      expect(asked.answers).toHaveLength(2)
      expect((await kiki.traces())[0]?.problems).toEqual([])
      expect(warnings()).toEqual([expect.stringContaining('could not send: Discord')])
    })

    test('only answers are posted: not elsewhere, and not a minute later', async () => {
      const clock = new VirtualClock(Date.now())
      const ticking = setInterval(() => void clock.advance(clock.now() + 5, { settle: async () => {} }), 5)
      const [herald, lent] = lending()
      try {
        await start({ plugins: [herald], parts: { clock } })
        const [here, there] = [ask('are you there?', 'vault'), ask('and here?', 'general')]
        await ended(2)
        const place = kiki.turns.find(({ message }) => message.id === here.id)?.conversation
        if (!place) throw new Error('nobody asked')
        await lent().send(place, { kind: 'text', text: 'one more thing' }, { sources: 'none' })
        await clock.advance(clock.now() + 60_000, { settle: () => soon() })
        await expect(lent().send(place, { kind: 'text', text: 'too late' }, { sources: 'none' })).rejects.toThrow(
          'cannot see the channel',
        )
        expect([here, there].map(one => one.answers.slice(1))).toEqual([['one more thing'], []])
      } finally {
        clearInterval(ticking)
      }
    })
  })

  test('the quote is one line, shortened, with names instead of ids', async () => {
    await start()
    discord.say({ author: 'bob', text: 'hello' })
    const asked = ask(`ask @bob\n<:party:123456789> ${'very '.repeat(100)}long`)
    await discord.until(() => asked.answers.length > 0)
    const [quote = '', ...rest] = asked.answers[0]?.split('\n') ?? []
    expect(quote).toMatch(/^> alice: ask @bob :party: very very .*…$/)
    expect(quote).toHaveLength('> alice: '.length + 200)
    expect(rest).toEqual(['yes, alice'])
  })

  test('neither the quote nor the answer notifies people', async () => {
    await start({ answer: () => ({ kind: 'text', text: 'no, @everyone' }) })
    ask('wake @everyone up')
    await discord.until(() => discord.posted.length > 0)
    expect(discord.posted).toMatchObject([{ text: '> alice: wake @everyone up\nno, @everyone', everyone: false }])
  })

  test('it works in threads, direct messages, and channels that the bot cannot see', async () => {
    await start()
    const places = [discord.thread({ channel: 'general', name: 'plans' }), discord.direct('alice'), 'vault']
    const asked = places.map(place => ask('here?', place))
    await discord.until(() => asked.every(one => one.answers.length > 0))
    expect(asked.map(one => one.answers)).toEqual(places.map(() => ['> alice: here?\nyes, alice']))
    expect(kiki.turns.map(({ conversation }) => conversation.visibility).toSorted()).toEqual(['direct', 'private', 'public'])
  })

  test('a reaction is shown as an emoji in its place', async () => {
    await start({ answer: () => ({ kind: 'reaction', emoji: ':party:' }) })
    const asked = ask('we did it')
    await discord.until(() => asked.answers.length > 0)
    expect(asked.answers).toEqual([expect.stringMatching(/^> alice: we did it\n<:party:\d+>$/)])
  })

  test('it is answered once, although Discord delivers it twice', async () => {
    await start()
    discord.cut('socket')
    const asked = ask('while you were away')
    await discord.until(() => asked.answers.length > 0)
    discord.redeliver(asked.id)
    discord.say({ author: 'bob', text: '@kiki hello' })
    await discord.until(() => answers().length === 2)
    expect(answers()).toEqual(['> alice: while you were away\nyes, alice', 'yes, bob'])
    expect(discord.calls.map(({ method }) => method)).toContain('RESUME')
    expect(calls('POST', /callback/)).toHaveLength(1)
  })
})

describe('without an answer, "thinking…" is removed', () => {
  test.each<[string, KikiOptions]>([
    ['silent', { plugins: [silence()] }],
    ['without an answer', { answer: () => undefined, config: { apology: false } }],
    ['failed', { answer: () => Promise.reject(new Error('nothing comes to mind')), config: { apology: false } }],
  ])('%s', async (_, given) => {
    await start(given)
    const asked = ask('are you there?')
    await ended(1)
    await discord.until(() => isGone(asked))
    expect(asked.answers).toEqual([])
    expect(answers()).toEqual([])
  })

  test('in a channel without `listen`', async () => {
    await start({ config: { listen: { except: ['general'] } } })
    const asked = ask('are you there?')
    await discord.until(() => calls('DELETE', /@original$/).length > 0)
    expect(isGone(asked)).toBe(true)
    expect(kiki.turns).toEqual([])
  })

  test('an apology replaces it', async () => {
    await start({ answer: () => Promise.reject(new Error('nothing comes to mind')), config: { apology: 'Not now, sorry.' } })
    const asked = ask('are you there?')
    await discord.until(() => asked.answers.length > 0)
    expect(asked.answers).toEqual(['> alice: are you there?\nNot now, sorry.'])
    await ended(1)
    expect(answers()).toEqual(asked.answers)
  })

  test('after a cancellation, because the message was deleted: the next turn answers', async () => {
    const thinking = Promise.withResolvers<Reply>()
    await start({
      answer: ({ message }) => (message.text === '@kiki two' ? thinking.promise : { kind: 'text', text: 'in time' }),
    })
    const two = discord.say({ author: 'bob', text: '@kiki two' })
    await until(() => kiki.turns.length === 1)
    const one = ask('one')
    await discord.until(() => one.deferred)
    discord.delete(two)
    await discord.until(() => one.answers.length > 0)
    await ended(2)
    expect((await kiki.traces()).map(({ outcome }) => outcome).toReversed()).toEqual(['cancelled', 'replied'])
    expect(one.answers).toEqual(['> alice: one\nin time'])
  })

  test('if another answer covers it', async () => {
    const added = Promise.withResolvers<void>()
    await start({
      async answer(turn) {
        await added.promise
        const more = await turn.takeAdditions()
        return { kind: 'text', text: ['wait', ...more.map(({ text }) => text)].join(' and ') }
      },
    })
    const first = ask('wait')
    await until(() => kiki.turns.length === 1)
    const second = ask('one')
    await discord.until(() => first.deferred && second.deferred)
    added.resolve()
    await discord.until(() => first.answers.length > 0 && (isGone(second) || second.answers.length > 0))
    expect([...first.answers, ...second.answers].join('\n')).toContain('wait')
    expect(first.deferred || second.deferred).toBe(false)
  })

  test('if the bot stops', async () => {
    await start({ plugins: [silence(60_000)] })
    const asked = ask('are you there?')
    await ended(1)
    await discord.until(() => asked.deferred)
    await kiki.bot.stop()
    expect(isGone(asked)).toBe(true)
  })

  test('if the bot stops while it receives the command', async () => {
    const filtering = Promise.withResolvers<void>()
    await start({ plugins: [slow(filtering.resolve)] })
    const asked = ask('are you there?')
    await filtering.promise
    await discord.until(() => asked.deferred)
    await kiki.bot.stop()
    expect(isGone(asked)).toBe(true)
    expect(warnings()).toEqual([])
  })

  test('if the bot stops and Discord does not respond: the stop ends, with a warning', async () => {
    await start({ plugins: [silence(60_000)] })
    const asked = ask('are you there?')
    await ended(1)
    await discord.until(() => asked.deferred)
    discord.fail(`GET ${ORIGINAL}`, 'hang', 10)
    await kiki.bot.stop()
    expect(isGone(asked)).toBe(false)
    expect(warnings()).toEqual([expect.stringContaining('an unanswered command may still show')])
  })

  test('after the time limit, the answer is posted in the channel', async () => {
    const clock = new VirtualClock(Date.now())
    const minutes = (count: number) => clock.advance(clock.now() + count * 60_000, { settle: () => soon() })
    const ticking = setInterval(() => void clock.advance(clock.now() + 5, { settle: async () => {} }), 5)
    try {
      await start({ plugins: [silence(16 * 60_000)], parts: { clock } })
      const asked = ask('what is the answer?')
      await ended(1)
      await minutes(14)
      expect(asked.deferred).toBe(true)
      await minutes(1)
      await discord.until(() => isGone(asked))
      expect(answers()).toEqual([])
      await minutes(2)
      await discord.until(() => answers().length > 0)
      expect(answers()).toEqual(['yes, alice'])
      expect(asked.answers).toEqual([])
    } finally {
      clearInterval(ticking)
    }
  })
})

describe('errors of Discord', () => {
  test.each<[string, Parameters<DiscordEmulator['fail']>]>([
    ['a 500 instead of the acknowledgement', [CALLBACK, { status: 500 }]],
    ['an acknowledgement without an answer', [CALLBACK, { status: 500, afterwards: true }]],
    ['a 500 instead of the answer', [`PATCH ${ORIGINAL}`, { status: 500 }]],
    ['an answer that was taken without a word', [`PATCH ${ORIGINAL}`, { status: 500, afterwards: true }]],
    ['429', [`PATCH ${ORIGINAL}`, { status: 429, retryAfter: 0.1 }]],
  ])('%s: the answer is posted in its place only', async (_, fault) => {
    await start()
    discord.fail(...fault)
    const asked = ask('are you there?')
    await until(async () => (await kiki.traces())[0]?.outcome === 'replied')
    expect(answers()).toEqual(['> alice: are you there?\nyes, alice'])
    expect(asked.original?.content).toBe(answers()[0])
    expect(calls('POST', /messages$/)).toEqual([])
    expect(warnings()).toEqual([])
  })

  test.each<[string, Parameters<DiscordEmulator['fail']>]>([
    ['too late to acknowledge', [CALLBACK, { status: 404, code: 10062, message: 'Unknown interaction' }]],
    ['too late to answer', [`PATCH ${ORIGINAL}`, { status: 404, code: 10015, message: 'Unknown Webhook' }]],
    ['no right to answer', [`PATCH ${ORIGINAL}`, { status: 401, code: 50027, message: 'Invalid Webhook Token' }]],
  ])('%s: the answer is posted in the channel', async (_, fault) => {
    await start()
    discord.fail(...fault)
    const asked = ask('are you there?')
    await discord.until(() => answers().length > 0)
    expect(answers()).toEqual(['> alice: are you there?\nyes, alice'])
    expect(asked.answers).toEqual([])
    expect(kiki.failure()).toBeUndefined()
  })
})

describe('after a restart', () => {
  test('a bot with a data folder posts the answer in the channel', async () => {
    await using scope = new AsyncDisposableStack()
    const db = scope.adopt(await connectTestDatabase('memory'), opened => opened.close())
    scope.defer(() => kiki.bot.stop())
    await start({ plugins: [silence(60_000)], parts: { db } })
    const asked = ask('are you there?')
    await ended(1)
    await kiki.bot.stop()
    expect(isGone(asked)).toBe(true)
    // The next process starts when the delay is over.
    await start({ parts: { db, clock: { ...systemClock, now: () => Date.now() + 60_000 } } })
    await discord.until(() => answers().length > 0)
    expect(answers()).toEqual(['yes, alice'])
  })

  test('an answer of a process that died is not posted again', async () => {
    await using scope = new AsyncDisposableStack()
    const db = scope.adopt(await openTestDatabase(), opened => opened.close())
    scope.defer(() => kiki.bot.stop())
    await start({ parts: { db } })
    const asked = ask('are you there?')
    await until(async () => (await kiki.traces())[0]?.outcome === 'replied')
    await kiki.bot.stop()
    // The state after the crash.
    await db.query(`delete from kikimimi.message where own`)
    await db.query(`update kikimimi.delivery set state = 'sending', body = 'yes, alice', message = null`)
    await start({ parts: { db } })
    discord.say({ author: 'bob', text: '@kiki hello' })
    await discord.until(() => answers().length > 1)
    expect(answers()).toEqual(['> alice: are you there?\nyes, alice', 'yes, bob'])
    expect(asked.answers).toHaveLength(1)
    expect(kiki.turns[0]?.history.flatMap(({ own, text }) => (own ? [] : text))).toEqual(['are you there?', '@kiki hello'])
  })
})

/** A decision to be silent, or to answer later. */
function silence(delayMs?: number) {
  const decide = () => (delayMs ? ({ kind: 'full', why: 'later', delayMs } as const) : ({ kind: 'silent', why: 'busy' } as const))
  return definePlugin({ name: 'silence', setup: () => ({ decide }) })
}

/** A plugin that exposes its context. */
function lending() {
  let given: PlatformContext | undefined
  const lent = () => {
    if (!given) throw new Error('the bot has not started')
    return given
  }
  const setup = (ctx: PlatformContext) => {
    given = ctx
    return {}
  }
  return [definePlatform({ name: 'herald', setup }), lent] as const
}

/** A plugin that filters until the bot stops. */
function slow(begun: () => void) {
  return definePlugin({
    name: 'slow',
    setup: () => ({
      async filter(_, { signal }) {
        begun()
        await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      },
    }),
  })
}

/** Lets pending work on loopback run. */
function soon(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 2))
}
