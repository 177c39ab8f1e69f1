/** The whole bot: changes of reminders with a reason beside them, without a verb, and in the words of people who correct themselves. */
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import { scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import promises from './index.ts'

/** Wednesday, 2026-03-11 14:30 in Tokyo. */
const AT = new Date('2026-03-11T05:30:00Z')

const tokyo = () =>
  testBot({
    ...{ timeZone: 'Asia/Tokyo', plugins: [promises(), addressing(), reply()], storage: 'pglite', at: AT },
    model: scriptedModel('Fine.'),
  })

const THERE = {
  ja: ['明日の9時に銀行に電話って', '金曜の15時に歯医者って', '土曜の10時に家賃の振込って'].map(text => `${text}リマインドして`),
  en: ['tomorrow at 9am to call the bank', 'on friday at 3pm to see the dentist', 'on saturday at 10am to pay the rent'].map(
    text => `remind me ${text}`,
  ),
}

async function changed(text: string): Promise<string> {
  await using bot = await tokyo()
  const there = /[\p{sc=Hira}]/u.test(text) ? THERE.ja : THERE.en
  for (const one of there) await bot.say('alice', `@kiki ${one}`)
  await bot.say('alice', `@kiki ${text}`)
  const { rows } = await bot.db.query<{ at: Date; id: number }>('select id, at from promises.reminder order by id')
  const times = [1, 2, 3].map(number => {
    const at = rows.find(({ id }) => id === number)?.at
    return at === undefined ? '-' : new Date(at.getTime() + 9 * 3_600_000).toISOString().slice(8, 16)
  })
  return `${/[?？]/.test(bot.sent.at(-1) ?? '') ? 'asks ' : ''}${times.join(' ')}`
}

test.each([
  ['歯医者のやつ、都合が悪くなったから土曜の16時にして', '12T09:00 14T16:00 14T10:00'],
  ['家賃の件、もう払ったので取り消して', '12T09:00 13T15:00 -'],
  ['家賃もう払った！なので通知しなくていいよ', '12T09:00 13T15:00 -'],
  // Told as a fact, with the old time and the new one.
  ['歯医者、金曜じゃなくて土曜だった。時間は同じで', '12T09:00 14T15:00 14T10:00'],
  ['歯医者は15時から16時に変わった', '12T09:00 13T16:00 14T10:00'],
  ['家賃、14日から17日になった', '12T09:00 13T15:00 17T10:00'],
  ['銀行の電話 9時→11時', '12T11:00 13T15:00 14T10:00'],
  ['家賃の振込の件ですが、18時に変更していただけますか', '12T09:00 13T15:00 14T18:00'],
  ['家賃の振込ですが、もう済ませましたので取り消してください', '12T09:00 13T15:00 -'],
  ['歯医者なくなったから消して', '12T09:00 - 14T10:00'],
  ['歯医者のやつキャンセルs', '12T09:00 - 14T10:00'],
  ['銀行の電話のリマインド、妻が代わってくれたんで不要になりました', '- 13T15:00 14T10:00'],
  ['やっぱ10時半にして', '12T09:00 13T15:00 14T10:30'],
  ['ごめん、日曜じゃなくて月曜の10時に家賃を変更して', '12T09:00 13T15:00 16T10:00'],
  ['歯医者、1時間後ろにずらして！今手が離せない', '12T09:00 13T16:00 14T10:00'],
  ['歯医者が金曜の17時からになったから、リマインドも16時45分にして', '12T09:00 13T16:45 14T10:00'],
  ['家賃、来週に回して', '12T09:00 13T15:00 21T10:00'],
  ['家賃以外は消しちゃって', '- - 14T10:00'],
  ['リマインド全部いらなくなったので取り消しでお願いします', '- - -'],
  ['銀行と歯医者は取り消し、家賃だけ残して', '- - 14T10:00'],
  ['歯医者は木曜に変更になったから12日の15時でお願い', '12T09:00 12T15:00 14T10:00'],
  ['銀行のリマインド、明日じゃなくて明後日にして', '13T09:00 13T15:00 14T10:00'],
  ['一番最後に入れたの取り消し', '12T09:00 13T15:00 -'],
  ['銀行と家賃はもう払ったからなしで。歯医者は残して', '- 13T15:00 -'],
  ['歯医者はもう終わったから消しといて', '12T09:00 - 14T10:00'],
  ['やっぱ30分うしろにずらして', '12T09:00 13T15:00 14T10:30'],
  ['1時間前倒しで', '12T09:00 13T15:00 14T09:00'],
  ['歯医者の、30分後ろにして', '12T09:00 13T15:30 14T10:00'],
  ['9時のやつと15時のやつを消して', '- - 14T10:00'],
  ['9時のリマインドは消して、15時のはそのままで', '- 13T15:00 14T10:00'],
  ['9時のはそのままで、15時のは消して', '12T09:00 - 14T10:00'],
  ['銀行だけそのまま、他は消して', '12T09:00 - -'],
  ['さっきの時間まちがえた、18時', '12T09:00 13T15:00 14T18:00'],
  ['代わりに夫が行くことになったので、15時のリマインドは結構です', '12T09:00 - 14T10:00'],
  ['銀行のやつは もう大丈夫です', '- 13T15:00 14T10:00'],
  ['歯医者のやつ けして', '12T09:00 - 14T10:00'],
  ['歯医者のリマインドを ごご4じに なおしてください', '12T09:00 13T16:00 14T10:00'],
  ['make the dentist one 4pm instead', '12T09:00 13T16:00 14T10:00'],
  ['I already paid the rent so no need to remind me', '12T09:00 13T15:00 -'],
  ['I called the bank already so you can drop that one', '- 13T15:00 14T10:00'],
  ['wait no, I meant 11am', '12T09:00 13T15:00 14T11:00'],
  ['the dentist got moved to saturday, can you change my reminder? same time', '12T09:00 14T15:00 14T10:00'],
  ['cancel everything except the rent', '- - 14T10:00'],
  ['clear my whole list please, I am on leave', '- - -'],
  ["saturday doesn't work, make it sunday", '12T09:00 13T15:00 15T10:00'],
  ['the dentist is now 3:30 not 3', '12T09:00 13T15:30 14T10:00'],
  ['sorry, I have mistaken the day. The dentist is on saturday, please change it', '12T09:00 14T15:00 14T10:00'],
  ['rent reminder an hour later pls', '12T09:00 13T15:00 14T11:00'],
  ['an hour later pls', '12T09:00 13T15:00 14T11:00'],
  ['called the bank, you can stop reminding me', '- 13T15:00 14T10:00'],
  ['already paid the rent, no need to remind me', '12T09:00 13T15:00 -'],
  ['scrap the dentist one, she moved it herself', '12T09:00 - 14T10:00'],
  ['Please disregard my earlier request about the rent, it has been taken care of.', '12T09:00 13T15:00 -'],
  ['cancel everything you have for me', '- - -'],
  ['move the rent one til 4pm', '12T09:00 13T15:00 14T16:00'],
])('"%s" is carried out', async (text, times) => expect(await changed(text)).toBe(times))

test.each([
  'paid the rent already, you can drop that',
  'I need to reschedule the dentist',
  'I got the day wrong. The dentist is coming on Monday, please change it',
  '歯医者の時間、ずらしてもらっていい？',
])('"%s" is asked about', async text => expect(await changed(text)).toBe('asks 12T09:00 13T15:00 14T10:00'))

test.each([
  '会議が始まるから電気を消して',
  'うるさいからやめて',
  '歯医者に行くの忘れてた！',
  'お茶は結構です',
  '雨は降らないからなしで',
  'バグをなおして',
  'リマインダー消すのやめて',
  '銀行と家賃はもう払ったよ',
  'how do I cancel a reminder?',
  'bob told me to cancel the rent',
  'if the dentist calls, we cancel the trip',
  'the bank moved to the new building',
  'ten minutes later bob paid the rent',
  'is the rent now 800 not 700?',
  'ignore my earlier question about the bank',
  'bob said an hour later',
  'I need to list the rent costs',
])('"%s" changes nothing', async text => expect(await changed(text)).toMatch(/12T09:00 13T15:00 14T10:00$/))

test.each([
  'what have you got for me?',
  'when is my next reminder?',
  'list',
  '一覧',
  "what's still pending for me?",
  "Could you show me what you're going to remind me about this week?",
  '何のリマインド入れてたっけ？',
  '頼んでたやつ、何が残ってる？',
  'リマインドを ぜんぶ みせて ください',
  '何時に何をお願いしてあったか教えてもらってもいいですか',
])('"%s" lists them', async text => {
  await using bot = await tokyo()
  await bot.say('alice', '@kiki remind me tomorrow at 9am to call the bank')
  await bot.say('alice', `@kiki ${text}`)
  expect(bot.sent.at(-1)).toContain('call the bank')
})
