import type { Language } from '../language.ts'
import type { Part, Said, SaidRepeat } from '../time/said.ts'

// ---------------------------------------------------------------- numbers and names

const DIGITS = '〇一二三四五六七八九'
const N = `(?:\\d{1,4}(?:\\.\\d)?|[${DIGITS}十]{1,4})`

function numberOf(text = ''): number {
  if (/^\d/.test(text)) return Number(text)
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text]
  const ten = text.includes('十') ? (tens ? DIGITS.indexOf(tens) : 1) : 0
  return ten * 10 + (ones ? DIGITS.indexOf(ones) : 0)
}

const DAYS = '日月火水木金土'
const WEEKDAY = `[${DAYS}]曜日?`
const weekdayOf = (text = '') => DAYS.indexOf(text.slice(0, 1))
const LIST = `[${DAYS}](?:曜日?)?(?:[・と、,]?[${DAYS}](?:曜日?)?){0,6}`
const weekdaysIn = (text = '') =>
  [...text.replaceAll(/曜日?/gu, '').matchAll(new RegExp(`[${DAYS}]`, 'gu'))].map(([day]) => weekdayOf(day))
/** What may follow a list of weekdays, so that 毎週日記を… is none. */
const LIST_ENDS = String.raw`(?=[\sの、,にはも\d${DIGITS}十午前後朝昼夕夜晩]|$)`

const UNIT = '(?:秒|分|時間|日|週間?|(?:か|ヶ|ヵ|カ|ケ|箇)月|年)'

// ---------------------------------------------------------------- parts

const MORNING = { hour: 9, half: 'am' } as const
const EARLY = { hour: 6, half: 'am' } as const
const FORENOON = { hour: 10, half: 'am' } as const
const NOON = { hour: 12, half: 'noon' } as const
const AFTERNOON = { hour: 15, half: 'pm' } as const
const DUSK = { hour: 17, half: 'pm' } as const
const NIGHT = { hour: 20, half: 'pm' } as const

type Amount = NonNullable<Said['after']>

function amount(number: string | undefined, unit = '', half?: string): Amount {
  const n = numberOf(number) + (half ? 0.5 : 0)
  if (unit === '秒') return { ms: n * 1_000 }
  if (unit === '分') return { ms: n * 60_000 }
  if (unit === '時間') return { ms: n * 3_600_000 }
  if (unit === '日') return { days: n }
  if (unit.startsWith('週')) return { days: 7 * n }
  return { months: unit === '年' ? 12 * n : n }
}

const whole = (after: Amount): Said | undefined =>
  Number.isInteger(after.months ?? 0) && Number.isInteger(after.days ?? 0) ? { after } : undefined

const UNITS: Readonly<Record<string, SaidRepeat['unit']>> = { 分: 'minute', 時: 'hour', 日: 'day', 週: 'week', 年: 'year' }
const unitOf = (text = ''): SaidRepeat['unit'] => UNITS[text.slice(0, 1)] ?? 'month'

function clock(hour: string | undefined, minute?: string): Said | undefined {
  const [h, m] = [numberOf(hour), minute === '半' ? 30 : numberOf(minute ?? '0')]
  // 25時 is one in the night after that day.
  return h > 29 || m > 59
    ? undefined
    : { hour: h, minute: m, sure: h === 0 || h > 12 || (hour?.length === 2 && hour.startsWith('0')) }
}

function withBefore(said: Said | undefined, before: string | undefined): Said | undefined {
  if (!said || before === undefined) return said
  return { ...said, before: numberOf(before) }
}

const ABOUT = '(?:頃|ごろ|ころ|ぐらい|くらい|ちょうど)?'
const LATER = '(?:後|したら|経ったら|たったら)'

const parts: readonly Part[] = [
  // 今から
  [`(?:あと|今から|これから)?(${N})(${UNIT})(半)?${LATER}`, ([, n, unit, half]) => whole(amount(n, unit, half))],
  [
    `(?:あと|今から|これから)?(${N})時間(${N})分${LATER}`,
    ([, hours, minutes]) => ({ after: { ms: numberOf(hours) * 3_600_000 + numberOf(minutes) * 60_000 } }),
  ],
  [`半時間${LATER}`, () => ({ after: { ms: 1_800_000 } })],
  [`半日${LATER}`, () => ({ after: { ms: 43_200_000 } })],
  [`半年${LATER}`, () => ({ after: { months: 6 } })],
  // 日
  ['今日|本日|きょう', () => ({ days: 0 })],
  ['明日|あした|あす', () => ({ days: 1 })],
  ['明後日|あさって', () => ({ days: 2 })],
  ['明々後日|しあさって', () => ({ days: 3 })],
  ['昨日|きのう|一昨日|おととい', () => ({ days: -1 })],
  ['(?:今日|本日|きょう)中', () => ({ days: 0, part: DUSK })],
  ['明朝|明日朝', () => ({ days: 1, part: MORNING })],
  ['明晩', () => ({ days: 1, part: NIGHT })],
  ['今夜|今晩', () => ({ days: 0, part: NIGHT })],
  ['今朝', () => ({ days: 0, part: MORNING })],
  [`(${WEEKDAY})`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [`\\(([${DAYS}])(?:曜日?)?\\)`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [`(?:次|今度)の(${WEEKDAY})`, ([, day]) => ({ weekday: weekdayOf(day) })],
  ['今週', () => ({ weeks: 0 })],
  ['来週', () => ({ weeks: 1 })],
  ['再来週|さ来週|さらいしゅう', () => ({ weeks: 2 })],
  ['週明け', () => ({ weeks: 1, weekday: 1 })],
  ['(?:今)?週末', () => ({ weeks: 0, weekday: 6 })],
  ['来週末', () => ({ weeks: 1, weekday: 6 })],
  ['(?:今月の?|月)末日?|今月末日?', () => ({ months: 0, date: 'last' })],
  ['今月', () => ({ months: 0 })],
  ['来月(?:頭|初め|はじめ)?', () => ({ months: 1 })],
  ['再来月', () => ({ months: 2 })],
  ['末日?', () => ({ date: 'last' })],
  ['大晦日|大みそか', () => ({ month: 12, date: 31 })],
  ['元日|元旦', () => ({ month: 1, date: 1 })],
  ['クリスマスイブ', () => ({ month: 12, date: 24 })],
  ['クリスマス', () => ({ month: 12, date: 25 })],
  ['来年', () => ({ years: 1 })],
  ['今年', () => ({ years: 0 })],
  [`(\\d{4})年`, ([, year]) => ({ year: Number(year) })],
  [`(${N})月(${N})日`, ([, month, date]) => ({ month: numberOf(month), date: numberOf(date) })],
  [String.raw`(\d\d?)/(\d\d?)(?![\d/])`, ([, month, date]) => ({ month: Number(month), date: Number(date) })],
  [String.raw`(\d{4})[-/](\d\d?)[-/](\d\d?)`, ([, y, m, d]) => ({ year: Number(y), month: Number(m), date: Number(d) })],
  [`(${N})日(?![後間ごお目本]|以|前)`, ([, date]) => ({ date: numberOf(date) })],
  // 時刻
  [
    `(${N})時(?!間)(?:(${N})分|(半))?(?:(${N})分前)?${ABOUT}`,
    ([, h, m, half, before]) => withBefore(clock(h, m ?? half), before),
  ],
  [`(${N})時(${N})分前`, ([, h, before]) => withBefore(clock(h), before)],
  [String.raw`(\d\d?):(\d\d)${ABOUT}`, ([, h, m]) => clock(h, m)],
  ['正午', () => ({ part: NOON })],
  ['早朝', () => ({ part: EARLY })],
  ['朝(?:イチ|いち|一番?)?|午前|始業時?', () => ({ part: MORNING })],
  ['午前中', () => ({ part: FORENOON })],
  ['お?昼(?:休み|頃|ごろ)?', () => ({ part: NOON })],
  ['(?:昼食|ランチ|お?昼)後|昼過ぎ', () => ({ part: { hour: 13, half: 'pm' } })],
  ['午後(?:イチ|いち|一番?)', () => ({ part: { hour: 13, half: 'pm' } })],
  ['午後', () => ({ part: AFTERNOON })],
  ['夕方', () => ({ part: DUSK })],
  ['夜|晩', () => ({ part: NIGHT })],
  ['深夜0時|夜中の0時|0時', () => ({ hour: 0, sure: true })],
  ['定時後?|終業(?:時|後)', () => ({ part: DUSK })],
  // 繰り返し
  ['毎日', () => ({ repeat: { unit: 'day', n: 1 } })],
  ['毎時', () => ({ repeat: { unit: 'hour', n: 1 } })],
  ['毎分', () => ({ repeat: { unit: 'minute', n: 1 } })],
  ['毎朝', () => ({ repeat: { unit: 'day', n: 1 }, part: MORNING })],
  ['毎夕', () => ({ repeat: { unit: 'day', n: 1 }, part: DUSK })],
  ['毎晩|毎夜', () => ({ repeat: { unit: 'day', n: 1 }, part: NIGHT })],
  ['毎週', () => ({ repeat: { unit: 'week', n: 1 } })],
  ['毎週末', () => ({ repeat: { unit: 'week', n: 1 }, weekdays: [6] })],
  [`毎週の?(${LIST})${LIST_ENDS}`, ([, days]) => ({ repeat: { unit: 'week', n: 1 }, weekdays: weekdaysIn(days) })],
  [`隔週の?(${LIST})${LIST_ENDS}`, ([, days]) => ({ repeat: { unit: 'week', n: 2 }, weekdays: weekdaysIn(days) })],
  [
    `(${N})週(?:間)?(?:ごと|おき|毎)[のに]?(${LIST})${LIST_ENDS}`,
    ([, n, days]) => ({ repeat: { unit: 'week', n: numberOf(n) }, weekdays: weekdaysIn(days) }),
  ],
  [
    `(${N})(分|時間|日|週間?|(?:か|ヶ|ヵ|カ|ケ)月|年)(?:ごと|おき|毎)`,
    ([, n, unit]) => ({ repeat: { unit: unitOf(unit), n: numberOf(n) } }),
  ],
  ['(?:平日|毎?営業日)(?:は)?(?:毎日)?', () => ({ repeat: { unit: 'workday', n: 1 } })],
  ['平日の?毎朝', () => ({ repeat: { unit: 'workday', n: 1 }, part: MORNING })],
  ['毎月', () => ({ repeat: { unit: 'month', n: 1 } })],
  ['毎月の?(?:月末|末日?)', () => ({ repeat: { unit: 'month', n: 1 }, date: 'last' })],
  [
    `毎月の?第(${N})(${WEEKDAY})`,
    ([, nth, day]) => ({ repeat: { unit: 'month', n: 1 }, nth: numberOf(nth), weekdays: [weekdayOf(day)] }),
  ],
  [`毎月の?(?:最終|最後の)(${WEEKDAY})`, ([, day]) => ({ repeat: { unit: 'month', n: 1 }, nth: -1, weekdays: [weekdayOf(day)] })],
  ['毎年', () => ({ repeat: { unit: 'year', n: 1 } })],
]

// ---------------------------------------------------------------- requests

const TE =
  '(?:て|で)?(?:ね|よ|ください|下さい|くれ(?:る|ますか|ませんか|ない)?|ほしい(?:です)?|欲しい(?:です)?|もらえ(?:る|ます|ません|ない)(?:か)?|もらっていい(?:ですか)?|おいて(?:ください|下さい|ね)?|(?:頂|いただ)け(?:ますか|ますでしょうか|ないでしょうか))?'
const WHOM = '(?:(?:みんな|皆(?:さん)?|全員|私|僕|俺|自分|チーム|ここ)(?:に|で))?'
const END = String.raw`[\s。.!！?？〜~]*$`

const language: Language = {
  time: {
    parts,
    lead: '(?:(?:すみません|ごめん(?:なさい)?|ねえ|あの|えっと)[、,\\s]*)?',
    glue: String.raw`[\s、,]*(?:の|に|は|から)?[\s、,]*`,
    ends: '',
    // 来週中, 明日以降, 始業前
    unclear: '[一頭中初末以内前]',
  },
  request: {
    before: { sure: String.raw`(?:すみません|ごめん|ねえ)?[、,\s]*リマイン(?:ド|ダー)(?:して|お願い)?[:：\s、,]+` },
    after: {
      sure: `${WHOM}\\s?(?:リマインド(?:\\s?し${TE}|を?\\s?(?:お願い(?:します|できますか)?|よろしく|よろ|頼む|たのむ|入れ(?:て|といて)(?:ください|ね)?))?|(?:の)?リマインダーを?(?:セット|設定|登録|追加|作成)?(?:し${TE})?|思い出させ${TE}|忘れない(?:よう(?:に)?)(?:言っ|教え|知らせ)${TE})${END}`,
      unsure: `${WHOM}\\s?(?:(?:お?知らせ(?:し)?|教え|伝え|言っ|声(?:を)?かけ|聞い|通知(?:を)?し|起こし|呼ん|促し|つつい|送っ)${TE}|(?:お知らせ|通知)(?:を)?(?:ください|願います|お願いします|よろ(?:しく)?))(?=[\\s、,。!！?？〜~]|$)`,
    },
  },
  polite: END,
  contentStart: String.raw`[\s、,:：]*(?:に(?:は)?|までに|から|は(?=[\s、,])|の)?[\s、,:：]*`,
  contentEnd: String.raw`\s*(?:(?:の|こと)\s?を|なので|だから|ので|から|を|のこと|する?よう(?:に)?|って|と|の|、|,|は|に)*\s*$`,
  unspaced: true,
  goesOn:
    /^(?:いや|やっぱ|じゃなく|または|以外|[・〜~]|[とか]?第?[\d一二三四五六七八九十]+(?:時|分|日|週|・))|\d(?:時間|分|日|週間)前|(?:^|[、,\s]|から)(?:午[前後])?\d{1,2}時(?:\d{1,2}分|半)?(?:に|頃|ごろ)?$|\d日の?(?:午[前後])?\d{1,2}時(?:\d{1,2}分|半)?に/u,
  timeSigns: /\d|[時曜週月日]|まで|から|だけ/u,
  lists:
    /^(?:今週?の?|いま|登録(?:した|済みの)|入ってる|入っている|ここの|私の|自分の){0,3}(?:リマインダー?|リマインド|予定の通知)(?:の)?(?:一覧|リスト)?(?:は|を|って)?(?:全部|何|なに|どんなの|どれ)?(?:が)?(?:ある|ありますか|あったっけ|見せて|教えて|出して|ください|は)?(?:の|んだっけ|ください)?$/u,
  cancels:
    /^(?<which>.*?)(?:の)?(?:リマインダー?|リマインド|通知)?(?:を|は|、)?(?:(?:取り消し|取消し?|キャンセル(?:し)?|削除(?:し)?|消し|やめ|止め|中止(?:し)?|解除(?:し)?)(?:て|に(?:して)?)|(?:取り消し|取消し?|キャンセル|削除|解除|なし)(?:で|にして)?|(?:もう)?(?:要らない|いらない|不要)(?:です|よ)?)(?:お願い(?:します)?|ください|下さい|くれる|ね|おいて)?$/u,
  cancelsAll:
    /^(?:(?:すみません|ごめん|お願い)[、,\s]*)?(?:(?:全部|全て|すべて|ぜんぶ|全|ここ)の?(?:私の|自分の)?(?:リマインダー?|リマインド|予定のお知らせ)|(?:私の|自分の|ここの)?(?:リマインダー?|リマインド)(?:は|を)?(?:全部|全て|すべて|ぜんぶ|一括で|まとめて))(?:は|を)?、?(?:全部|全て|すべて)?(?:取り?消(?:して|し)|キャンセル(?:して|で)?|消(?:して|し)|削除(?:して)?|クリア(?:して)?|解除(?:して)?|やめて|止めて)(?:ください|下さい|ほしい(?:です)?|お願い(?:します)?|ね|よ)*$/u,
  moves:
    /^(?:(?<which>[^、,]*?)(?:の)?(?:リマインダー?|リマインド|通知)?を)?(?<when>.+?)(?:に|へ)(?:変更|変え|移動|移し|ずらし|延期|リスケ)(?:し)?(?:て)?(?:ください|下さい|くれる|ね|おいて)?$/u,
  watches:
    /^(?:誰か|だれか)(?:が|から)(?<words>.{1,40}?)(?:について|のこと|の話|の話題|という言葉|って)?(?:を|が|に|と)?(?:し|話し|言っ|言及し|触れ|出し|出|聞い|質問し|書い)(?:たら|た時|たとき|た場合)(?:は)?[、,\s]*(?<content>.+?)(?:って|と|を|こと(?:を)?)(?:伝え|教え|知らせ|言っ|返し|答え)て(?:ください|下さい|あげて|くれる|ね)?$/u,
  it: /^(?:それ|これ|さっきの|今の|最後の|直前の)?$/u,
  number: /(?:^|[#＃\s])(\d{1,9})(?:番(?:目)?)?$/,
  about: /^(?<words>.+?)(?:について|の件|のやつ|に関する)?$/u,
  promises: [
    /(?<when>[^。！!?？\n]{0,60}?)(?:確認し(?:ます|ておきます)|調べ(?:ます|ておきます)|見て(?:おきます|みます)|お知らせします|ご?連絡します|報告します|お返事します|返事します|検討します|考えておきます|試してみます)(?=[。！!?？\n\s]|$)/gu,
  ],
  vague: /(?:あとで|後で|のちほど|後ほど|また(?:後|あと)で|少ししたら|しばらくしたら|近いうちに|時間ができたら)/u,
}

export default language
