/** Which names of a person find texts about that person, and no other texts. */
import { fold } from './fold.ts'

/** A shorter id is not searched for, because it would be found in other words. */
const TELLING_ID = 6

/** A shorter name in a script with spaces would be found in many texts. */
const TELLING_NAME = 3

/** A name in hiragana alone is also a word or a particle. */
const HIRAGANA = /^[\p{Script=Hiragana}ー\s]+$/u

/** Kanji, katakana and Hangul: two of them are a name. */
const DENSE = /[\p{scx=Han}\p{scx=Katakana}\p{scx=Hangul}]/u

/** Words of every chat. Anybody can choose one as a name. */
const COMMON = new Set(
  `about after again all also always and another any anybody anyone anything april are ask august back bad because been before best better
   bot but bye call can cannot channel come could day december did does done down during each else even ever every everybody everyone
   everything family february few find first five for four friday friend from get give going good great had has have hello help her here hey
   him his home hour house how idea into its january july june just keep know last later less let life like list little look love made make
   man many march mark may maybe meeting message might mine minute monday money month more morning most much must name need never new
   news next nice nobody not note nothing november now october off okay old once one only open other our out over own people person place
   plan please question read really right room same saturday say see september she should show since some somebody someone something
   soon sorry start still stop such sunday sure take tell ten thank thanks that the their them then there these they thing think this
   those three thursday time today tomorrow tonight too tuesday two under until use very wait want was way wednesday week well went were
   what when where which while who whole why will with without word work world would year yes yesterday yet you your
   今日 昨日 明日 今朝 今夜 今週 先週 来週 今月 来月 今年 来年 最近 今度 今回 月曜 火曜 水曜 木曜 金曜 土曜 日曜 平日 週末 時間 午前 午後 時刻 予定 場所 電車 会社 学校 会議
   仕事 電話 写真 動画 日本 東京 問題 質問 回答 返事 連絡 資料 確認 大丈夫 自分 全員 友達 家族 先生 本当 名前 言葉 意味 理由 結果 方法 情報 部屋 天気 参加 開始 終了 準備 変更 テスト
   メール ページ サーバー データ ファイル リンク チャンネル メッセージ 오늘 내일 어제 회의 시간 우리 사람 그냥 진짜 정말`.split(
    /\s+/,
  ),
)

/**
 * A pattern, for JavaScript and Postgres, of folded texts in which the name is a noun of English: the rope, a mark.
 */
export function nounPattern(name: string): string {
  const word = fold(name).replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return String.raw`(?:^|[^a-z])(?:the|an?|my|your|our|their)\s+${word}(?:$|[^a-z])`
}

/**
 * The names by which texts about a person are found. Platforms let anybody choose any name, so a name counts only if it is no common
 * word and nobody else has it, wrote it before the person came, or writes it as a noun. The id of the person counts like a name, if it is
 * long.
 *
 * @param others the names that another person has, or that others wrote so
 */
export function tellingNames(id: string, names: Iterable<string>, others: ReadonlySet<string>): readonly string[] {
  const candidates = [...names, ...([...id].length < TELLING_ID ? [] : [id])].map(name => name.trim())
  return [...new Set(candidates)].filter(name => isTelling(name) && !others.has(name))
}

function isTelling(name: string): boolean {
  if (HIRAGANA.test(name) || COMMON.has(fold(name))) return false
  return [...name].length >= (DENSE.test(name) ? 2 : TELLING_NAME)
}
