/** "What did I miss?": asked in a channel, by a command, and through the tool. */
import { offline } from '@kikimimi/offline'
import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { readAsked } from './asked.ts'
import digest from './index.ts'

const platform = { links: true }
const down = new Error('503')

function digesting(options: Omit<TestBotOptions, 'plugins'> = {}): Promise<TestBot> {
  return testBot({ timeZone: 'UTC', plugins: [digest(), reply()], platform, ...options })
}

/** Alice says hello, leaves, and others talk. */
async function talk(bot: TestBot): Promise<void> {
  await bot.say('alice', 'good morning')
  await bot.pass('1h')
  await bot.say('bob', 'which colour shall the new logo have?', { id: 'q' })
  await bot.say('carol', 'I like the green one most, it is easy to read', { id: 'a', replyTo: { id: 'q' } })
  await bot.say('bob', 'ok, let’s go with green for the logo', { id: 'd' })
  await bot.pass('20m')
  await bot.say('dave', 'does anybody know when the office closes on Friday?', { id: 'o' })
  await bot.pass('40m')
  await bot.say('erin', 'can you look at my report until tomorrow?', { id: 'y', mentions: [{ id: 'alice', name: 'alice' }] })
  await bot.pass('2h')
}

test('without a model it tells what is for the person, what was decided and what is open, with links', async () => {
  await using bot = await digesting({ model: down })
  await talk(bot)
  await bot.say('alice', '@kiki what did I miss?')
  await bot.pass('1m')
  expect(bot.sent).toEqual([
    [
      '**Since 10:00: 5 messages, 4 people.**',
      '**For you**',
      '- erin: can you look at my report until tomorrow? [12:00](https://test.example/general/y)',
      '**Decided**',
      '- bob: ok, let’s go with green for the logo [11:00](https://test.example/general/d)',
      '**Not answered yet**',
      '- dave: does anybody know when the office closes on Friday? [11:20](https://test.example/general/o)',
    ].join('\n'),
  ])
  expect(await bot.trace()).toMatchObject({
    decision: { why: 'is asked what happened since the person last spoke', plugin: 'digest' },
    models: [{ role: 'summary' }],
  })
})

test('a model writes from numbered excerpts, and only numbers that were given become links', async () => {
  const model = scriptedModel(
    [
      'Hello! Here is your summary of everything that has happened in the channel today.',
      '**Decisions**',
      '- bob chose green for the logo [4] [99]',
      '- erin wants a review, see [her page](https://evil.example/x) https://evil.example/y [1]',
      '**Rumours**',
      '- the office burns down [77]',
    ].join('\n'),
  )
  await using bot = await digesting({ model })
  await talk(bot)
  await bot.say('alice', '@kiki catch me up please')
  expect(bot.sent).toHaveLength(1)
  const [text = ''] = bot.sent
  expect(text).toMatch(
    /^\*\*Since 10:00.*\n\*\*Decisions\*\*\n- bob chose green for the logo \[\d\d:\d\d\]\(https:\/\/test\.example\/general\/\w+\)\n/,
  )
  expect(text).not.toMatch(/Hello|Rumours|burns|evil|99|77/)
  expect(model.asked).toHaveLength(1)
  expect(promptOf(model.asked[0])).toMatch(/\[\d\] #general erin: can you look at my report/)
  expect(model.asked[0]?.system).not.toContain('report')
})

test('nothing new is said without a model call', async () => {
  const model = scriptedModel('unused')
  await using bot = await digesting({ model })
  await bot.say('alice', 'good morning')
  await bot.pass('1h')
  await bot.say('alice', '@kiki what did I miss?')
  expect(bot.sent).toEqual(['Nothing since 10:00.'])
  expect(model.asked).toEqual([])
})

test.each([
  ['en', '@kiki what happened since yesterday?', /^\*\*Since .*00:00: 6 messages, 5 people/],
  ['en', '@kiki what happened today between 9 and 10:05?', /^\*\*09:00 – 10:05: \d messages?, /],
  ['ja', '@kiki 今日の9時から10時5分の話をまとめて', /^\*\*09:00〜10:05：\d件の発言/],
  ['en', '@kiki what happened yesterday?', /^Nothing between Jan 4, 00:00 and Jan 5, 00:00\.$/],
  ['ja', '@kiki 昨日から何か進んだ？', /^\*\*.*00:00から：6件の発言、5人です。/],
  ['ja', '@kiki 何があった？', /^\*\*10:00から：5件の発言/],
  ['ko', '@kiki 어제부터 무슨 일 있었어?', /^\*\*.*00:00부터: 메시지 6개/],
])('understands the question in %s: %s', async (locale, question, answer) => {
  await using bot = await digesting({ model: down, locale })
  await talk(bot)
  await bot.say('alice', question)
  await bot.pass('1m')
  expect(bot.sent.at(-1)).toMatch(answer)
})

test('calls of the bot are no news, but for a decision', async () => {
  await using bot = await digesting({ model: down })
  await bot.say('bob', '@kiki what is the weather like in Osaka?')
  await bot.say('bob', '@kiki we decided on Friday for the launch')
  await bot.say('carol', 'my cat has eaten the instructions of the printer')
  await bot.pass('1h')
  await bot.say('alice', '@kiki what happened today?')
  expect(bot.sent.at(-1)).toContain('2 messages')
  expect(bot.sent.at(-1)).toContain('Friday')
  expect(bot.sent.at(-1)).not.toContain('Osaka')
})

test.each([
  'What did I miss?',
  'kiki, catch me up please',
  'hey @kiki, did I miss anything while I was away?',
  'can you summarize this channel?',
  'tl;dr',
  'give me a quick recap of today',
  'what’s new since Monday?',
  'anything happen overnight?',
  '何があったの？',
  'キキ、昨日から何か進んだ？',
  '見逃したことを教えて',
  'ここまでの流れをまとめてください',
  '留守中に何かありましたか',
  '3時間前から何があった？',
  '내가 놓친 거 있어?',
  '어제부터 무슨 일 있었어?',
  '요약해 줘',
])('asks what happened: %s', text => {
  expect(readAsked(text, ['kiki', 'キキ'])).toBeDefined()
})

test.each([
  'what did I miss in the exam?',
  'make me a resume for the job interview',
  'write me a resume',
  'anything important from the doctor?',
  'the digest 24h later was better',
  'summarise the book I read yesterday',
  'I miss you',
  'what happened to the printer?',
  'catch me if you can',
  'did anything happen to bob',
  'summary judgement is a legal term',
  '何があったか知らないけど、元気？',
  'プリンターに何があった？',
  'まとめて買うと安いよ',
  '무슨 일이 있었는지 나는 몰라',
  '@kiki what is a digest?',
  '@kiki 何してた？',
])('asks something else: %s', text => {
  expect(readAsked(text, ['kiki', 'キキ'])).toBeUndefined()
})

test('a command answers by rules when the model hangs, before its own time is over', async () => {
  await using bot = await digesting({ model: { name: 'hangs', generate: () => new Promise(() => {}) } })
  await talk(bot)
  const answer = bot.command('alice', 'missed')
  await bot.pass('15s')
  expect(await answer).toContain('let’s go with green')
})

test('in a direct message it tells of the channels that the person may read, and of no others', async () => {
  await using bot = await digesting({ model: 'no source' })
  const direct = { channel: 'dm-alice', visibility: 'direct' } as const
  await bot.say('alice', 'hello', direct)
  await bot.pass('1h')
  await bot.say('bob', 'we decided on Saturday for the party', { channel: 'square' })
  await bot.say('bob', 'we decided on marzipan for the cake', { channel: 'shed', visibility: 'private' })
  await bot.say('bob', 'we decided on candles', { channel: 'square', thread: 't', visibility: 'private', readers: { own: true } })
  await bot.say('carol', 'we decided on a price', { channel: 'dm-carol', visibility: 'direct' })
  await bot.say('alice', 'what did I miss?', direct)
  expect(bot.sent.at(-1)).toContain('#square bob: we decided on Saturday')
  expect(bot.sent.at(-1)).not.toMatch(/marzipan|candles|price/)
  expect(await bot.command('bob', 'missed since yesterday', { channel: 'shed', visibility: 'private' })).toMatch(
    /^(?!.*Saturday)[\s\S]*marzipan/,
  )
})

test('a direct message without a workspace tells of the public channels of the servers in which the person is now', async () => {
  const servers = new Set(['north', 'west'])
  let isKnown = true
  const membership = ({ workspace }: { readonly workspace: string }) => {
    if (!isKnown) throw new Error('503')
    return servers.has(workspace) ? ({ rank: workspace === 'west' ? 'guest' : 'member', roles: () => [] } as const) : undefined
  }
  await using bot = await digesting({ model: down, platform: { membership } })
  const direct = { workspace: '', channel: 'dm-alice', visibility: 'direct' } as const
  await bot.say('alice', 'hello', direct)
  await bot.pass('1h')
  for (const workspace of ['north', 'south', 'west'])
    await bot.say('bob', `we decided on the ${workspace} gate`, { workspace, details: { workspaceName: `The ${workspace}` } })
  await bot.say('bob', 'we decided on a secret', { workspace: 'north', channel: 'board', visibility: 'private' })
  const said = await bot.command('alice', 'missed', direct)
  expect(said).toMatch(/1 message.*\n\*\*Decided\*\*\n- #general \(The north\) bob: we decided on the north gate/)
  expect(said).not.toMatch(/south|west|secret/)
  isKnown = false
  expect(await bot.command('alice', 'missed', direct)).not.toContain('gate')
  isKnown = true
  servers.delete('north')
  expect(await bot.command('alice', 'missed', direct)).not.toContain('gate')
})

test('a direct message tells nothing of a server with another persona, which has a memory of its own', async () => {
  const persona = { name: 'kiki', workspaces: { north: { name: 'Mimi' } } }
  const membership = () => ({ rank: 'member', roles: () => [] }) as const
  await using bot = await digesting({ model: down, persona, platform: { membership } })
  const direct = { workspace: '', channel: 'dm-alice', visibility: 'direct' } as const
  await bot.say('alice', 'hello', direct)
  await bot.pass('1h')
  for (const workspace of ['north', 'south']) await bot.say('bob', `we decided on the ${workspace} gate`, { workspace })
  const said = await bot.command('alice', 'missed', direct)
  expect(said).toContain('south gate')
  expect(said).not.toContain('north')
})

test('an answer leaves the log when a message that it quotes is deleted', async () => {
  await using bot = await digesting({ model: 'no source' })
  await talk(bot)
  await bot.say('alice', '@kiki what did I miss?')
  const own = async () => (await bot.db.query<{ text: string }>('select text from kikimimi_v1.message where own')).rows
  expect(await own()).toMatchObject([{ text: expect.stringContaining('let’s go with green') }])
  await bot.remove('d')
  expect(await own()).toMatchObject([{ text: '' }])
})

test('the tool gives the digest to the model, and its sources to the turn', async () => {
  const model = scriptedModel([
    { toolCalls: [{ id: 't1', name: 'what_happened', args: { time: 'since yesterday' } }] },
    'Green it is.',
  ])
  await using bot = await digesting({ model })
  await talk(bot)
  await bot.say('alice', '@kiki I was ill, is there anything that I should know about the logo?')
  expect(bot.sent).toEqual(['Green it is.'])
  expect(JSON.stringify(model.asked.at(-1))).toContain('let’s go with green for the logo [11:00]')
  await bot.remove('d')
  const { rows } = await bot.db.query('select 1 from kikimimi_v1.message where own and deleted_at is not null')
  expect(rows).toHaveLength(1)
})

describe('without reply marks', () => {
  const said = (row: string, pause: '2m' | '2h') => {
    const [author = '', text = ''] = row.split(': ')
    return [author, text, pause] as const
  }

  async function told(lines: readonly (readonly [author: string, text: string, pause: '2m' | '2h'])[]): Promise<string> {
    await using bot = await digesting({ model: down, locale: 'en' })
    await bot.say('alice', 'good morning')
    await bot.pass('2h')
    for (const [author, text, pause] of lines) {
      await bot.pass(pause)
      await bot.say(author, text)
    }
    await bot.pass('30m')
    await bot.say('alice', '@kiki what did I miss?')
    await bot.pass('1m')
    return bot.sent.at(-1) ?? ''
  }

  test.each([
    ['carol: shall we move the retro to thursday?', 'bob: thursday works for me', 'dave: +1', 'thursday'],
    ['carol: レトロは木曜に移しませんか？', 'bob: 木曜で大丈夫です', 'dave: 了解です', '木曜'],
    ['carol: what about pizza for the party?', 'bob: sounds good', 'carol: ok pizza it is, I order on friday', 'pizza it is'],
    ['carol: 打ち上げはピザでどうですか', 'bob: いいですね', 'carol: ではピザで予約しますね', 'ピザで予約'],
  ])('a proposal to which others agree is decided, and its question answered: %s', async (...rows) => {
    const decided = rows.pop() ?? ''
    const text = await told(rows.map(row => said(row, '2m')))
    expect(text).toMatch(new RegExp(`\\*\\*Decided\\*\\*\\n- [^\\n]*${decided}`))
    expect(text).not.toMatch(/Not answered|まだ答え/)
  })

  test.each([
    ['carol: who has the key of the cellar?', 'bob: the new coffee machine is here'],
    ['carol: 倉庫の鍵って誰か持ってますか？', 'bob: 新しいコーヒーメーカーが届きました'],
  ])('a question is open when the next line comes hours later: %s', async (...rows) => {
    const text = await told(rows.map(row => said(row, '2h')))
    expect(text).toMatch(/\*\*(?:Not answered yet|まだ答えのない質問)\*\*\n- carol/)
  })

  test.each([
    ['carol: support wants to know if Nordlys is still on the old endpoint', 'bob: me neither, no clue'],
    [
      'carol: would be lovely if somebody could take the night shift on friday',
      "bob: I'm on the gate that day, otherwise I would",
    ],
    ['carol: 色紙の写真のデータ、誰か持っている方いませんか。探しています', 'bob: すみません、私はわからないです'],
    ['carol: フォントを再配布していいのか気になっています。', 'bob: おはようございます、雨ですね'],
  ])('a question without its form is open when nobody has an answer: %s', async (...rows) => {
    const text = await told(rows.map(row => said(row, '2m')))
    expect(text).toMatch(/\*\*(?:Not answered yet|まだ答えのない質問)\*\*\n- carol/)
  })

  test.each([
    ['carol: which day suits you for the rehearsal?', 'bob: tue or thu'],
    ['carol: is the parent app broken for you too? it sends nothing', 'carol: ah never mind, found it'],
    ['carol: 会議室って何時まで使えますか？', 'bob: 18時です'],
  ])('a question is answered by a time, and by the asker: %s', async (...rows) => {
    expect(await told(rows.map(row => said(row, '2m')))).not.toMatch(/Not answered|まだ答え/)
  })

  test.each([
    [
      'carol: what do we do about loot?',
      'bob: main spec rolls first, one item for each boss and person',
      'dave: agreed',
      'main spec',
    ],
    [
      'carol: 見出しの色はどうしますか？',
      'bob: 見出しの色は青で統一したほうが読みやすい',
      'dave: 承知しました、反映します',
      '青で統一',
    ],
  ])('a statement in a discussion that is accepted is decided: %s', async (...rows) => {
    const decided = rows.pop() ?? ''
    expect(await told(rows.map(row => said(row, '2m')))).toMatch(new RegExp(`\\*\\*Decided\\*\\*\\n- [^\\n]*${decided}`))
  })

  test('a bot without a model tells what was decided and what is open', async () => {
    await using bot = await testBot({ plugins: [digest()], model: offline() })
    for (const [author, text] of [
      ['bob', 'shall we move the retro to thursday?'],
      ['dave', 'thursday works for me'],
      ['carol', 'who has the key of the cellar?'],
      ['bob', 'no idea'],
    ] as const)
      await bot.say(author, text)
    for (const author of ['alice', 'erin']) {
      await bot.say(author, '@kiki what did I miss?')
      expect(bot.sent.at(-1)).toMatch(/\*\*Decided\*\*\n- bob: shall we .*\n\*\*Not answered yet\*\*\n- carol: who has/)
    }
  })

  test('a proposal that is turned down is no decision', async () => {
    const text = await told([
      ['carol', 'how about friday for the launch?', '2m'],
      ['bob', 'friday is too late, the fair is on thursday', '2m'],
      ['dave', 'no, friday does not work for me', '2m'],
    ])
    expect(text).not.toContain('Decided')
  })
})
