/** The whole bot on a moved clock: reminders are set, listed, moved, cancelled and told in words. */
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import promises from './index.ts'

/** Wednesday, 2026-03-11 14:30 in Berlin. */
const AT = new Date('2026-03-11T13:30:00Z')

const berlin = (more: TestBotOptions = {}) =>
  testBot({
    timeZone: 'Europe/Berlin',
    plugins: [promises(), addressing(), reply()],
    storage: 'pglite',
    at: AT,
    model: scriptedModel('Fine.'),
    ...more,
  })

test('sets a reminder from words, tells it once within two seconds, and no earlier, also after a restart', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind us at three to send the report')
  expect(bot.sent).toEqual(['⏰ Wednesday, 11 March 2026 at 15:00 (Europe/Berlin): send the report · no. 1'])
  expect((await bot.trace()).decision).toMatchObject({ plugin: 'promises', why: 'is asked to remind' })
  await bot.restart()
  await bot.pass(`${29 * 60 + 59}s`)
  expect(bot.sent).toHaveLength(1)
  await bot.pass('2s')
  expect(bot.sent.slice(1)).toEqual(['⏰ alice: send the report'])
  await bot.pass('1h')
  expect(bot.sent).toHaveLength(2)
  expect((await bot.db.query('select 1 from promises.reminder where told_at is null')).rowCount).toBe(0)
})

test('understands Japanese and Korean', async () => {
  await using bot = await berlin()
  await bot.say('花子', '@kiki 明日の9時に報告書を送るのをリマインドして')
  await bot.say('민수', '@kiki 내일 오후 3시에 회의라고 알려 줘')
  expect(bot.sent).toEqual([
    '⏰ 2026年3月12日木曜日 9:00（Europe/Berlin）にお知らせします：報告書を送る（番号 1）',
    '⏰ 2026년 3월 12일 목요일 15:00(Europe/Berlin)에 알려 드릴게요: 회의 (번호 2)',
  ])
  await bot.restart('18h')
  await bot.pass('7h')
  expect(bot.sent.slice(2)).toEqual(['⏰ 花子さん：報告書を送る', '⏰ 민수님: 회의'])
})

test('asks back instead of guessing, and leaves other calls to the other plugins', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me to buy milk')
  await bot.say('alice', '@kiki remind me today at 9am to buy milk')
  await bot.say('alice', '@kiki what is a reminder?')
  await bot.say('bob', 'remind me tomorrow at nine to call')
  await bot.pass('1m')
  expect(bot.sent).toEqual([
    'When? For example: “remind us tomorrow at 9 to …”',
    'That time has passed. When do you mean?',
    'Fine.',
  ])
})

test('keeps the wall clock when the clocks change: a time that does not exist is the end of the gap, one that comes twice the first', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind us every day at 02:30 to rotate the logs')
  const times = async () => (await bot.db.query<{ at: Date }>('select at from promises.reminder')).rows[0]?.at.toISOString()
  expect(await times()).toBe('2026-03-12T01:30:00.000Z')
  // The clocks go from 2:00 to 3:00 on March 29, and from 3:00 to 2:00 on October 25.
  for (const [day, next] of [
    ['2026-03-28', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29', '2026-03-30T00:30:00.000Z'],
    ['2026-10-24', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25', '2026-10-26T01:30:00.000Z'],
  ] as const) {
    await bot.restart(`${(Date.parse(`${day}T01:30:00Z`) - bot.clock.now()) / 1_000}s`)
    await bot.pass('1s')
    expect(await times()).toBe(next)
  }
})

test('tells what was due while the bot was away: late with a note, and after twelve hours as missed', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me in 10 minutes to eat')
  await bot.restart('3h')
  await bot.pass('1m')
  expect(bot.sent.at(-1)).toBe('⏰ alice: eat (late: it was due on Wednesday, 11 March 2026 at 14:40)')
  await bot.say('alice', '@kiki remind me every day at 8pm to eat')
  await bot.restart('71h')
  await bot.pass('1m')
  expect(bot.sent.at(-1)).toBe('⏰ alice: I was away and missed this on Wednesday, 11 March 2026 at 20:00: eat')
  const before = bot.sent.length
  await bot.pass('4h')
  expect(bot.sent.slice(before)).toEqual(['⏰ alice: eat'])
})

describe('the list', () => {
  test('shows, moves and cancels reminders in words, to the people of the place', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind us on friday at 9 to review the release')
    await bot.say('alice', '@kiki move it to ten')
    await bot.say('alice', '@kiki remind us every monday at 9 to update the board')
    await bot.say('bob', '@kiki what reminders do we have?')
    await bot.say('bob', '@kiki what reminders do we have?', { channel: 'other' })
    await bot.say('bob', '@kiki cancel the one about the release')
    await bot.say('alice', '@kiki cancel the one about the release')
    await bot.say('alice', '@kiki cancel reminder 7')
    expect(bot.sent.slice(1)).toEqual([
      '⏰ Moved to Friday, 13 March 2026 at 10:00 (Europe/Berlin): review the release · no. 1',
      '⏰ every Monday, first on Monday, 16 March 2026 at 09:00 (Europe/Berlin): update the board · no. 2',
      'Reminders here:\n1. Friday, 13 March 2026 at 10:00: review the release (alice)\n2. Monday, 16 March 2026 at 09:00, every Monday: update the board (alice)',
      'There are no reminders here.',
      'Only alice, who asked for it, can change that, or a moderator with /kiki reminders.',
      'Cancelled: review the release',
      'I find no such reminder here. Which one? Say its number:\n2. Monday, 16 March 2026 at 09:00, every Monday: update the board (alice)',
    ])
    await bot.restart('113h')
    await bot.pass('2h')
    expect(bot.sent.slice(8)).toEqual(['⏰ alice: update the board'])
  })

  test('in Japanese', async () => {
    await using bot = await berlin()
    await bot.say('花子', '@kiki 金曜の9時にリリースの確認をリマインドして')
    await bot.say('花子', '@kiki 10時に変更して')
    await bot.say('花子', '@kiki リマインダーの一覧を見せて')
    await bot.say('花子', '@kiki リリースのリマインダーを取り消して')
    expect(bot.sent.slice(1)).toEqual([
      '⏰ 2026年3月13日金曜日 10:00（Europe/Berlin）に変更しました：リリースの確認（番号 1）',
      'ここのリマインダーです：\n1. 2026年3月13日金曜日 10:00：リリースの確認（花子さん）',
      '取り消しました：リリースの確認',
    ])
  })

  test('by commands, a moderator changes what others asked for', async () => {
    await using bot = await berlin()
    expect(await bot.command('alice', 'remind friday 9am call Bob')).toContain(
      '13 March 2026 at 09:00 (Europe/Berlin): call Bob · no. 1',
    )
    expect(await bot.command('bob', 'reminders cancel 1')).toContain('Only alice')
    expect(await bot.command('alice', 'reminders move 1 to saturday 10am')).toContain('14 March 2026 at 10:00')
    expect(await bot.command('bob', 'reminders')).toContain('1. Saturday, 14 March 2026 at 10:00: call Bob (alice)')
    expect(await bot.command('carol', 'reminders cancel 1', { moderator: true })).toBe('Cancelled: call Bob')
    expect(await bot.command('alice', 'reminders are useful')).toBeUndefined()
  })
})

test('tells a reminder in its thread alone, and never to more people than those who could read it', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind us in 20 minutes to eat', { channel: 'random', thread: 't1' })
  await bot.say('alice', '@kiki remind us in 20 minutes to hide the cake', { channel: 'secret', visibility: 'private' })
  await bot.say('bob', 'welcome, everybody', { channel: 'secret', visibility: 'public' })
  await bot.pass('1h')
  expect(bot.posted.slice(2)).toMatchObject([{ channel: 'random', thread: 't1', text: '⏰ alice: eat' }])
  expect((await bot.db.query('select 1 from promises.reminder where told_at is null')).rowCount).toBe(0)
})

test('a deleted request, a forgotten person and a channel that takes no messages remove a reminder', async () => {
  await using bot = await berlin()
  const message = await bot.say('alice', '@kiki remind me in 20 minutes to eat')
  await bot.remove(message)
  await bot.say('dave', '@kiki remind us in 20 minutes to call erin')
  await bot.say('erin', '@kiki remind me in 20 minutes to sleep')
  await bot.bot.forget({ platform: 'test', id: 'erin' })
  expect((await bot.db.query('select content from promises.reminder')).rows).toEqual([{ content: 'call erin' }])
  await bot.pass('20m')
  expect(bot.sent.slice(1)).toEqual([
    '⏰ alice: no. 1 is cancelled, because the message behind it is gone.',
    expect.stringContaining('no. 2'),
    expect.stringContaining('no. 3'),
    '⏰ dave: call erin',
  ])
  await bot.say('dave', '@kiki remind us every 30 minutes to drink')
  const before = bot.sent.length
  bot.platform.faults.push(...['gone', 'gone', 'gone'].map(why => new Error(why)))
  await bot.pass('3h')
  expect(bot.sent).toHaveLength(before)
  expect((await bot.db.query('select 1 from promises.reminder where told_at is null')).rowCount).toBe(0)
})

test('all reminders are cancelled: those of the person, and of everybody for a moderator', async () => {
  await using bot = await berlin()
  await bot.say('bob', '@kiki cancel all reminders')
  expect(bot.sent.at(-1)).toBe('You have no reminders here.')
  await bot.say('ann', '@kiki remind me in 2 hours to buy rope')
  await bot.say('ann', '@kiki when somebody mentions the release, tell them it moved to Friday')
  await bot.say('bob', '@kiki remind me in 2 hours to eat')
  await bot.say('ann', '@kiki cancel all reminders')
  expect(bot.sent.at(-1)).toBe(
    'Cancelled 2 reminders. One stays, because somebody else asked for it: a moderator can cancel it with /kiki reminders.',
  )
  await bot.say('ann', '@kiki cancel everything')
  expect(bot.sent.at(-1)).toMatch(/^You have no reminders here\. One stays/)
  const before = bot.sent.length
  await bot.pass('3h')
  expect(bot.sent.slice(before)).toEqual(['⏰ bob: eat'])
})

test('a reminder for another person names that person, and who asked', async () => {
  await using bot = await berlin()
  await bot.say('dan', 'hello', { name: 'dan-lee (he/him)' })
  await bot.say('alice', '@kiki remind dan-lee (he/him) at 18:00 to rest')
  expect(bot.sent.at(-1)).toContain('rest (for dan-lee (he/him))')
  await bot.say('alice', '@kiki cancel it')
  await bot.say('carol', 'hello')
  await bot.say('alice', '@kiki remind @carol on friday at 15:00 to send the invoice')
  expect(bot.sent.at(-1)).toBe('⏰ Friday, 13 March 2026 at 15:00 (Europe/Berlin): send the invoice (for carol) · no. 2')
  const asked = await bot.say('alice', '@kiki remind carol at 16:00 to eat')
  await bot.say('alice', '@kiki carolさんに金曜の16時に請求書のことをリマインドして')
  expect(bot.sent.at(-1)).toContain('（carolさんへ）')
  await bot.edit(asked, '@kiki remind carol at 17:00 to drink')
  expect(bot.sent.at(-1)).toMatch(/17:00 .*: drink \(for carol\) · no\. 3$/)
  await bot.say('bob', '@kiki cancel reminder 3')
  expect(bot.sent.at(-1)).toMatch(/^Only alice/)
  await bot.pass('3h')
  expect(bot.sent.at(-1)).toBe('⏰ carol: drink (from alice)')
  await bot.bot.forget({ platform: 'test', id: 'carol' })
  await bot.pass('3d')
  expect(bot.sent.slice(-2)).toEqual(['⏰ alice: send the invoice', '⏰ aliceさん：請求書'])
})

describe('asked for a time, the bot hears the answer', () => {
  test.each([
    ['tomorrow at 8', '⏰ Thursday, 12 March 2026 at 08:00 (Europe/Berlin): buy milk · no. 1'],
    ['@kiki tomorrow at 8', '⏰ Thursday, 12 March 2026 at 08:00 (Europe/Berlin): buy milk · no. 1'],
    ['in two hours', '⏰ Wednesday, 11 March 2026 at 16:30 (Europe/Berlin): buy milk · no. 1'],
  ])('%s', async (answer, said) => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me to buy milk')
    expect(bot.sent.at(-1)).toMatch(/^When\?/)
    await bot.restart()
    await bot.say('bob', 'tomorrow at 9')
    await bot.say('alice', answer)
    expect(bot.sent.slice(1)).toEqual([said])
    await bot.say('alice', 'tomorrow at 10')
    expect(bot.sent).toHaveLength(2)
  })

  test('an edit of the request keeps the time', async () => {
    await using bot = await berlin()
    const asked = await bot.say('alice', '@kiki remind me to buy mlik')
    await bot.say('alice', 'tomorrow at 8')
    await bot.edit(asked, '@kiki remind me to buy milk')
    expect(bot.sent.at(-1)).toBe('⏰ Thursday, 12 March 2026 at 08:00 (Europe/Berlin): buy milk · no. 1')
  })

  test('a time that has passed is asked for again, in Japanese too', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki 昨日の10時に牛乳を買うってリマインドして')
    expect(bot.sent.at(-1)).toContain('過ぎ')
    await bot.say('alice', '明日の10時')
    expect(bot.sent.at(-1)).toMatch(/10:00.*牛乳を買う/)
  })

  test('not after something else, after ten minutes, or when the request is deleted', async () => {
    await using bot = await berlin()
    const ask = () => bot.say('alice', '@kiki remind me to buy milk')
    await ask()
    await bot.say('alice', 'never mind, who is there?')
    await bot.say('alice', 'tomorrow at 8')
    await ask()
    await bot.pass('11m')
    await bot.say('alice', 'tomorrow at 8')
    await bot.remove(await ask())
    await bot.say('alice', 'tomorrow at 8')
    expect(bot.sent.filter(text => text.startsWith('⏰'))).toEqual([])
  })
})

test('several requests that are taken back at once are told of together, also after a restart', async () => {
  await using bot = await berlin()
  const asked = await bot.say('ann', '@kiki remind me in 2 hours to buy rope')
  const watched = await bot.say('ann', '@kiki when somebody mentions the release, tell them it moved to Friday')
  await bot.db.query(`update kikimimi.message set text = '', deleted_at = now() where id = any($1)`, [[asked, watched]])
  await bot.restart('1m')
  await bot.pass('3h')
  expect(bot.sent.slice(2)).toEqual(['⏰ ann: no. 1 and w1 are cancelled, because the messages behind them are gone.'])
})

describe('the message that asked is edited', () => {
  test('the reminder has the new words and the new time, and says so once', async () => {
    await using bot = await berlin()
    const asked = await bot.say('ann', '@kiki remind me in 2 hours to buy rope')
    await bot.pass('10m')
    await bot.edit(asked, '@kiki remind me in 1 hour to buy string')
    expect(bot.sent.slice(1)).toEqual(['⏰ Wednesday, 11 March 2026 at 15:30 (Europe/Berlin): buy string · no. 1'])
    await bot.pass('3h')
    expect(bot.sent.slice(2)).toEqual(['⏰ ann: buy string'])
  })

  test('words that did not change mean the same time, and nothing is said', async () => {
    await using bot = await berlin()
    const asked = await bot.say('ann', '@kiki remind me in 2 hours to buy rope')
    await bot.pass('1h')
    await bot.edit(asked, '@kiki remind me in 2 hours to buy rope.')
    await bot.pass('61m')
    expect(bot.sent.slice(1)).toEqual(['⏰ ann: buy rope'])
  })

  test('a message that asks for nothing any more cancels it, without the old words', async () => {
    await using bot = await berlin()
    const asked = await bot.say('ann', '@kiki remind me in 2 hours to buy a ring for Bea')
    const watched = await bot.say('ann', '@kiki when somebody mentions the release, tell them it moved to Friday')
    await bot.edit(asked, '@kiki good morning')
    await bot.edit(watched, 'good morning')
    const cancelled = '⏰ Cancelled, because your message no longer asks for it.'
    expect(bot.sent.slice(2)).toEqual([cancelled, cancelled])
    await bot.say('bob', 'is the release today?')
    await bot.pass('3h')
    expect(bot.sent).toHaveLength(4)
  })

  test('an edit of a person who is being forgotten asks for nothing', async () => {
    await using bot = await berlin()
    const asked = await bot.say('ann', '@kiki remind me in 2 hours to buy rope')
    await bot.db.query(`insert into kikimimi.forgetting (platform, person, before) values ('test', 'ann', $1)`, [
      new Date(bot.clock.now()),
    ])
    await bot.edit(asked, '@kiki remind me in 1 hour to buy string')
    await bot.pass('3h')
    expect(bot.sent.slice(1)).toEqual([])
    expect((await bot.db.query('select 1 from promises.reminder where told_at is null')).rowCount).toBe(0)
  })

  test('a time that has passed is asked about', async () => {
    await using bot = await berlin()
    const asked = await bot.say('ann', '@kiki remind me in 2 hours to buy rope')
    await bot.pass('1h')
    await bot.edit(asked, '@kiki remind me in 20 minutes to buy rope')
    await bot.pass('3h')
    expect(bot.sent.slice(1)).toEqual(['That time has passed. When do you mean?'])
  })

  test('a watch tells the new words, and a repeated reminder keeps its number', async () => {
    await using bot = await berlin()
    const watched = await bot.say('ann', '@kiki when somebody mentions the release, tell them it moved to Friday')
    const asked = await bot.say('ann', '@kiki remind us every day at 18:00 to drink')
    await bot.edit(watched, '@kiki when somebody mentions the release, tell them it moved to Monday')
    await bot.edit(asked, '@kiki remind us every day at 18:00 to drink.')
    await bot.edit(asked, '@kiki remind us every day at 19:00 to drink')
    await bot.edit(asked, '@kiki remind us every day at 19:00 to eat')
    expect(bot.sent.slice(2)).toEqual([
      expect.stringContaining('it moved to Monday · no. w1'),
      expect.stringMatching(/every day.*19:00.*: drink · no\. 1$/),
      expect.stringMatching(/every day.*19:00.*: eat · no\. 1$/),
    ])
    await bot.say('bob', 'is the release today?')
    expect(bot.sent.at(-1)).toBe('bob: it moved to Monday (from ann)')
    await bot.pass('12h')
    expect(bot.sent.at(-1)).toBe('⏰ ann: eat')
  })

  test('an edit while no process runs is followed by the next one', async () => {
    await using bot = await berlin()
    const asked = await bot.say('ann', '@kiki remind me in 2 hours to buy rope')
    await bot.db.query(
      `update kikimimi.message set text = '@kiki remind me in 3 hours to buy string', edited_at = $2 where id = $1`,
      [asked, new Date(bot.clock.now())],
    )
    await bot.restart('2h')
    await bot.pass('2h')
    expect(bot.sent.slice(1)).toEqual([expect.stringContaining('buy string · no. 1'), '⏰ ann: buy string'])
  })
})

test('a rate limit of the platform delays a reminder, and it is told once', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me in 20 minutes to eat')
  bot.platform.faults.push(Object.assign(new Error('wait'), { retryAfterMs: 30_000 }))
  await bot.pass('20m')
  expect(bot.sent).toHaveLength(1)
  await bot.pass('10m')
  expect(bot.sent.slice(1)).toEqual(['⏰ alice: eat'])
})

test('watches for words without a model, tells each person once, and rests between', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki when somebody mentions the release, tell them it moved to Friday')
  expect(bot.sent.at(-1)).toContain('I tell each person once: it moved to Friday · no. w1')
  await bot.say('bob', 'is the release today?')
  await bot.say('bob', 'the release, anybody?')
  await bot.say('carol', 'the release?')
  await bot.say('dave', 'the releasing')
  await bot.say('dave', 'the release', { channel: 'other' })
  expect(bot.sent.slice(1)).toEqual(['bob: it moved to Friday (from alice)'])
  await bot.pass('2m')
  await bot.restart()
  await bot.say('carol', 'so THE RELEASE?')
  await bot.say('bob', 'the release again')
  expect(bot.sent.slice(2)).toEqual(['carol: it moved to Friday (from alice)'])
  await bot.pass('2m')
  await bot.command('alice', 'reminders cancel w1')
  await bot.say('erin', 'the release?')
  await bot.pass('1m')
  expect(bot.sent).toHaveLength(3)
})

test('tells what somebody watches for to no more people than those who could read it', async () => {
  await using bot = await berlin()
  const secret = { channel: 'secret', visibility: 'private' } as const
  await bot.say('alice', '@kiki when somebody mentions the cake, tell them it is a surprise', secret)
  await bot.say('bob', 'the cake?', { channel: 'general' })
  await bot.say('bob', 'the cake?', { ...secret, readers: { outsiders: true } })
  expect(bot.sent).toHaveLength(1)
  await bot.say('carol', 'the cake?', secret)
  expect(bot.posted.slice(1)).toMatchObject([{ channel: 'secret', text: 'carol: it is a surprise (from alice)' }])
})

describe('what the bot promised itself', () => {
  test('it comes back to, once', async () => {
    const model = scriptedModel(['I will look at it after lunch.', 'I looked: the build is green.'])
    await using bot = await berlin({ at: new Date('2026-03-11T09:00:00Z'), model })
    await bot.say('alice', '@kiki can you look at the build?')
    await bot.say('alice', '@kiki what reminders do we have?')
    expect(bot.sent.at(-1)).toContain('13:00: I will look at it after lunch')
    await bot.pass('4h')
    expect(bot.sent.slice(2)).toEqual(['I looked: the build is green.'])
    expect(model.asked).toHaveLength(2)
  })

  test('can be withdrawn by the person, in Japanese', async () => {
    const model = scriptedModel('あとで確認します。')
    await using bot = await berlin({ model })
    await bot.say('花子', '@kiki ビルドを見てくれる？')
    await bot.say('花子', '@kiki それをキャンセルして')
    expect(bot.sent).toEqual(['あとで確認します。', '取り消しました：あとで確認します'])
    await bot.pass('3h')
    expect(model.asked).toHaveLength(1)
  })
})

test('the tool sets what a model has understood, and refuses a time that has passed', async () => {
  const tool = (at: string) => ({ toolCalls: [{ id: 'c1', name: 'set_reminder', args: { at, what: 'call the plumber' } }] })
  const model = scriptedModel([tool('2026-03-11T09:00'), tool('2026-03-11T19:00'), 'I will remind you.'])
  await using bot = await berlin({ model })
  await bot.say('alice', '@kiki it would be swell if the plumber came back to my mind the day before my birthday')
  expect(bot.sent).toEqual(['I will remind you.'])
  await bot.pass('5h')
  expect(bot.sent.slice(1)).toEqual(['⏰ alice: call the plumber'])
})

describe('a reminder of the tool in the words of somebody else', () => {
  async function asked() {
    const at = '2026-03-11T19:00'
    const tool = { toolCalls: [{ id: 'c1', name: 'set_reminder', args: { at, what: 'call the plumber' } }] }
    const bot = await berlin({ model: scriptedModel([tool, 'I will remind you.', 'Fine.']) })
    const said = await bot.say('bob', 'somebody has to call the plumber')
    const order = await bot.say('alice', '@kiki let that come back to me tonight at seven')
    expect(bot.sent).toEqual(['I will remind you.'])
    return { bot, said, order, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
  }
  const left = async ({ db }: TestBot) =>
    (await db.query(`select 1 from promises.reminder union all select 1 from kikimimi_v1.source where owner = 'promises'`))
      .rowCount

  test('is told, and forgets what it was made from', async () => {
    await using one = await asked()
    expect(await left(one.bot)).toBeGreaterThan(1)
    await one.bot.pass('5h')
    expect(one.bot.sent.slice(1)).toEqual(['⏰ alice: call the plumber'])
    expect(await left(one.bot)).toBe(0)
  })

  test('goes with these words, and alice is told so', async () => {
    await using one = await asked()
    await one.bot.remove(one.said)
    await one.bot.pass('5h')
    expect(one.bot.sent.slice(1)).toEqual(['⏰ alice: no. 1 is cancelled, because the message behind it is gone.'])
    expect(await left(one.bot)).toBe(0)
  })

  test('has only the new words once alice has said it in her own', async () => {
    await using one = await asked()
    await one.bot.edit(one.order, '@kiki remind me in 1 hour to call the landlord')
    await one.bot.remove(one.said)
    await one.bot.pass('5h')
    expect(one.bot.sent.slice(2)).toEqual(['⏰ alice: call the landlord'])
  })
})

test('waits until STOP is over, and says then that it is late', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me in half an hour to stretch')
  await bot.say('root', '@kiki STOP', { admin: true })
  await bot.pass('2h')
  await bot.say('root', '@kiki START', { admin: true })
  const before = bot.sent.length
  await bot.pass('1h')
  expect(bot.sent.slice(before)).toEqual([expect.stringMatching(/^⏰ alice: stretch \(late: it was due on .* at 15:00\)$/)])
  await bot.pass('2h')
  expect(bot.sent).toHaveLength(before + 1)
})

test('is told later when the database fails at its time, however long', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me in half an hour to stretch')
  const { query } = bot.db
  bot.db.query = ((sql: string, params?: readonly unknown[]) => {
    if (sql.startsWith('delete from promises.reminder')) return Promise.reject(new Error('the disk is full'))
    return query.call(bot.db, sql, params)
  }) as typeof query
  await bot.pass('1h')
  bot.db.query = query
  expect(bot.sent).toHaveLength(1)
  await bot.pass('1h')
  expect(bot.sent.slice(1)).toEqual([expect.stringContaining('alice: stretch (late')])
})

test('costs nothing while it is idle: no statement for a message, no model call in a day', async () => {
  const model = scriptedModel('unused')
  await using bot = await berlin({ model })
  await bot.say('bob', 'hi')
  await bot.pass('1m')
  let reads = 0
  const { query } = bot.db
  bot.db.query = ((sql: string, params?: readonly unknown[]) => {
    if (sql.includes('promises.')) reads++
    return query.call(bot.db, sql, params)
  }) as typeof query
  for (let n = 0; n < 20; n++) await bot.say('bob', `the release ${n}`)
  // On a server the watches are read once in five seconds, because another process may have a new one.
  expect(reads).toBeLessThanOrEqual(bot.db.kind === 'postgres' ? 1 : 0)
  await bot.pass('1d')
  expect(model.asked).toEqual([])
})

test('an idle bot does no repeated work for it', async () => {
  const dayOf = async (plugins: TestBotOptions['plugins']) => {
    await using bot = await berlin({ ...(plugins && { plugins }) })
    await bot.say('bob', 'hello')
    await bot.pass('1h')
    const before = bot.db.statements
    await bot.pass('1d')
    return bot.db.statements - before
  }
  const others = [addressing(), reply()]
  expect(await dayOf([promises(), ...others])).toBe(await dayOf(others))
})

test('the prompt, the tool and the reminder have the time zone of the place', async () => {
  const model = scriptedModel('Fine.')
  await using bot = await berlin({
    model,
    timeZone: 'America/Chicago',
    persona: { name: 'kiki', channels: { tokyo: { timeZone: 'Asia/Tokyo' } } },
  })
  await bot.say('alice', '@kiki how are you?')
  await bot.say('花子', '@kiki 元気？', { channel: 'tokyo' })
  const [chicago = '', tokyo = ''] = model.asked.map(promptOf)
  expect(chicago).toContain('2026-03-11 08:30 (Wednesday, America/Chicago)')
  expect(chicago).toContain('**2026-03-11 08:30:00** alice')
  expect(tokyo).toContain('2026-03-11 22:30 (Wednesday, Asia/Tokyo)')
  await bot.say('alice', '@kiki remind me at 9:15 to stretch')
  await bot.say('花子', '@kiki 23時に寝るのをリマインドして', { channel: 'tokyo' })
  expect(bot.sent.slice(-2)).toEqual([
    expect.stringContaining('09:15 (America/Chicago)'),
    expect.stringContaining('2026年3月11日水曜日 23:00（Asia/Tokyo）'),
  ])
})

describe('an order that can mean something else', () => {
  test('is asked about with what it would do, and "yes" carries it out', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me at 2 to call Bob')
    await bot.say('alice', 'yes')
    expect(bot.sent).toEqual([
      'Do you mean Thursday, 12 March 2026 at 14:00 (Europe/Berlin): “call Bob”? Say yes, or another time.',
      '⏰ Thursday, 12 March 2026 at 14:00 (Europe/Berlin): call Bob · no. 1',
    ])
  })

  test.each([
    ['no, friday', 'Friday, 13 March 2026 at 09:00'],
    ['@kiki tomorrow at 8', 'Thursday, 12 March 2026 at 08:00'],
    ['the second one', 'Friday, 13 March 2026 at 09:00'],
  ])('"%s" sets another time', async (answer, when) => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me tomorrow or friday to call Bob')
    await bot.say('alice', answer)
    expect(bot.sent.at(-1)).toBe(`⏰ ${when} (Europe/Berlin): call Bob · no. 1`)
  })

  test('「はい」 and 「8時で」 answer in Japanese', async () => {
    await using bot = await berlin()
    await bot.say('花子', '@kiki 金曜の会議の資料を明日送る、ってリマインドして')
    await bot.say('花子', 'はい')
    expect(bot.sent.at(-1)).toContain('2026年3月12日木曜日 9:00')
    await bot.say('花子', '@kiki 牛乳を買うのをリマインドして')
    await bot.say('花子', '8時で')
    expect(bot.sent.at(-1)).toContain('20:00（Europe/Berlin）にお知らせします：牛乳を買う')
  })

  test('"no" leaves it, and other words, another person or ten minutes close the question', async () => {
    await using bot = await berlin()
    const stored = async () => (await bot.db.query('select 1 from promises.reminder')).rowCount
    await bot.say('alice', '@kiki remind me at 2 to call Bob')
    await bot.say('bob', 'yes')
    await bot.say('alice', 'no')
    expect(bot.sent.at(-1)).toBe('All right, I have changed nothing.')
    await bot.say('alice', '@kiki remind me at 2 to call Bob')
    await bot.say('alice', 'hm, let me think')
    await bot.say('alice', 'yes')
    await bot.say('alice', '@kiki remind me at 2 to call Bob')
    await bot.pass('11m')
    await bot.say('alice', 'yes')
    expect(await stored()).toBe(0)
  })
})

test('several times and several requests of one sentence are all set', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me tomorrow at 9 and at 17:00 to take the pill')
  await bot.say('alice', '@kiki at 4pm remind me to call mum and at 6pm to buy bread')
  await bot.say('花子', '@kiki 水曜と土曜の朝7時に走るのをリマインドして')
  const { rows } = await bot.db.query<{ content: string }>('select content from promises.reminder order by id')
  expect(rows.map(({ content }) => content)).toEqual(['take the pill', 'take the pill', 'call mum', 'buy bread', '走る', '走る'])
})

test('all of mine, several by number, by their words and all but one are cancelled', async () => {
  await using bot = await berlin()
  const set = async (...what: string[]) => {
    for (const one of what) await bot.say('alice', `@kiki remind me tomorrow at 9 to ${one}`)
  }
  const left = async () =>
    (await bot.db.query<{ content: string }>('select content from promises.reminder order by id')).rows.map(
      ({ content }) => content,
    )
  await set('buy flowers', 'order pizza', 'pay rent', 'call mum')
  await bot.say('alice', '@kiki cancel reminders 1 and 2')
  expect(await left()).toEqual(['pay rent', 'call mum'])
  await bot.say('bob', '@kiki cancel all reminders')
  expect(await left()).toEqual(['pay rent', 'call mum'])
  await bot.say('alice', '@kiki turn off the rent reminder, I moved out')
  expect(await left()).toEqual(['call mum'])
  await set('water the ferns')
  await bot.say('alice', '@kiki cancel all my reminders except the fern one')
  expect(await left()).toEqual(['water the ferns'])
  await bot.say('alice', '@kiki cancel everything')
  expect(await left()).toEqual(['water the ferns'])
  await bot.say('alice', 'yes')
  expect(await left()).toEqual([])
})

test('a reminder is told again later, also one that was told just now', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me in 10 minutes to turn the soup off')
  await bot.pass('11m')
  await bot.say('alice', '@kiki remind me again in an hour')
  await bot.pass('61m')
  await bot.say('alice', '@kiki snooze for 10 minutes')
  await bot.pass('11m')
  expect(bot.sent.filter(text => text === '⏰ alice: turn the soup off')).toHaveLength(3)
})

test('"make it 10 instead" and a day alone move the last one', async () => {
  await using bot = await berlin()
  await bot.say('alice', '@kiki remind me tomorrow at 9 to call Bob')
  await bot.say('alice', '@kiki make it 10 instead')
  await bot.say('alice', '@kiki move it to friday')
  expect(bot.sent.slice(1)).toEqual([
    '⏰ Moved to Thursday, 12 March 2026 at 10:00 (Europe/Berlin): call Bob · no. 1',
    '⏰ Moved to Friday, 13 March 2026 at 10:00 (Europe/Berlin): call Bob · no. 1',
  ])
})

test('a person can refuse reminders of others', async () => {
  await using bot = await berlin()
  await bot.say('carol', "@kiki don't remind me for others")
  await bot.say('alice', '@kiki remind carol at 16:00 to send the invoice')
  await bot.say('carol', '@kiki remind me at 16:00 to send the invoice')
  expect(bot.sent.slice(1)).toEqual([
    'carol does not want reminders from other people.',
    expect.stringContaining('send the invoice · no. 1'),
  ])
})
