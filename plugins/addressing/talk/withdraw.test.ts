import { definePlugin, type IncomingMessage } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import addressing from '../index.ts'

/** Third, what it replies to. `true`: the question. */
type Line = readonly [author: string, text: string, reply?: true | IncomingMessage['replyTo']]

/** The result of an answer to alice's question, if these lines are written while the bot works on it. */
async function after(...lines: readonly Line[]): Promise<string>
async function after(asked: { readonly question: string }, ...lines: readonly Line[]): Promise<string>
async function after(first: Line | { readonly question: string }, ...more: readonly Line[]): Promise<string> {
  const { question, lines } =
    'question' in first ? { ...first, lines: more } : { question: 'where is the report?', lines: [first, ...more] }
  const thinking = Promise.withResolvers<void>()
  const slow = definePlugin({
    name: 'slow',
    setup: () => ({
      async respond(turn) {
        if (turn.message.id !== 'question') return { kind: 'silent', why: 'only the question counts here' }
        await thinking.promise
        return { kind: 'text', text: 'in the attic' }
      },
    }),
  })
  await using bot = await testBot({ persona: { name: 'kiki' }, plugins: [addressing(), slow] })
  await bot.say('alice', `@kiki ${question}`, { id: 'question' })
  for (const [author, text, reply] of lines)
    await bot.say(author, text, reply ? { replyTo: reply === true ? { id: 'question', author: 'alice' } : reply } : {})
  thinking.resolve()
  await bot.pass('1s')
  const trace = (await bot.traces()).find(({ trigger }) => trigger === 'question')
  return bot.sent.length > 0 ? 'sent' : (trace?.why ?? 'nothing')
}

describe('an answer to a mention is cancelled', () => {
  test.each([
    'nvm',
    'never mind!',
    'oh, found it',
    '@kiki forget it',
    'ah ok, figured it out, thanks',
    'やっぱいいや',
    'あ、自己解決しました',
    'ごめん、なんでもない',
    '見つかった！',
    'please ignore my last message',
    'oh, it is the blue one. found it',
    "don't bother, the shop is closed anyway",
    'sorted, thanks',
    '今のは忘れて',
    'すみません、机の上にありました、気にしないでください',
    'いや、自分でできた',
  ])('if the author takes the question back: %s', async text => {
    expect(await after(['alice', text])).toMatch(/^the author took the question back · \w+, probability /)
  })

  test('if another person has answered', async () => {
    expect(await after(['bob', 'on the shelf behind you', true])).toBe('another person has answered')
    expect(await after(['bob', '後ろの棚にあるよ', true])).toBe('another person has answered')
    expect(await after(['bob', '@alice on the shelf behind you'])).toBe('another person has answered')
    expect(await after(['bob', 'alice: on the shelf behind you'])).toBe('another person has answered')
    expect(await after(['bob', '@carol on the shelf behind you'])).toBe('sent')
  })

  test.each([
    ['where is the report?', 'it is in the cabinet behind you'],
    ['who has the key to the bike shed?', 'Joe has it, second floor'],
    ['how do I split a PDF?', 'open it in the preview and drag the pages out'],
    ['when does the canteen close?', 'at 3, on Fridays at 2'],
    ['is the office open on Thursday?', 'no, it is a holiday here'],
    ['報告書どこにありますか？', '後ろの棚の上に置いてありますよ'],
    ['自転車置き場の鍵は誰が持ってる？', '2階の高橋さんが持ってます'],
    ['PDFってどうやって分割するの？', 'プレビューで開いてページを外に出せばできますよ'],
    ['食堂は何時まで？', '平日は3時までですよ、金曜は2時'],
  ])('if another person answers without an address: %s %s', async (question, answer) => {
    expect(await after({ question }, ['bob', answer])).toBe('another person has answered')
  })

  test('if the author thanks another person for the answer', async () => {
    expect(await after(['bob', 'shelf, behind you'], ['alice', 'thanks bob'])).toMatch(
      /^the author thanked another person · thanks, probability /,
    )
    expect(await after(['bob', 'shelf, behind you'], ['alice', 'ah, thanks!'])).toMatch(
      /^the author thanked another person · thanks, probability /,
    )
    expect(await after(['bob', 'shelf, behind you'], ['alice', 'thanks!', { id: 'm1', author: 'bob' }])).toMatch(
      /^the author thanked another person · thanks, probability /,
    )
    expect(await after(['bob', '後ろの棚'], ['alice', 'ありがとう！'])).toMatch(
      /^the author thanked another person · thanks, probability /,
    )
  })
})

describe('the answer is sent', () => {
  test.each<[string, ...Line[]]>([
    ['when somebody else takes something back', ['bob', 'nvm']],
    ['when who asked cancels something else', ['alice', '@kiki cancel all reminders']],
    ['when who asked only adds to it', ['alice', 'the one from last week, I never found it on the shelf']],
    ['when who asked wonders', ['alice', 'never mind the cover, is it the second edition?']],
    ['when who asked has only found a part', ['alice', 'found it, but the last page is still missing']],
    ['when who asked has found something else', ['alice', 'I found the old one on the shelf']],
    ['when who asked explains', ['alice', '見つからないんだよね、気になって']],
    ['when who asked thanks beforehand', ['alice', 'thanks']],
    ['when who asked thanks the bot', ['bob', 'lunch?'], ['alice', '@kiki thanks']],
    ['when who asked takes a later call back', ['alice', '@kiki remember this'], ['alice', '@kiki forget that']],
    ['when who asked takes a later call back', ['alice', '@kiki まだいる？'], ['alice', '@kiki 取り消して']],
    ['when who asked takes an older message back', ['alice', 'never mind', { id: 'm0', author: 'bob' }]],
    ['when somebody answers a later call', ['alice', '@kiki when is the match?'], ['bob', '@alice at two on Sunday']],
    [
      'when who asked thanks for the answer to a later call',
      ['alice', '@kiki 次は何時？'],
      ['bob', '2時だよ'],
      ['alice', 'ありがとう'],
    ],
    ['when somebody asks back', ['bob', 'which one?', true]],
    ['when somebody agrees', ['bob', 'good question', true], ['carol', 'lol', true]],
    ['when others talk about something else', ['bob', 'lunch?'], ['carol', 'sure']],
    ['when somebody tells of something else', ['bob', "I'm off to the dentist, back in an hour"]],
    ['when somebody tells of something else at length', ['bob', 'the new chairs have arrived, and they squeak less']],
    ['when somebody wonders too', ['bob', 'I would like to know where it is as well']],
    ['when somebody leaves', ['bob', 'ちょっと席を外します、30分で戻ります']],
    ['when somebody tells who else', ['bob', '今日のお昼はカレーにしました、おいしかった']],
    ['when a word of the question is all that they share', ['bob', 'the report of the weather is bad again']],
    ['when plain words come later', ['carol', 'so hot today, is it not'], ['bob', 'it is in the oven, ten more minutes']],
  ])('%s', async (_, ...lines) => {
    expect(await after(...lines)).toBe('sent')
  })
})
