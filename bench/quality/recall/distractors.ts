/** Facts that answer no question, and share words with many of them. */
import { seededRandom } from '../../../core/base/random.ts'

const PEOPLE_JA =
  '金沢 島田 大野 野口 菅原 久保 松尾 岩崎 桜井 野村 木下 菊地 佐野 大西 杉山 増田 浜田 市川 水野 荒井 白石 秋山 内田 西川 川口 三宅 工藤 平田 黒田 樋口'.split(
    ' ',
  )
const PEOPLE_EN =
  'Walter Ingrid Pablo Meera Tobias Yvonne Kwame Lucia Dmitri Fatima Gustav Hana Ivor Jolene Karim Leona Milan Nadia Oscar Petra'.split(
    ' ',
  )
const THINGS_JA =
  '経費精算 請求書 勤怠入力 週報 備品 会議室 名刺 社内報 監視 夜間バッチ 帳票 検索画面 決済 通知メール 問い合わせ窓口 契約書 採用面接 研修 アンケート 倉庫'.split(
    ' ',
  )
const THINGS_EN = [
  'the invoice run',
  'the onboarding guide',
  'the staging proxy',
  'the payroll export',
  'the search page',
  'the newsletter',
  'the support queue',
  'the meeting room',
  'the printer',
  'the style guide',
  'the audit log',
  'the billing job',
  'the mobile app',
  'the warehouse',
  'the contract',
  'the design system',
]
const DAYS_JA = '月曜 火曜 水曜 木曜 金曜 土曜 日曜'.split(' ')
const DAYS_EN = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const HOBBIES_JA =
  '陶芸 釣り 書道 将棋 ボルダリング 園芸 編み物 天体観測 合気道 サーフィン カラオケ 盆栽 落語 手品 卓球 剣道 茶道 模型 切手集め 社交ダンス'.split(
    ' ',
  )
const HOBBIES_EN =
  'pottery fishing calligraphy gliding gardening knitting astronomy judo surfing karaoke archery carpentry rowing fencing beekeeping juggling'.split(
    ' ',
  )
const PLACES_JA = '新宿 品川 横浜 千葉 仙台 名古屋 神戸 広島 福岡 札幌 金沢 松山 長野 川崎 浦和'.split(' ')
const PLACES_EN = 'Leeds Porto Malmo Ghent Turin Bilbao Tampere Graz Brno Cork Basel Lyon Riga Split Tromso'.split(' ')
const FOODS_JA = 'うどん 焼肉 餃子 たこ焼き 天ぷら パスタ 親子丼 とんかつ おでん 冷やし中華 鯖の味噌煮 カツ丼'.split(' ')
const FOODS_EN = 'ramen curry dumplings falafel risotto tacos pancakes lasagne goulash pierogi gazpacho bagels'.split(' ')

/** Equal for the same seed. */
export function distractors(count: number, seed = 7): string[] {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random() * list.length)]
    if (chosen === undefined) throw new RangeError('nothing to choose from')
    return chosen
  }
  const number = (most: number) => 1 + Math.floor(random() * most)
  const ja = () => `${pick(PEOPLE_JA)}さん`
  const shapes: readonly (() => string)[] = [
    () => `${ja()}は${pick(HOBBIES_JA)}を${number(20)}年続けている`,
    () => `${ja()}は${pick(PLACES_JA)}から通勤していて、片道${number(90)}分かかる`,
    () => `${pick(THINGS_JA)}の締め切りは毎月${number(28)}日`,
    () => `${pick(THINGS_JA)}の担当は${ja()}`,
    () => `${ja()}は${pick(DAYS_JA)}の午前に${pick(THINGS_JA)}の打ち合わせがある`,
    () => `${ja()}の好物は${pick(FOODS_JA)}`,
    () => `${pick(THINGS_JA)}の件数は先週より${number(60)}件増えた`,
    () => `${ja()}は${pick(PLACES_JA)}出張のお土産に${pick(FOODS_JA)}を買ってきた`,
    () => `${pick(THINGS_JA)}は${pick(DAYS_JA)}の${8 + number(12)}時に実施する`,
    () => `${ja()}が${pick(THINGS_JA)}の手順書を${number(12)}月に書き直した`,
    () => `${pick(PEOPLE_EN)} has been into ${pick(HOBBIES_EN)} for ${number(20)} years`,
    () => `${pick(PEOPLE_EN)} commutes from ${pick(PLACES_EN)}, about ${number(90)} minutes each way`,
    () => `${pick(THINGS_EN)} is due on day ${number(28)} of each month`,
    () => `${pick(PEOPLE_EN)} looks after ${pick(THINGS_EN)}`,
    () => `${pick(PEOPLE_EN)} meets the team about ${pick(THINGS_EN)} on ${pick(DAYS_EN)} morning`,
    () => `${pick(PEOPLE_EN)} could eat ${pick(FOODS_EN)} every day`,
    () => `${pick(THINGS_EN)} had ${number(60)} more errors than last week`,
    () => `${pick(PEOPLE_EN)} brought ${pick(FOODS_EN)} back from ${pick(PLACES_EN)}`,
    () => `${pick(THINGS_EN)} runs on ${pick(DAYS_EN)} at ${number(23)}:${10 * number(5)}`,
    () => `${pick(PEOPLE_EN)} rewrote the checklist for ${pick(THINGS_EN)} in week ${number(52)}`,
  ]
  const made = new Set<string>()
  // Some thousands differ. Above that they get a number, like tickets.
  while (made.size < count) {
    const text = pick(shapes)()
    made.add(made.has(text) ? `${text} (#${number(1e6)})` : text)
  }
  return [...made]
}
