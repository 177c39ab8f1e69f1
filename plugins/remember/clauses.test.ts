/** Orders to remember and to forget, with the clauses that people put around them. */
import { expect, test } from 'vitest'
import { readOrder } from './orders.ts'

test.each([
  ['健太はコーヒー飲めないんだって。頭に入れといて', '健太はコーヒー飲めないんだ'],
  ['物品庫の鍵は2段目の引き出し。覚えといてね、毎回みんな聞くから', '物品庫の鍵は2段目の引き出し'],
  ['bobは猫アレルギーだから覚えておいてね、お菓子を買うとき困るので', 'bobは猫アレルギー'],
  ['キキ覚えて！3層ボスの弱点は雷', '3層ボスの弱点は雷'],
  ['記憶しておいていただきたいのですが、会議室のモニターはHDMIのみです', '会議室のモニターはHDMIのみです'],
  ['覚え書きよろ、ステージングのポートは8081', 'ステージングのポートは8081'],
  ['駐車場の番号は14番なんで、頭に入れといて', '駐車場の番号は14番'],
  ['さくらは甘いもの苦手、これ覚えといて！', 'さくらは甘いもの苦手'],
  ['出汁は昆布10gに水1リットルやで、忘れんといて', '出汁は昆布10gに水1リットル'],
  ['これ大事なので記憶しておいてほしいのですが、駐車場は裏の3番だけ使えます', '駐車場は裏の3番だけ使えます'],
  ['健太は辛いもん苦手やから覚えとってな', '健太は辛いもん苦手'],
  ['お願いがあるんだけど、駐車場は3番って覚えといて', '駐車場は3番'],
  ['これ おぼえて ください：カギは つくえの なか', 'カギは つくえの なか'],
  ['健太の誕生日は6月8日。忘れないように覚えといてくれる？', '健太の誕生日は6月8日'],
  ['救急連絡先は内線5500なんですよ、みんな間違えるから @kiki が覚えておいて', '救急連絡先は内線5500なんですよ'],
  ['メモしといて：Wi-Fiのパスワードはneko123', 'Wi-Fiのパスワードはneko123'],
  ['fyi the wifi password for guests is bluebird77, keep it in mind', 'the wifi password for guests is bluebird77'],
  ['for your memory: visiting hours end at 20:00', 'visiting hours end at 20:00'],
])('"%s" keeps "%s"', (text, content) => expect(readOrder(text, ['kiki', 'キキ'])).toEqual({ kind: 'remember', content }))

test.each([
  ['bobのアレルギーの話、人違いだったから忘れて', 'bobのアレルギー'],
  ['合言葉だけ忘れて', '合言葉'],
  ['カギの ばしょを わすれて ください', 'カギの ばしょ'],
  ['自転車の鍵の番号、変わったから忘れて', '自転車の鍵の番号'],
  ['daveの誕生日の件、間違ってたわ。もう忘れていいよ', 'daveの誕生日'],
  ['I moved house, you can forget my old address', 'my old address'],
])('"%s" forgets "%s"', (text, topic) => expect(readOrder(text, ['kiki', 'キキ'])).toEqual({ kind: 'forget', topic }))

test.each([
  'ケーキ買うの忘れないで',
  '傘忘れんといてや',
  '彼が覚えとってくれた',
  '牛乳と電池はもう買ったからなしで。図書館は残して',
  '人の顔って覚えられる？',
  '昨日から覚えてる？',
  '誰かが忘れてたから言って',
  '頭に入れたい本がある',
])('"%s" is no order', text => expect(readOrder(text, ['kiki', 'キキ'])).toBeUndefined())
