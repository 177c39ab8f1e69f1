import { describe, expect, test } from 'vitest'
import { definePlugin } from '../../api/index.ts'
import { type TestBot, testBot } from '../../testing/index.ts'

const echo = definePlugin({
  name: 'echo',
  setup: () => ({
    commands: [
      {
        name: 'echo',
        does: { en: 'says it again', ja: 'そのまま返す' },
        usage: '[text]',
        permission: 'everyone',
        run: ({ text, words, person, conversation, locale }) =>
          `${person.name}@${conversation.name} ${locale} ${words.length}: ${text}`,
      },
      {
        name: 'break',
        does: { en: 'fails', ja: '失敗する' },
        permission: 'everyone',
        run: () => Promise.reject(new Error('the pipe is blocked')),
      },
      {
        name: 'hang',
        does: { en: 'never answers', ja: '答えない' },
        permission: 'moderator',
        run: () => new Promise<string>(() => {}),
      },
    ],
    status: ({ locale }) => (locale === 'ja' ? 'こだまは元気。' : 'The echo is well.'),
    respond: ({ message }) => ({ kind: 'text', text: `you said ${message.text}` }),
  }),
})

const kiki = (options: Parameters<typeof testBot>[0] = {}) => testBot({ plugins: [echo], ...options })
const messages = async (bot: TestBot) => (await bot.db.query('select 1 from kikimimi.message')).rows.length

describe('a command', () => {
  test('is answered, and is not recorded as a message', async () => {
    await using bot = await kiki({ storage: 'pglite' })
    expect(await bot.command('alice', 'echo  good  morning ')).toBe('alice@general en 2: good  morning')
    expect(bot.posted).toEqual([])
    expect(await bot.traces()).toEqual([])
    expect(await messages(bot)).toBe(0)
  })

  test('of an unknown name is a message to the bot', async () => {
    await using bot = await kiki()
    expect(await bot.command('alice', 'sing a song')).toBeUndefined()
    expect(await bot.command('alice', '')).toBeUndefined()
  })

  test.each(['stop joking', 'help me with this', 'why is the sky blue?', 'start the meeting', 'break a leg'])(
    'with unusable arguments is a message to the bot: %s',
    async text => {
      await using bot = await kiki()
      expect(await bot.command('alice', text, { admin: true })).toBeUndefined()
      expect(await bot.command('alice', 'status')).not.toContain('STOPPED')
    },
  )

  test.each([
    ['en', 'Sorry, that did not work: please try again later.'],
    ['ja', 'すみません、うまくいきませんでした。あとでもう一度試してください。'],
  ] as const)('that throws answers with one sentence: %s', async (locale, said) => {
    await using bot = await kiki({ locale })
    expect(await bot.command('alice', 'break')).toBe(said)
    expect(bot.log).toEqual([expect.stringContaining('the command "break" failed: the pipe is blocked')])
  })

  test('that takes too long does so too', async () => {
    await using bot = await kiki()
    const answer = bot.command('alice', 'hang', { moderator: true })
    await bot.pass('20s')
    expect(await answer).toBe('Sorry, that did not work: please try again later.')
  })

  test.each([
    ['en', /^That is for those who may manage this channel/, /^That is for those who may manage the whole workspace/],
    ['ja', /^これは、このチャンネルの管理者だけが使えます/, /^これは、ワークスペースの管理者だけが使えます/],
  ] as const)('for moderators or for admins is refused to others: %s', async (locale, forModerators, forAdmins) => {
    await using bot = await kiki({ locale })
    expect(await bot.command('alice', 'hang')).toMatch(forModerators)
    for (const command of ['stop', 'start']) {
      for (const moderator of [false, true]) expect(await bot.command('alice', command, { moderator })).toMatch(forAdmins)
    }
    await bot.say('bob', '@kiki hello')
    expect(bot.sent).toHaveLength(1)
  })

  test('works where the bot does not listen', async () => {
    await using bot = await kiki({ listen: { channels: ['dev'] } })
    expect(await bot.command('alice', 'echo hi')).toBe('alice@general en 1: hi')
    expect(await bot.command('alice', 'status')).toContain('I do not listen here.')
    expect(await bot.command('alice', 'status', { locale: 'ja' })).toContain('ここでは会話を聞いていません。')
  })

  test('is answered in the language of its text, of its author’s client, or of the bot', async () => {
    await using bot = await kiki({ locale: 'ja' })
    expect(await bot.command('alice', 'echo')).toContain(' ja ')
    expect(await bot.command('alice', 'echo', { locale: 'en' })).toContain(' en ')
    expect(await bot.command('alice', 'echo これはどうですか', { locale: 'en' })).toContain(' ja ')
  })

  test.each([
    ['alice@general en 3: one\ntwo\nthree', 'one\ntwo\nthree'],
    ['alice@general en 4: one\n\ntwo\nthree\n…', 'one\n\ntwo\nthree\nfour-and-more'],
    ['alice@general en 50: word word word\n…', 'word '.repeat(50)],
  ])('is cut to one message, with a sign that there is more: %j', async (said, text) => {
    await using bot = await kiki({ platform: { textLength: 40 } })
    expect(await bot.command('alice', `echo ${text}`)).toBe(said)
  })

  test('is removed with its plugin, after a reload', async () => {
    await using bot = await kiki()
    await bot.reload({ plugins: [] })
    expect(await bot.command('alice', 'echo hi')).toBeUndefined()
    expect(await bot.command('alice', 'help')).not.toContain('echo')
    await bot.reload({ plugins: [echo] })
    expect(await bot.command('alice', 'echo hi')).toBe('alice@general en 1: hi')
  })

  test.each([
    ['status', '[mine] has a chat command "status", and so has [kikimimi-commands]. Give it another name.'],
    ['echo', '[mine] has a chat command "echo", and so has [echo]. Give it another name.'],
    ['Say it', '[mine] has a chat command "Say it": use lower-case words with hyphens, such as "forget-me".'],
  ])('called %s is refused at the start', async (name, message) => {
    const does = { en: '', ja: '' }
    const mine = definePlugin({
      name: 'mine',
      setup: () => ({ commands: [{ name, does, permission: 'everyone', run: () => 'no' }] }),
    })
    await expect(testBot({ plugins: [echo, mine] })).rejects.toThrow(message)
  })
})

describe('help', () => {
  test.each([
    [
      'en',
      ['What you can tell me with /kiki:', '• echo [text]: says it again', 'I say nothing at all in this workspace (admins)'],
    ],
    [
      'ja',
      [
        '/kiki に続けて使えるコマンド：',
        '• echo [text]: そのまま返す',
        'このワークスペースで話すのをやめます（ワークスペースの管理者のみ）',
      ],
    ],
  ] as const)('lists them all: %s', async (locale, parts) => {
    await using bot = await kiki({ locale })
    const help = (await bot.command('alice', 'help')) ?? ''
    for (const part of parts) expect(help).toContain(part)
    for (const name of ['help', 'status', 'why', 'stop', 'start']) expect(help).toMatch(new RegExp(`^• ${name}\\b`, 'm'))
  })
})

describe('status', () => {
  test('shows the state of the bot', async () => {
    await using bot = await kiki()
    expect(await bot.command('alice', 'status')).toBe(
      [
        'I hear the messages in #general.',
        'The echo is well.',
        'I am connected.',
        'I have no model, and answer by simple rules.',
        'I have not spoken here yet.',
      ].join('\n'),
    )
    await bot.say('alice', '@kiki hello')
    await bot.pass('5m')
    expect(await bot.command('alice', 'status')).toContain('I last spoke here 5 minutes ago.')
  })

  test('in Japanese', async () => {
    await using bot = await kiki({ locale: 'ja' })
    await bot.say('alice', '@kiki hello')
    await bot.pass('2h')
    expect(await bot.command('alice', 'status')).toBe(
      [
        '#general の会話を聞いています。',
        'こだまは元気。',
        '接続しています。',
        'モデルを使わずに、簡単な規則で答えています。',
        'ここで最後に話したのは2時間前です。',
      ].join('\n'),
    )
  })

  test('with a model and a budget', async () => {
    const asks = definePlugin({
      name: 'asks',
      setup: ctx => ({
        respond: async () => ({
          kind: 'text',
          text: await ctx.models.text('chat', {
            system: 'You are kiki.',
            messages: [{ role: 'user', text: 'hi' }],
            maxTokens: 400,
          }),
        }),
      }),
    })
    await using bot = await testBot({ plugins: [asks], model: 'Hello.', budget: { day: { tokens: 1_000 } } })
    expect(await bot.command('alice', 'status')).toContain('100 % of my budget is left.')
    await bot.say('alice', '@kiki hello')
    const [, left] = /^(\d+) % of my budget is left\.$/m.exec((await bot.command('alice', 'status')) ?? '') ?? []
    expect(Number(left)).toBeLessThan(100)
    expect(await bot.command('alice', 'status')).toContain('Models: scripted.')
  })
})

describe('why', () => {
  test('shows the last turn of this conversation, and of no other', async () => {
    await using bot = await kiki()
    expect(await bot.command('alice', 'why')).toBe('I have not judged any message here yet.')
    await bot.say('alice', '@kiki hello')
    await bot.pass('3m')
    expect(await bot.command('alice', 'why')).toBe('3 minutes ago: I answered.\nWhy: addressed by mention\nScore: 0')
    expect(await bot.command('alice', 'why', { channel: 'dev' })).toBe('I have not judged any message here yet.')
  })

  test('in Japanese', async () => {
    await using bot = await kiki({ locale: 'ja' })
    await bot.say('alice', 'hello')
    await bot.pass('3m')
    expect(await bot.command('alice', 'why')).toMatch(/^\d分前: 黙っていました。\n理由：no plugin decided to speak\n点数：0$/)
  })

  test('does not show the text of an error', async () => {
    await using bot = await kiki()
    bot.platform.faults.push(new Error('connect ECONNREFUSED proxy.internal:3128'))
    await bot.say('alice', '@kiki hello')
    expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: expect.stringContaining('proxy.internal') })
    expect(await bot.command('alice', 'why')).toBe(
      'just now: I wanted to answer, and could not.\nWhy: addressed by mention\nScore: 0',
    )
  })

  test('shows that no responder had an answer', async () => {
    await using bot = await kiki({ plugins: [] })
    await bot.say('alice', '@kiki hello')
    expect(await bot.command('alice', 'why')).toContain('Because: no responder had an answer')
  })

  test('finds the turn of a message by its id, by a link, or by the bot’s message', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello', { id: '1700000000.123456' })
    await bot.say('alice', 'never mind', { id: '2' })
    await bot.pass('1m')
    const [answer] = bot.posted
    expect(await bot.command('alice', 'why')).toContain('I was silent.')
    for (const text of [
      '1700000000.123456',
      'https://kiki.slack.com/archives/C1/p1700000000123456?thread_ts=1',
      'https://chat.example/channels/1/2/1700000000.123456',
      answer?.kind === 'text' ? answer.id : '',
    ]) {
      expect(await bot.command('alice', `why ${text}`)).toContain('I answered.')
      expect(await bot.command('alice', `why ${text}`, { channel: 'dev' })).toMatch(/^I have no record of that message/)
    }
  })
})
