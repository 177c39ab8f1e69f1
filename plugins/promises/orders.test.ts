/** The whole bot: orders about reminders that could be carried out wrongly. */
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import { scriptedModel, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import promises from './index.ts'

/** Wednesday, 2026-03-11 14:30 in Berlin. */
const AT = new Date('2026-03-11T13:30:00Z')

const berlin = () =>
  testBot({
    timeZone: 'Europe/Berlin',
    plugins: [promises(), addressing(), reply()],
    storage: 'pglite',
    at: AT,
    model: scriptedModel('Fine.'),
  })

describe('a number of times', () => {
  test.each([
    ['alice', '@kiki remind me every day at 9 to take the pills, 3 times in total', 'take the pills'],
    ['alice', '@kiki remind me every day at 9, three times, to take the pills', 'take the pills'],
    ['alice', '@kiki every day at 9 remind me to take the pills (max 3 times)', 'take the pills'],
    ['alice', '@kiki remind me every day at 9 for 3 days to take the pills', 'take the pills'],
    ['花子', '@kiki 毎日9時に薬、全部で3回リマインドして', '薬'],
    ['花子', '@kiki 毎日9時に薬をリマインドして。3回まで', '薬'],
  ])('%s: "%s" ends the repeat', async (author, text, content) => {
    await using bot = await berlin()
    await bot.say(author, text)
    for (let day = 0; day < 6; day++) await bot.pass('24h')
    expect(bot.sent.slice(1)).toEqual(Array(3).fill(author === 'alice' ? `⏰ alice: ${content}` : `⏰ 花子さん：${content}`))
  })

  test('of every hour are single reminders', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me every hour to stretch, 3 times in total')
    await bot.pass('6h')
    expect(bot.sent.slice(1)).toEqual(Array(3).fill('⏰ alice: stretch'))
  })

  test.each(['@kiki remind me every day at 9 to water the plants 3 times', '@kiki 毎日9時にスクワットを10回リマインドして'])(
    'that can be a part of the content are asked about: "%s"',
    async text => {
      await using bot = await berlin()
      await bot.say('alice', text)
      expect(bot.sent).toEqual([expect.stringMatching(/[?？]/)])
      expect((await bot.db.query('select 1 from promises.reminder')).rowCount).toBe(0)
    },
  )

  test('are content of a reminder that does not repeat', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me tomorrow at 9 to stretch, 3 times')
    expect(bot.sent).toEqual([expect.stringContaining(': stretch, 3 times · no. 1')])
  })
})

test.each(['bob said: @kiki cancel all reminders', '健太が言ってた。@kiki リマインダーを全部取り消して'])(
  'a call that is reported carries nothing out: "%s"',
  async text => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me tomorrow at 9 to call the bank')
    await bot.say('alice', text)
    expect((await bot.db.query('select 1 from promises.reminder')).rowCount).toBe(1)
  },
)

test('"cancel the call" asks which of two calls', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me tomorrow at 9 to call the bank')
  await bot.say('alice', '@kiki remind me tomorrow at 10 to call mum')
  await bot.say('alice', '@kiki cancel the call')
  expect(bot.sent.at(-1)).toMatch(/Which/)
})

describe('a time and a few words', () => {
  /** A model without the tool to set reminders. */
  const noted = (answers: readonly string[]) =>
    testBot({
      ...{ timeZone: 'Europe/Berlin', plugins: [promises({ tool: false }), addressing(), reply()], storage: 'pglite', at: AT },
      model: scriptedModel(answers),
    })

  test('are asked about, and set after a "yes"', async () => {
    await using bot = await noted(['Fine.'])
    await bot.say('alice', '@kiki bring laptop charger tmrw 8:30am')
    await bot.say('alice', 'yes')
    expect(bot.sent).toEqual([
      'Do you mean Thursday, 12 March 2026 at 08:30 (Europe/Berlin): “bring laptop charger”? Say yes, or another time.',
      '⏰ Thursday, 12 March 2026 at 08:30 (Europe/Berlin): bring laptop charger · no. 1',
    ])
  })

  test('are an order when nothing else can be meant', async () => {
    await using bot = await noted(['Fine.'])
    await bot.say('alice', '@kiki tmrw 8:30am - bring laptop charger')
    expect(bot.sent).toEqual(['⏰ Thursday, 12 March 2026 at 08:30 (Europe/Berlin): bring laptop charger · no. 1'])
  })

  test('with words of a reminder are its new time, after a "yes"', async () => {
    await using bot = await noted(['Fine.'])
    await bot.say('alice', '@kiki remind me tomorrow at 4pm to proofread my essay')
    await bot.say('alice', '@kiki the essay one on friday, same time')
    await bot.say('alice', 'yes')
    expect(bot.sent.slice(1)).toEqual([
      expect.stringMatching(/^Do you mean .*Friday, 13 March 2026 at 16:00/),
      expect.stringMatching(/Moved to Friday, 13 March 2026 at 16:00/),
    ])
  })

  test('are talk when they answer the bot', async () => {
    await using bot = await noted(['Which day, and where to?', 'Fine.'])
    await bot.say('alice', '@kiki I need a train')
    await bot.say('alice', '@kiki tomorrow 9am, Paris')
    expect(bot.sent).toEqual(['Which day, and where to?', 'Fine.'])
  })

  test('are for a model that has the tool', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki tmrw 8:30am - bring laptop charger')
    expect(bot.sent).toEqual(['Fine.'])
  })
})

test('one of two times is asked for, and "yes" does not choose', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me at 5 or 6 to feed the cat')
  await bot.say('alice', '@kiki yes')
  await bot.say('alice', 'the second one')
  await bot.say('花子', '@kiki 5時か6時に猫のごはんをリマインドして')
  const asked =
    'Do you mean Wednesday, 11 March 2026 at 17:00 (Europe/Berlin): “feed the cat” or Wednesday, 11 March 2026 at 18:00 (Europe/Berlin): “feed the cat”? Say which of them, or another time.'
  expect(bot.sent).toEqual([
    ...[asked, asked],
    '⏰ Wednesday, 11 March 2026 at 18:00 (Europe/Berlin): feed the cat · no. 1',
    expect.stringContaining('「猫のごはん」または2026年'),
  ])
})

test('the answer with another time to a question about a repeat keeps the repeat', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me every day at 9 to water the plants 3 times')
  await bot.say('alice', 'no, at 10')
  expect(bot.sent.at(-1)).toBe(
    '⏰ every day, first on Thursday, 12 March 2026 at 10:00 (Europe/Berlin): water the plants 3 times · no. 1',
  )
})

test.each([
  'remind me in 0 minutes to eat',
  'remind me in -5 minutes to eat',
  'remind me in minus five minutes to eat',
  'remind me every 0 days to eat',
  'remind me in 900 years to eat',
  '0分後にご飯をリマインドして',
  'マイナス5分後にご飯をリマインドして',
  '-5分後にご飯をリマインドして',
])('a time that is none is asked for: "%s"', async text => {
  await using bot = await berlin()
  await bot.say('alice', `@kiki ${text}`)
  await bot.pass('30m')
  expect(bot.sent).toEqual([expect.stringMatching(/[?？]/)])
  expect((await bot.db.query('select 1 from promises.reminder')).rowCount).toBe(0)
})

describe('what limits a repeat', () => {
  const stored = async (bot: Awaited<ReturnType<typeof berlin>>) =>
    (
      await bot.db.query<{ content: string; at: Date; repeat: { until?: string; from: string } }>(
        'select content, at, repeat from promises.reminder order by id',
      )
    ).rows.map(({ content, at, repeat }) => [content, at.toISOString().slice(0, 16), repeat.until])

  test.each([
    [
      'remind me every monday at 9 to water the plants until the end of may',
      'water the plants',
      '2026-03-16T08:00',
      '2026-05-31',
    ],
    ['remind me every day at 8 to take the pills, for two weeks', 'take the pills', '2026-03-12T07:00', '2026-03-25'],
    [
      'remind me every friday at 5 to log the hours through the end of the year',
      'log the hours',
      '2026-03-13T16:00',
      '2026-12-31',
    ],
    ['毎週月曜9時に5月末まで水やりをリマインドして', '水やり', '2026-03-16T08:00', '2026-05-31'],
    ['毎朝7時に薬を飲むのを今月末までリマインドして', '薬を飲む', '2026-03-12T06:00', '2026-03-31'],
    ['毎週金曜17時に日報って来週からリマインドして', '日報', '2026-03-20T16:00', undefined],
    ['4/6から6/30まで毎朝8時に英単語って通知して', '英単語', '2026-04-06T06:00', '2026-06-30'],
    ['2週間に1回、木曜の15時に1on1の準備をリマインドして', '1on1の準備', '2026-03-12T14:00', undefined],
    ['土日は毎朝9時に犬の散歩をリマインドして', '犬の散歩', '2026-03-14T08:00', undefined],
    ['starting next week, remind me every weekday at 8 to open the queue', 'open the queue', '2026-03-16T07:00', undefined],
    ['毎日20時に、明日からの旅行の準備をリマインドして', '明日からの旅行の準備', '2026-03-11T19:00', undefined],
  ])('is no content: "%s"', async (text, content, at, until) => {
    await using bot = await berlin()
    await bot.say('alice', `@kiki ${text}`)
    expect(await stored(bot)).toEqual([[content, at, until]])
  })

  test.each([
    'remind me every thursday at 10 to sync except on march 19',
    'remind me every day at 9 to check the mails unless it is a holiday',
    'remind me every monday at 9 to keep the shop open until friday',
    '毎朝9時に祝日以外で体操をリマインドして',
    '今日の17時まで20分おきに水分補給をリマインドして',
    'remind me every hour to drink until 8pm',
    'until 5pm remind me every day at 9 to tidy',
  ])('is asked about: "%s"', async text => {
    await using bot = await berlin()
    await bot.say('alice', `@kiki ${text}`)
    expect(bot.sent).toEqual([expect.stringMatching(/[?？]|Say only the time|日時だけ/)])
    expect(await stored(bot)).toEqual([])
  })
})

describe('whom a reminder is for', () => {
  const stored = async (bot: Awaited<ReturnType<typeof berlin>>) =>
    (
      await bot.db.query<{ content: string; target: string | null }>('select content, target from promises.reminder order by id')
    ).rows.map(({ content, target }) => [content, target])

  test.each([
    ['金曜の正午に@bobに資料を送るようリマインドして', '資料を送る', 'bob'],
    ['明日の15時に@bobに会議室の予約をするように伝えて', '会議室の予約', 'bob'],
    ['@bobに16時に電話するようリマインドして', '電話', 'bob'],
    ['9時にbobに電話ってリマインドして', 'bobに電話', null],
    ['9時に@bobに電話ってリマインドして', '@bobに電話', null],
  ])('%s', async (text, content, target) => {
    await using bot = await berlin()
    await bot.say('bob', 'おはよう')
    await bot.say('alice', `@kiki ${text}`)
    expect(await stored(bot)).toEqual([[content, target]])
  })

  test.each([
    ['remind @bob and @carol at 5pm to leave', 'leave', ['bob', 'carol']],
    ['remind @bob and me tomorrow at 9 to call', 'call', ['bob', null]],
    ['bobさんとcarolさんに明日10時にレビューってリマインドして', 'レビュー', ['bob', 'carol']],
  ])('is each person of a list: "%s"', async (text, content, targets) => {
    await using bot = await berlin()
    for (const name of ['bob', 'carol']) await bot.say(name, 'hi')
    await bot.say('alice', `@kiki ${text}`)
    expect(await stored(bot)).toEqual(targets.map(target => [content, target]))
  })

  test.each(['明日10時に@zoeに資料って伝えて', '明日10時に@bobbyに資料って伝えて'])(
    'is a person whom the bot knows: "%s"',
    async text => {
      await using bot = await berlin()
      for (const name of ['bob', 'carol']) await bot.say(name, 'hi')
      await bot.say('alice', `@kiki ${text}`)
      expect(bot.sent).toEqual([expect.stringMatching(/Whom|どなた/)])
      expect(await stored(bot)).toEqual([])
    },
  )
})

test.each([
  ['alice', 'remind me at 10:75 to call'],
  ['alice', 'remind me tomorrow at 9:60 to call'],
  ['花子', '10時75分に電話をリマインドして'],
  ['花子', '午後3時80分に電話をリマインドして'],
  ['花子', '明日の午前15時に電話をリマインドして'],
  ['alice', 'remind me at 8am in the evening to call'],
  ['alice', 'remind me tomorrow, friday, at 10 to call'],
])('a time that there is not is asked for: %s: "%s"', async (author, text) => {
  await using bot = await berlin()
  await bot.say(author, `@kiki ${text}`)
  expect(bot.sent).toEqual([expect.stringMatching(/[?？]|Say only the time|日時だけ/)])
  expect((await bot.db.query('select 1 from promises.reminder')).rowCount).toBe(0)
})

test('the zone stands before the day', async () => {
  await using bot = await berlin()
  await bot.say('花子', '@kiki UTCで明日の0時に締切をリマインドして')
  expect((await bot.db.query('select content, at from promises.reminder')).rows).toEqual([
    { content: '締切', at: new Date('2026-03-12T00:00:00Z') },
  ])
})

describe('a reminder is moved by an amount', () => {
  test.each([
    ['bring the standup reminder forward by half an hour', '09:30'],
    ['move the standup reminder up by 20 minutes', '09:40'],
    ['pull the standup reminder forward an hour', '09:00'],
    ['make the standup reminder 15 minutes earlier', '09:45'],
    ['can you push the standup reminder back an hour and a half?', '11:30'],
    ['push it back 10 minutes', '10:10'],
    ['delay the standup reminder by an hour', '11:00'],
    ['朝会のリマインダーを30分前倒しして', '9:30'],
    ['朝会のリマインダーを15分早くして', '9:45'],
    ['朝会のリマインダーを1時間半早めて', '8:30'],
    ['朝会のリマインダーを30分後ろ倒しにして', '10:30'],
    ['朝会のリマインダー、1時間半遅らせて', '11:30'],
    ['朝会のリマインダーを10分遅くして', '10:10'],
  ])('in the direction of "%s"', async (text, time) => {
    await using bot = await berlin()
    const isJapanese = text.startsWith('朝')
    await bot.say(
      'alice',
      isJapanese ? '@kiki 明日10時に朝会をリマインドして' : '@kiki remind us tomorrow at 10 about the standup',
    )
    await bot.say('alice', `@kiki ${text}`)
    expect(bot.sent[1]).toMatch(
      isJapanese ? `⏰ 2026年3月12日木曜日 ${time}（Europe/Berlin）に変更` : `Moved to Thursday, 12 March 2026 at ${time} `,
    )
  })

  test.each([
    ['move the standup reminder forward by an hour', 'Do you mean that I move “the standup” to'],
    ['move the standup reminder by an hour', 'Do you mean that I move “the standup” to'],
    ['push the standup reminder forward an hour', 'Do you mean that I move “the standup” to'],
    ['the standupのリマインダーを30分後にずらして', '「the standup」を'],
  ])('and the bot asks when "%s" does not say which', async (text, question) => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind us tomorrow at 10 about the standup')
    await bot.say('alice', `@kiki ${text}`)
    expect(bot.sent[1]).toContain(question)
    await bot.say('alice', 'at 9')
    expect(bot.sent[2]).toContain('Moved to Thursday, 12 March 2026 at 09:00')
  })
})

describe('which reminder', () => {
  const contents = async (bot: Awaited<ReturnType<typeof berlin>>) =>
    (await bot.db.query<{ content: string }>('select content from promises.reminder order by id')).rows.map(one => one.content)
  const set = async (bot: Awaited<ReturnType<typeof berlin>>, ...what: readonly string[]) => {
    for (const one of what) await bot.say('alice', `@kiki remind me tomorrow at 9 to ${one}`)
  }

  test.each([
    'cancel the reminder',
    'please delete my reminder',
    'move the reminder to 6pm',
    'リマインダーを取り消して',
    'リマインダーを18時に変更して',
  ])('is asked of several: "%s"', async text => {
    await using bot = await berlin()
    await set(bot, 'call mum', 'buy bread')
    await bot.say('alice', `@kiki ${text}`)
    expect(bot.sent[2]).toMatch(/^(?:Which one\?|どれですか？)/)
    expect(bot.sent[2]?.split('\n')).toHaveLength(3)
    expect(await contents(bot)).toEqual(['call mum', 'buy bread'])
  })

  test.each(['cancel the call one', 'move the call one to 10', 'cancel the call reminder', 'cancel one of my call reminders'])(
    'is asked of the two that "%s" names',
    async text => {
      await using bot = await berlin()
      await set(bot, 'call mum', 'call the bank', 'empty the bin')
      await bot.say('alice', `@kiki ${text}`)
      expect(bot.sent[3]).toMatch(/^Which one\?.*\n1\..*\n2\.[^\n]*$/)
      expect(await contents(bot)).toHaveLength(3)
    },
  )

  test.each([
    ['cancel the reminder', []],
    ['cancel that reminder', ['call mum']],
    ['cancel the last reminder', ['call mum']],
    ['cancel the list one', ['call mum', 'empty the bin']],
    ['cancel the bin one', ['call mum', 'write the list']],
    ['call off the bin reminder', ['call mum', 'write the list']],
  ])('needs no question: "%s"', async (text, left) => {
    await using bot = await berlin()
    const what =
      left.length === 2 ? ['call mum', 'empty the bin', 'write the list'] : ['call mum', 'buy bread'].slice(1 - left.length)
    await set(bot, ...what.toSorted((a, b) => Number(b === 'call mum') - Number(a === 'call mum')))
    await bot.say('alice', `@kiki ${text}`)
    expect(await contents(bot)).toEqual(left)
  })
})

describe('two orders in one message', () => {
  test('can be reminders for two people', async () => {
    await using bot = await berlin()
    await bot.say('bob', 'hello')
    await bot.say('alice', '@kiki remind me tomorrow at 9 to send the invoice, and remind bob at 10 to check it')
    const { rows } = await bot.db.query('select content, at, target from promises.reminder order by id')
    expect(rows).toEqual([
      { content: 'send the invoice', at: new Date('2026-03-12T08:00:00Z'), target: null },
      { content: 'check it', at: new Date('2026-03-12T09:00:00Z'), target: 'bob' },
    ])
    await bot.say('alice', '@kiki remind me tomorrow at 9 to send the invoice and tell bob at 10 that it is there')
    expect(bot.sent.at(-1)).toContain('“it is there (for bob)”')
  })

  const both = [
    ["cancel the 3 o'clock, tomorrow morning at 8 remind me to call bob", 'remind me on friday at 3pm to go to the dentist'],
    ['cancel the dentist reminder and remind me tomorrow at 8 to call bob', 'remind me on friday at 3pm to go to the dentist'],
    ['remind me tomorrow at 8 to call bob. Cancel the dentist reminder', 'remind me on friday at 3pm to go to the dentist'],
    ['15時のを取り消して、明日の朝8時にcall bobをリマインドして', '金曜の15時に歯医者をリマインドして'],
  ] as const
  test.each(both)('are both carried out: "%s"', async (text, before) => {
    await using bot = await berlin()
    await bot.say('alice', `@kiki ${before}`)
    await bot.say('alice', `@kiki ${text}`)
    const { rows } = await bot.db.query('select content, at from promises.reminder')
    expect(rows).toEqual([{ content: 'call bob', at: new Date('2026-03-12T07:00:00Z') }])
  })

  test('wait for the answer to a question about the first', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me on friday at 3pm to go to the dentist')
    await bot.say('alice', '@kiki remind me on saturday at 4pm to go to the gym')
    await bot.say('alice', '@kiki cancel the reminder and remind me tomorrow at 8 to call bob')
    expect(bot.sent[2]).toContain('Which one?')
    await bot.say('alice', '2')
    expect(bot.sent[3]).toBe('Cancelled: go to the gym\n⏰ Thursday, 12 March 2026 at 08:00 (Europe/Berlin): call bob · no. 3')
  })

  test.each([
    'delete the dentist reminder and move the gym reminder to 11',
    'cancel the dentist reminder, remind me at 5 or 6 to call bob',
  ])('that the bot does not do at once are asked for one by one: "%s"', async text => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me on friday at 3pm to go to the dentist')
    await bot.say('alice', '@kiki remind me on saturday at 4pm to go to the gym')
    await bot.say('alice', `@kiki ${text}`)
    expect(bot.sent[2]).toBe('That is more than one thing. Which one first? Please say one at a time.')
    expect((await bot.db.query('select 1 from promises.reminder')).rowCount).toBe(2)
  })

  test('are one where the second is what to remind of', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me tomorrow at 9 to call bob and cancel the gym')
    expect(bot.sent).toEqual([expect.stringContaining(': call bob and cancel the gym · no. 1')])
  })
})
