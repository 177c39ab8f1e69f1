import type { Language } from '../language.ts'
import type { Part } from '../said.ts'
import {
  ABOUT,
  AFTERNOON,
  amount,
  clock,
  DAYS,
  DIGITS,
  DUSK,
  EARLY,
  FORENOON,
  HALF,
  KANA_HOURS,
  LATER,
  LIST,
  LIST_ENDS,
  MINUTES,
  MORNING,
  N,
  NIGHT,
  NOON,
  numberOf,
  O_CLOCK,
  OF_TIME,
  PARTS,
  PLACE,
  SHORT_ZONE,
  UNIT,
  unitOf,
  WEEKDAY,
  weekdayOf,
  weekdaysIn,
  whole,
  withBefore,
} from '../words/ja.ts'
import { PLACES, SHORT_ZONES } from '../zones.ts'

const parts: readonly Part[] = [
  // 今から
  [`(?:あと|[今い](?:ま)?から|これから)?(${N})(${UNIT})(${HALF})?${LATER}`, ([, n, unit, half]) => whole(amount(n, unit, half))],
  [`(?:マイナス|[-−])${N}${UNIT}${LATER}`, () => ({ after: { ms: -1 } })],
  [
    `(?:あと|今から|これから)?(${N})時間(${N})分${LATER}`,
    ([, hours, minutes]) => ({ after: { ms: numberOf(hours) * 3_600_000 + numberOf(minutes) * 60_000 } }),
  ],
  [`(${N})営業日${LATER}`, ([, n]) => ({ after: { workdays: numberOf(n) } })],
  [
    `(${N})(日|週間?)と(${N})(時間|分)${LATER}`,
    ([, n, unit, more, other]) => whole({ ...amount(n, unit), ...amount(more, other) }),
  ],
  ['(?:今から|これから)?次の正時|正時', () => ({ after: { hours: 1 } })],
  ['(?:この|同じ|おなじ|今と同じ)(?:時間|時刻)', () => ({ sameTime: true })],
  // The date says it: 「前日の24日」.
  [`(?:その)?(?:前(?:日|の日)|当日|その日|翌日)の?(?=(?:${N}月)?${N}日(?![間後前]))`, () => ({})],
  [`(?:その)?前(?:日|の日)${OF_TIME}`, () => ({ shift: { days: -1 } })],
  ['(?:同日|同じ日)の?(?=[午朝昼夕夜晩]|\\d)', () => ({})],
  ['(?<=(?:平日|営業日)[^、]{0,12}(?:[時分半]|\\d))に?毎日', () => ({})],
  [`(?:当日|その日)${OF_TIME}`, () => ({ shift: { days: 0 } })],
  [`(?:その)?翌日${OF_TIME}`, () => ({ shift: { days: 1 } })],
  [`(?:その)?(${N})(日|週間)前(?=[にの])`, ([, n, unit]) => ({ shift: { days: -numberOf(n) * (unit === '日' ? 1 : 7) } })],
  [`(${N})月末日?`, ([, month]) => ({ month: numberOf(month), date: 'last' })],
  ['(?:1|一)日おき|隔日', () => ({ repeat: { unit: 'day', n: 2 } })],
  [`(${N})月(?=まで)`, ([, month]) => ({ month: numberOf(month) })],
  [`(?:その|それの|それより)?(${N})(分|時間)前(?=[にの、]|$)`, ([, n, unit]) => ({ shift: { ms: -(amount(n, unit).ms ?? 0) } })],
  [`^(?:今から|これから|あと)?(${N})(分|時間)(?:の|だけ)?$`, ([, n, unit]) => whole(amount(n, unit))],
  [`半時間${LATER}`, () => ({ after: { ms: 1_800_000 } })],
  [`半日${LATER}`, () => ({ after: { ms: 43_200_000 } })],
  [`半年${LATER}`, () => ({ after: { months: 6 } })],
  // 日
  ['今日|本日|きょう(?![かだぎ])', () => ({ days: 0 })],
  ['明日|あした|あす', () => ({ days: 1 })],
  ['明後日|あさって', () => ({ days: 2 })],
  ['明々後日|しあさって', () => ({ days: 3 })],
  ['昨日|きのう|一昨日|おととい', () => ({ days: -1 })],
  ['(?:今日|本日|きょう)(?:中|じゅう)', () => ({ days: 0, part: DUSK })],
  ['明朝|明日朝|明晩', ([day]) => ({ days: 1, part: day === '明晩' ? NIGHT : MORNING })],
  ['今朝|今夜|今晩|こんや|こんばん(?!は)', ([day]) => ({ days: 0, part: day === '今朝' ? MORNING : NIGHT })],
  [`(${WEEKDAY})`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [
    '(にち|げつ|か|すい|もく|きん|ど)(?:ようび|曜日?)',
    ([, day = '']) => ({ weekday: ['にち', 'げつ', 'か', 'すい', 'もく', 'きん', 'ど'].indexOf(day) }),
  ],
  [
    `(今週末?の?|来週末?の?)?(?<![同当翌前毎平祝連休終数先じ])([土日])(?=の?(?:朝|昼|夕|夜|\\d))`,
    ([, week, day]) => ({ weekday: weekdayOf(day), ...(week && { weeks: week.startsWith('来') ? 1 : 0 }) }),
  ],
  [`\\(([${DAYS}])(?:曜日?)?\\)`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [`(?:次|今度)の(${WEEKDAY})`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [
    '(今|こん|来|らい|再来|さ来|さらい)(?:週|しゅう)',
    ([, which = '']) => ({ weeks: /^[再さ]/u.test(which) ? 2 : /^[来ら]/u.test(which) ? 1 : 0 }),
  ],
  ['週明け', () => ({ weeks: 1, weekday: 1 })],
  [`([今来])?週末(?:の(${WEEKDAY}))?`, ([, which, day = '土']) => ({ weeks: which === '来' ? 1 : 0, weekday: weekdayOf(day) })],
  [
    `(今月|来月|再来月|(${N})月)の?(第(${N})|最終|最後の)(${WEEKDAY}|営業日)`,
    ([, which = '', month, , nth, day = '']) => ({
      ...{ nth: nth === undefined ? -1 : numberOf(nth) },
      ...(day === '営業日' ? { workday: true } : { weekdays: [weekdayOf(day)] }),
      ...(month === undefined ? { months: { 今: 0, 来: 1, 再: 2 }[which.slice(0, 1)] ?? 0 } : { month: numberOf(month) }),
    }),
  ],
  ['(今月|来月)の?最終営業日', ([, which]) => ({ nth: -1, workday: true, months: which === '来月' ? 1 : 0 })],
  ['(?:今月の?|月)末日?|今月末日?', () => ({ months: 0, date: 'last' })],
  ['今月|こんげつ', () => ({ months: 0 })],
  ['来月(?:頭|初め|はじめ)?|らいげつ', () => ({ months: 1 })],
  ['再来月', () => ({ months: 2 })],
  ['(?<!年)末日?', () => ({ date: 'last' })],
  ['大晦日|大みそか', () => ({ month: 12, date: 31 })],
  ['元日|元旦', () => ({ month: 1, date: 1 })],
  ['クリスマス(イブ)?', ([, eve]) => ({ month: 12, date: eve ? 24 : 25 })],
  ['(来|今)年', ([, which]) => ({ years: which === '来' ? 1 : 0 })],
  [`(\\d{4})年`, ([, year]) => ({ year: Number(year) })],
  [`令和(元|${N})年`, ([, year]) => ({ year: 2_018 + (year === '元' ? 1 : numberOf(year)) })],
  [
    `(${N})(?:月|がつ) ?(${N})(?:日|にち|か(?![いらな]))`,
    ([, month, date]) => ({ month: numberOf(month), date: numberOf(date) }),
  ],
  [String.raw`(\d\d?)/(\d\d?)(?![\d/])`, ([, month, date]) => ({ month: Number(month), date: Number(date) })],
  [String.raw`(\d{4})[-/](\d\d?)[-/](\d\d?)`, ([, y, m, d]) => ({ year: Number(y), month: Number(m), date: Number(d) })],
  [`(${N})日(?![後間ごお目本]|以|前)`, ([, date]) => ({ date: numberOf(date) })],
  [`(?<=(?:月|げつ)の? ?)(${N})(?:か|にち)(?=[のに\\s])`, ([, date]) => ({ date: numberOf(date) })],
  // 時刻
  [
    '(?<!\\p{sc=Hira})(いち|ろく|しち|なな|はち|じゅう|じゅういち|じゅうに)じ(はん)?(?=[には、,\\s]|ごろ|$)',
    ([, hour = '', half]) => clock(`${KANA_HOURS[hour]}`, half),
  ],
  ['(?<=^|[のうたて ])お?(あさ|ひる|よる|ゆうがた|ばん)(?=に[\\s、]| )', ([, part = '']) => ({ part: PARTS[part] ?? MORNING })],
  [
    `(午前|午後|朝|夕方|夜|晩|深夜|夜中|早朝|ごぜん|ごご|あさ|ひる|ゆうがた|よる|ばん)の? ?(${N}) ?${O_CLOCK}(?: ?(${N}) ?${MINUTES}| ?(${HALF}))?(?:(${N})分前)?${ABOUT}`,
    ([, part = '', h, m, half, before]) => {
      const said = withBefore(clock(h, m ?? half), before)
      return said && { ...said, part: PARTS[part] ?? MORNING }
    },
  ],
  [
    `(${N}) ?${O_CLOCK}(?: ?(${N}) ?${MINUTES}| ?(${HALF}))?(?:(${N})分前)?${ABOUT}`,
    ([, h, m, half, before]) => withBefore(clock(h, m ?? half), before),
  ],
  [`(${N})時(${N})分前`, ([, h, before]) => withBefore(clock(h), before)],
  [String.raw`(\d\d?):(\d\d)${ABOUT}`, ([, h, m]) => clock(h, m)],
  ['正午', () => ({ part: NOON })],
  ['早朝', () => ({ part: EARLY })],
  ['朝(?:イチ|いち|一番?)?|午前|始業時?', () => ({ part: MORNING })],
  ['午前中', () => ({ part: FORENOON })],
  ['お?昼(?:休み|頃|ごろ)?', () => ({ part: NOON })],
  ['(?:昼食|ランチ|お?昼)後|昼(?:過|す)ぎ', () => ({ part: { hour: 13, half: 'pm' } })],
  ['(?:お?昼|ランチ|昼食)(?:休み)?(?:明け|あと|の後)', () => ({ part: { hour: 13, half: 'pm' } })],
  ['午後(?:イチ|いち|一番?(?![\\d〇一二三四五六七八九十]*時))', () => ({ part: { hour: 13, half: 'pm' } })],
  ['午後', () => ({ part: AFTERNOON })],
  ['夕方', () => ({ part: DUSK })],
  ['夜|晩', () => ({ part: NIGHT })],
  [`(${PLACE})(?:標準)?時間(?:で|の)?`, ([, place = '']) => ({ zone: PLACES[place] ?? 'UTC' })],
  [
    `(?<=[時分半\\d] ?)\\(?(${SHORT_ZONE})\\)?|(${SHORT_ZONE})(?:で|の)?(?= ?(?:\\d|今日|明日|あした|明後日|あさって|午前|午後|朝|昼|夕方|夜|正午|来週|毎|[${DAYS}]曜))`,
    ([, zone, before]) => ({ zone: SHORT_ZONES[(zone ?? before ?? '').toLowerCase()] ?? 'UTC' }),
  ],
  ['定時後?|終業(?:時|後)', () => ({ part: DUSK })],
  // 繰り返し
  [
    '毎(分|日|週|月|年)|まい(にち|しゅう)',
    ([, unit, kana]) => ({ repeat: { unit: unitOf(unit ?? (kana === 'にち' ? '日' : '週')), n: 1 } }),
  ],
  ['(?:毎|まい)(朝|夕|晩|夜|あさ|ばん)', ([, part = '']) => ({ repeat: { unit: 'day', n: 1 }, part: PARTS[part] ?? MORNING })],
  ['毎週末', () => ({ repeat: { unit: 'week', n: 1 }, weekdays: [6] })],
  [`毎週の?(${LIST})${LIST_ENDS}`, ([, days]) => ({ repeat: { unit: 'week', n: 1 }, weekdays: weekdaysIn(days) })],
  [`隔週(?:の|で)?(${LIST})${LIST_ENDS}`, ([, days]) => ({ repeat: { unit: 'week', n: 2 }, weekdays: weekdaysIn(days) })],
  [
    `(${N})週(?:間)?(?:ごと|おき|毎)[のに]?(${LIST})${LIST_ENDS}`,
    ([, n, days]) => ({ repeat: { unit: 'week', n: numberOf(n) }, weekdays: weekdaysIn(days) }),
  ],
  [
    `(${N})(分|時間|日|週間?|(?:か|ヶ|ヵ|カ|ケ)月|年)(?:ごと|おき|毎)`,
    ([, n, unit]) => ({ repeat: { unit: unitOf(unit), n: numberOf(n) } }),
  ],
  ['(?:平日|毎?営業日)(?:は)?(?:毎日)?', () => ({ repeat: { unit: 'workday', n: 1 } })],
  ['平日(?:は|の)?毎朝', () => ({ repeat: { unit: 'workday', n: 1 }, part: MORNING })],
  [
    `毎月の?(?:第?(${N})|(最終|最後)|最初|月初|初|月末)の?営業日目?`,
    ([, nth, last]) => ({ repeat: { unit: 'month', n: 1 }, workday: true, nth: last ? -1 : numberOf(nth ?? '1') }),
  ],
  ['毎月の?(?:月末|末日?)', () => ({ repeat: { unit: 'month', n: 1 }, date: 'last' })],
  [
    `毎月の?第(${N})(${WEEKDAY})`,
    ([, nth, day]) => ({ repeat: { unit: 'month', n: 1 }, nth: numberOf(nth), weekdays: [weekdayOf(day)] }),
  ],
  [`毎月の?(?:最終|最後の)(${WEEKDAY})`, ([, day]) => ({ repeat: { unit: 'month', n: 1 }, nth: -1, weekdays: [weekdayOf(day)] })],
  [`毎月の?第(${N})[・と、]第?(${N})(${WEEKDAY})`, () => undefined],
  [`(?<=[・と、])第(${N})(${WEEKDAY})`, ([, nth, day]) => ({ nth: numberOf(nth), weekdays: [weekdayOf(day)] })],
  [
    `(?<=毎月の?)第(${N})(?=[・と、]第?[${DIGITS}\\d](${WEEKDAY}))`,
    ([, nth, day]) => ({ nth: numberOf(nth), weekdays: [weekdayOf(day)] }),
  ],
  [
    `(?:[${DAYS}]曜?日?[・、と]?){2,7}(?:以外|を除く|を除いて)(?:の|は)?`,
    ([days]) => ({ except: weekdaysIn((days ?? '').replace(/以外.*|を除.*/u, '')) }),
  ],
  [`(${WEEKDAY})(?:以外|を除く|を除いて)(?:の|は)?`, ([, day]) => ({ except: [weekdayOf(day)] })],
  [
    `(${N})(日|週)間(?=[、,の毎]|朝|夜|${N}時)`,
    ([, n, unit]) => ({ repeat: { unit: 'day', n: 1 }, until: { after: amount(n, unit) } }),
  ],
  [
    `(?<!\\p{sc=Han})([${DAYS}](?:・?[${DAYS}]){1,6})(?:曜日?)?(?=の? ?(?:毎|午|朝|昼|夕|夜|${N}時))`,
    ([, days]) => ({ weekdays: weekdaysIn(days) }),
  ],
  ['土日の?(?:毎週)?', () => ({ weekdays: [6, 0] })],
  ['毎正時|毎時', () => ({ repeat: { unit: 'hour', n: 1 } })],
  [
    `(${N})?(分|時間|日|週間?|[かヶカケ]?月|年)に(?:1|一)(?:回|度)`,
    ([, n, unit]) =>
      n === undefined && /[分時]/u.test(unit ?? '') ? undefined : { repeat: { unit: unitOf(unit), n: numberOf(n ?? '1') } },
  ],
  [
    `(?:(今月|来月)|(今週)|(年内|今年)|(${N})月)いっぱい(?:は|の間)?`,
    ([, which, week, year, month]) => ({
      until: week
        ? { weeks: 0, weekday: 0 }
        : year
          ? { month: 12, date: 31 }
          : { ...(month ? { month: numberOf(month) } : { months: which === '来月' ? 1 : 0 }), date: 'last' },
    }),
  ],
]

const language: Language = {
  parts,
  lead: '(?:(?:すみません|ごめん(?:なさい)?|ねえ|あの|えっと)[、,\\s]*)?',
  glue: String.raw`(?:に?[、,\s]*(?:えー?っ?と|ええと|うーん|んー)[、,\s…ー]*)?[\s、,]*(?:の|は)?(?:同じ曜日[・、の]*)?[\s、,]*`,
  ends: '',
  // 来週中, 明日以降, 始業前
  unclear: '[一頭中初末以内前](?!日)|\\d',
  and: '[\\s、,]*(?:と|・|、|および|&|それから|そして)[\\s、,]*(?:毎[日週月]の?)?',
  or: '[\\s、,]*(?:か|または|もしくは|それとも)[\\s、,]*',
  starts: '(?:から|に?(?:スタート|開始)で?)(?:は)?[\\s、,]*',
  until: 'まで(?:は|の間(?:は)?)?(?!に)[\\s、,]*',
  isAfter: true,
  isUnspaced: true,
}

export default language
