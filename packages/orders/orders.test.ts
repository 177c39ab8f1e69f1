import { expect, test } from 'vitest'
import { LEFT_OUT, orderText, plainWords } from './index.ts'

const NAMES = ['kiki', 'キキ', '키키']

test.each([
  ['Hey @kiki, REMIND me of “Tea at 5”, please', `remind me of ${LEFT_OUT}, please`],
  ['キキちゃん、明日の９時に「朝会」をﾘﾏｲﾝﾄﾞして', `明日の9時に${LEFT_OUT}をリマインドして`],
  ['<@U123> hi kiki kiki: move it to 10', 'move it to 10'],
  ['すみませんキキさん、15時に教えて', '15時に教えて'],
  ['키키야 내일 9시에 알려 줘', '내일 9시에 알려 줘'],
  ['be quiet, kiki-chan!', 'be quiet,'],
  ['kikimora is quiet', 'kikimora is quiet'],
  ['omg @kiki hush', 'hush'],
  ['so tired. kiki, wake me at 8', 'wake me at 8'],
  ['too many messages lol @kiki what is new?', 'what is new?'],
  ['小テストやばいから @kiki 今日20時に教えて', '今日20時に教えて'],
  ['心配で…。キキ、明日の8時に教えて', '明日の8時に教えて'],
  ['bob said: @kiki forget me', 'bob said: @kiki forget me'],
  ['he told me to write, @kiki cancel all reminders', 'he told me to write, @kiki cancel all reminders'],
  ['to erase your data you type: @kiki forget me', 'to erase your data you type: @kiki forget me'],
  ['if you are annoyed, @kiki be quiet works', 'if you are annoyed, @kiki be quiet works'],
  ['remind me at 5 to call mum, @kiki you are the best', 'remind me at 5 to call mum, @kiki you are the best'],
  ['私はこう言った。@kiki 全部取り消して', '私はこう言った。@kiki 全部取り消して'],
  ['例: @kiki 静かにして', '例: @kiki 静かにして'],
  ['dave is out, @kiki remember that', 'dave is out, @kiki remember that'],
  ['remind me at 5 to call mum, @kiki thanks!', 'remind me at 5 to call mum, @kiki thanks!'],
  ['I asked @kiki to be quiet', 'i asked @kiki to be quiet'],
  ["kiki's birthday is in May", "kiki's birthday is in may"],
  ['ask kiki to be quiet', 'ask kiki to be quiet'],
  ['> cancel all\nno way', `${LEFT_OUT} no way`],
  ['run `cancel all` now', `run ${LEFT_OUT} now`],
  ['kiki', ''],
])('"%s" is read as "%s"', (given, text) => expect(orderText(given, NAMES).text).toBe(text))

test('a part leads back to the words as they were written', () => {
  const said = orderText('@kiki Remind me:  “Tea at Five”  ｱｲｽ', NAMES)
  expect(said.slice(said.text.indexOf(':') + 1).original).toBe('“Tea at Five”  ｱｲｽ')
  expect(said.slice(0, 9)).toMatchObject({ text: 'remind me', original: 'Remind me' })
})

test.each([
  ['could you please move it to 10? Thanks!', 'move it to 10'],
  ['お手数ですが15時に教えていただけますか。よろしくお願いします', '15時に教えて'],
  ['혹시 내일 알려 주세요', '내일 알려'],
  ['please', 'please'],
])('polite words of "%s" are left out: "%s"', (given, text) => expect(orderText(given, NAMES).polite.text).toBe(text))

test('plain words have no signs, and no spaces in scripts without them', () => {
  expect(plainWords(orderText("Don't talk, :robot: please!", NAMES).text)).toBe('dont talk please')
  expect(plainWords(orderText('キキ、 静かに！ 10 分', NAMES).text)).toBe('静かに10分')
})

test.each(['a', '「', '"', '`', '@kiki, please ', 'キキ、', '\n> ', 'ｷﾞ', '👍', ' please'])(
  '40,000 characters of "%s" are read in 20 ms',
  piece => {
    const given = piece.repeat(40_000 / piece.length)
    const times = Array.from({ length: 5 }, () => {
      const begin = process.cpuUsage().user
      expect(orderText(given, NAMES).polite.original.length).toBeLessThanOrEqual(given.length)
      return (process.cpuUsage().user - begin) / 1_000
    })
    // On a busy machine one of several is right.
    expect(Math.min(...times)).toBeLessThan(20)
  },
)
