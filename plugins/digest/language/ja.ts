import type { Language } from '../language.ts'
import { type Day, SPAN, type Span, type SpanRule } from '../span.ts'

// ---------------------------------------------------------------- times

const WEEKDAYS = [...'日月火水木金土']
const DIGITS = [...'〇一二三四五六七八九十']
const N = '(?:\\d{1,3}|[一二三四五六七八九十]|数)'
const DAY = `(?:一昨日|おととい|おとつい|昨日|きのう|今日|きょう|本日|${N}日前|(?:(?:先週|今週|この前|前)の?)?[日月火水木金土]曜日?|(?:\\d{4}年)?\\d{1,2}月\\d{1,2}日|\\d{4}[-/]\\d\\d?[-/]\\d\\d?|\\d{1,2}/\\d{1,2})`
const PART = '(?:朝|午前中?|お?昼|午後|夕方|夜|晩)'
const TIME = `(?:(?:${PART}の?)?(?:\\d{1,2}(?:時(?:半|\\d{1,2}分)?|:\\d\\d)|[一二三四五六七八九十]時半?)|正午|お?昼)`

const numberOf = (text = '') => (text === '数' ? 3 : DIGITS.includes(text) ? DIGITS.indexOf(text) : Number(text))

const UNITS: Readonly<Record<string, number>> = {
  分: 60_000,
  時間: 3_600_000,
  日: 86_400_000,
  日間: 86_400_000,
  週間: 604_800_000,
}
const msOf = (number: string | undefined, unit = '') => numberOf(number) * (UNITS[unit] ?? 0)

function dayOf(text = '今日'): Day | undefined {
  if (/^(?:今日|きょう|本日)$/.test(text)) return { ago: 0 }
  if (/^(?:昨日|きのう)$/.test(text)) return { ago: 1 }
  if (/^(?:一昨日|おととい|おとつい)$/.test(text)) return { ago: 2 }
  const [, count] = /^(.+)日前$/.exec(text) ?? []
  if (count) return { ago: numberOf(count) }
  const [, which, name] = /^(先週|今週|この前|前)?の?([日月火水木金土])曜日?$/.exec(text) ?? []
  if (name) return { weekday: WEEKDAYS.indexOf(name), ...(which?.endsWith('週') && { weeks: which === '先週' ? 1 : 0 }) }
  const numbers = Array.from(text.matchAll(/\d+/g), ([digits]) => Number(digits))
  const [date, month, year] = numbers.toReversed()
  return date !== undefined && month !== undefined && month <= 12 && date <= 31
    ? { date, month, ...(year !== undefined && { year }) }
    : undefined
}

/** Minutes from midnight. */
function clockOf(text = ''): number | undefined {
  if (/^(?:正午|お?昼)$/.test(text)) return 12 * 60
  const [, hour, kanji, half, minute = '0'] = /(?:(\d{1,2})|([一二三四五六七八九十]))(?:時(半)?|:)(\d{1,2})?/.exec(text) ?? []
  const h = hour === undefined ? numberOf(kanji) : Number(hour)
  const m = half ? 30 : Number(minute)
  if (!(h <= 29) || m > 59) return undefined
  return (/^(?:午後|夕方|夜|晩|お?昼)/.test(text) && h >= 1 && h < 12 ? h + 12 : h) * 60 + m
}

const partOf = (name = ''): readonly [number, number] => {
  if (/昼/.test(name)) return [11, 14]
  if (/朝/.test(name)) return [4, 11]
  if (/午前/.test(name)) return [0, 12]
  if (name === '午後') return [12, 18]
  return name === '夕方' ? [15, 19] : [18, 30]
}

function day(given: string | undefined, from?: number, to?: number, isOpen = false): Span | undefined {
  const found = dayOf(given)
  return found && { kind: 'day', day: found, ...(from !== undefined && { from }), ...(to !== undefined && { to }), isOpen }
}

function between(given: string | undefined, one = '', other = ''): Span | undefined {
  // 「午後2時から4時」
  const isPm = /^(?:午後|夕方|夜|晩)/.test(one) && /^\d{1,2}時/.test(other)
  const [from, to] = [clockOf(one), clockOf(isPm ? `午後${other}` : other)]
  return from === undefined || to === undefined ? undefined : day(given, from, to)
}

function since(given: string | undefined, time: string | undefined): Span | undefined {
  const from = clockOf(time)
  return from === undefined ? undefined : day(given, from, undefined, true)
}

function part(given: string | undefined, name: string | undefined, isOpen = false): Span | undefined {
  const [from, to] = partOf(name)
  return day(given, from * 60, to * 60, isOpen)
}

const FROM = '(?:から|以降|以来|より後)'
const UNTIL_NOW = '(?:今|これ|ここ)まで'

const spans: readonly SpanRule[] = [
  [
    `(?:明日|あした|明後日|あさって|来週|来月|来年|あの(?:時|とき|日)|例の時)(?:の?(?:${TIME}|${PART}))?(?:(?:から|[〜~-])${TIME})?`,
    () => ({ kind: 'unclear' }),
  ],
  [`(?:(${DAY})の?)?(${TIME})(?:から|[〜~-])(${TIME})(?:まで)?(?:の間|にかけて)?`, between],
  [`(?:(${DAY})の?)?(${TIME})(?:過ぎ|頃|ごろ)?${FROM}(?:${UNTIL_NOW})?`, since],
  [`(?:(${DAY})の?)?(${TIME})まで`, (on, time) => day(on, 0, clockOf(time))],
  [`(${DAY})の?(${PART})(${FROM})?`, (on, name, open) => part(on, name, open !== undefined)],
  [`今朝(${FROM})?`, open => part('今日', '朝', open !== undefined)],
  [`(?:昨夜|昨晩|ゆうべ|夕べ)(${FROM})?`, open => part('昨日', '夜', open !== undefined)],
  [`今日の?(?:${UNTIL_NOW})|今日一日`, () => day('今日')],
  [`(${DAY})(${FROM})?(?:${UNTIL_NOW})?`, (on, open) => day(on, undefined, undefined, open !== undefined)],
  [
    `(先週末|今週末|週末|(?:この前|前|先週)の(?:土日|週末)|土日|先週|今週|先月|今月)(?:中)?(${FROM})?`,
    (which, open) => ({
      kind: /末|土日/.test(which ?? '') ? 'weekend' : which?.endsWith('週') ? 'week' : 'month',
      ...{ ago: /^(?:先週|先月)$/.test(which ?? '') ? 1 : 0, isOpen: open !== undefined },
    }),
  ],
  [
    `(?:この|ここ|直近|過去|最近)の?(${N})(分|時間|日間?|週間)(?:間|くらい|ほど)?`,
    (n, unit) => ({ kind: 'last', ms: msOf(n, unit) }),
  ],
  [`(${N})(分|時間|週間)(?:間|くらい|ぐらい|ほど)?前(?:${FROM})?`, (n, unit) => ({ kind: 'last', ms: msOf(n, unit) })],
  [
    `(?:直近|最新|最近|最後)の?(\\d{1,3})(?:件|個|通)(?:の?(?:メッセージ|発言|投稿|会話))?`,
    n => ({ kind: 'messages', count: numberOf(n) }),
  ],
]

// ---------------------------------------------------------------- questions

const WHEN = `(?:(?:${SPAN}|(?:私|僕|俺)?が?(?:いない|いなかった|寝てる|寝ている|離れてる|離れている|休んでる|休んでいる|席を外してる|席を外している)(?:間|あいだ)|留守中|不在中|さっき|あれ|それ|最後|ここ最近)(?:以降|以来|から|まで|だけ|は|に|の|で|を|、)?){0,2}`
const HERE = '(?:(?:ここ|この(?:チャンネル|スレッド|部屋))(?:で|の|では|は|を)?)?'
const PLEASE = '(?:お願い(?:できますか|できる|します|いたします)?|ちょうだい|頂戴|頼む|頼みます|よろしく|ください|下さい)'
const ASK = `(?:教えて|おしえて|聞かせて|まとめて|要約して|整理して|説明して|見せて|出して|して)(?:くれる|くれます|くれませんか|もらえる|もらえます|もらえますか|ほしい|欲しい|よ|ね|か|${PLEASE})?`
const END = '(?:の|のか|ん|んですか|のですか|ですか|ましたか|ますか|でしょうか|か|かな|っけ|よ|ね|です|だった|でした){0,2}'
const NOUN =
  '(?:流れ|話題?|経緯|内容|会話|やりとり|やり取り|議論|まとめ|要約|要点|ダイジェスト|ハイライト|あらすじ|状況|出来事|概要|サマリー?|チャット|発言|投稿|ログ)'

const ASKS = [
  `(?:何|なに|なん)(?:が|か)?(?:あった|ありました|起きた|起きました|起こった|起こりました|進んだ|進みました|変わった|変わりました|決まった|決まりました)${END}`,
  `(?:何|なに|なん)(?:を|の話を?)(?:話し(?:た|ていた|てた|ました|ていました)|してた|していた)${END}`,
  `(?:何|なに|なん)(?:が|か|を)?(?:見逃|見落と|聞き逃)(?:した|しました|してる|している)${END}`,
  `(?:何か|なにか)?(?:進展|動き|変化|変わったこと|新しいこと|更新)(?:は|が|とか)?(?:あった|ありました|ある|あります)${END}`,
  `(?:見逃した|見落とした|聞き逃した|あった|起きた|起こった|話した|話された|出た)(?:こと|話|内容|の|もの|分)?(?:を)?${ASK}`,
  `(?:${UNTIL_NOW})?の?(?:${NOUN}(?:の|を|は|だけ|で|、)*){1,3}(?:${ASK}|${PLEASE}|${END})`,
  `(?:キャッチアップ|追いつか)(?:させて|したい|して|せて)${END}(?:です|ください)?`,
  '追いつきたい(?:です|な)?',
  `(?:まとめ|要約)(?:て|して)(?:ください|下さい|くれる|くれますか|ほしい|欲しい)?`,
  '(?:三行|3行)で',
]
/** Why somebody asks, before or after the question. */
const WHY = '(?:(?:席を?外して(?:い)?た|離席して(?:い)?(?:た|ました)|休んで(?:い)?た|寝て(?:い)?た)(?:から|ので|んだけど)?)?'

const language: Language = {
  asks: new RegExp(
    `^(?:ねえ|ねぇ|あの|すみません|ただいま|おはよう?ー?(?:ございます)?|戻りました)?${WHY}${WHEN}${HERE}${WHEN}(?:${ASKS.join('|')})${WHY}$`,
  ),
  isUnspaced: true,
  spans,
  decides:
    /(?:に|と|で|が|は)(?:決ま(?:った|りました|っています)|決定(?:です|しました|した)?|決め(?:た|ました)|確定(?:です|しました|した)?|(?:こと|で話)に(?:なりました|なった)|することに(?:した|しました|なった|なりました))|(?:中止|延期|承認|採用|却下)(?:です|します|しました|になりました|された|されました)|決定：|決まり(?:[!！。]|$)/,
  undecided: /[?？]|か[。]?$|かも|未定|まだ|(?:決ま|決定|確定)(?:って|して)?(?:い)?(?:ない|ません|たら|れば|したら|すれば)/,
  proposes:
    /(?:^|[。!！、])(?:じゃあ?|では|それなら).{2,40}[?？]|どう(?!なって)(?:です(?!か?ね)|でしょう|かな|だろう|思|[?？。]|$)|(?:ましょう|(?:し|に|よ|こ|も|ろ|え|け)よ?う)(?:か|よ|[?？]|$)|(?<!すぎ|過ぎ|壊れ)ませんか|(?:く|ん)ない(?:です)?(?:か|[?？]|[…。]*$)|(?<![うつ何に]に|どう|なんに|何に)(?:する|します|しとく|しておく|しておきます|ずらします|変えます)[?？]|(?:で|ても?)(?:い|よ|良)(?:い|く)(?:です|かな|か|[?？])|案|提案|(?:し|り|き|み|い|ち|べ|め|え)たい(?:です|んです|んだけど|と思|な|ん|。|$)|(?:よう|おう|こう)(?:と思|かな|か[?？])|.{2}(?<!それ|これ|あれ)は[?？]|(?<![何誰こ]で|どこ)(?:出れる|出られる|来れる|来られる|お願いできる)[?？]|お願いでき|(?:よ|お|こ|そ|も|と)うか[?？。]?|よろしい(?:です|でしょう|か)|はどう|とか(?:どう|[?？])|推し|がいい(?:と|な|かな|です|ん|[?？。]|$)|(?:ほう|方)が(?:いい|よ|良)|希望|できます(?:よ|けど)|(?:やり|行き|持ってき|作り|出し|聞き|頼め)ます?よ/,
  assents:
    /^[\s、。]*(?:\+1|👍|👌|🙆|🙌|✅|💯|ok|OK|おっけ|おけ|オッケー|はい|うん|ええ|いいね|いいです|いいよ|いいん|いい(?:[!！。、と]|$)|良い(?:です|と|ね)|よい(?:です|と)|賛成|同意|異議なし|異論|了解|りょ|承知|わかりました|分かりました|わかった|かしこまり|それで|それなら|それが|それいい|そうしま|そうしよ|そうだね|そうですね|そっちの|ぜひ|是非|もちろん|大丈夫|問題な|助かり|お願い|よろしく|行け|行き|いけ|参加|乗った|のった|やろう|やりたい|やります|たのしみ|楽しみ|最高|ナイス|なるほど|さんきゅ|サンキュ|それだ|神[!！]*$|おなじく|異存|いいわ|たのむ|頼む|行く(?:[!！。]|$)|出せる|伺い|太っ腹|助かる|グッド|わーい|やった|おお|私も|わたしも|僕も|俺も|同じく|右に同じ|支持|決まり|りょうかい|ありがと)|(?:で|が)(?:いい|良い|よい|OK|ok|お願いします|大丈夫|問題な|助かり)(?:です|と思い?ます|よ|ね|と思う|[!！。]|$)|(?:に|で)賛成|(?:賛成|同意|了解|承知|お願いします)(?:です|します|しました|っす|[!！。～〜]|$)|行ける|行けます|(?:OK|ok)(?:です|[!！。]|$)|いいと思/u,
  objects:
    /(?:^(?:ちょっと|でも|けど|それは|いや)|むり|無理|きつい|厳し|微妙|やめ(?:ま|よ|た|て|と)|嫌|だめ|ダメ|反対|困る|怖い|高い|遠い|遅い|早すぎ|壊れ|難しい|違う|ちがう|抜けられない|行けない|うーん|なしで|やだ)/,
  settles:
    /(?:^|[、。!！,\s])(?:じゃあ?|では|それでは|それじゃあ?|それなら|んじゃ|ほな|OK|ok|おっけー?|了解(?:です)?|よし|ということで|てことで|わかりました)[、。!！,\s]?.{1,90}(?:で(?:す|いきま|行きま|決ま|お願い|やりま|いこう|行こう|集合|[。!！～〜\s]|$)|(?:に)?(?:します|いたします|しましょう|する(?:ね|わ|よ)?|しよう|しとく|しておき)|(?:ます|とく|る)(?:ね|よ|わ)(?:[。!！～〜]|$)|ます(?:[。!！、]|$)|頼む)|^(?:あ、?)?(?:そ[うっ]か|そうか|了解)?[、。]?(?:じゃあ?|では|それなら).{1,12}(?:[。!！]|$)|で(?:いきます|いきましょう|行きます|行きましょう|決まり)|ことに(?:しました|した|しましょう)/,
  rhetorical:
    /[wｗ笑草][?？]{0,5}$|(?:でしょう|だろう|じゃん|やん|のでは)[?？]?$|^(?:え|は|ん|まじ|マジ|ほんと|本当|なんで|何|うそ|嘘)[っー〜ぇ]{0,9}(?:で|に)?[?？]{1,9}$/,
}

export default language
