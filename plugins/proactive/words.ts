/** Words that are in any talk, as people write them, and so say nothing of what it is about. */

export const ENGLISH = `
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november
  december morning afternoon evening night noon midnight tonight today tomorrow yesterday day week weekend month year hour minute second
  time date early late soon now ago always every daily weekly monthly often sometimes maybe probably actually really quite pretty
  one two three four five six seven eight nine ten hundred thousand half first last next new old
  good bad great nice fine best better worst worse big small long short fast slow whole full empty happy sorry sure wrong own same
  different even still again already yet almost enough never ever forever finally many lot bit less thing stuff way part side end kind sort number name idea
  people person guy man woman child kid son daughter wife husband friend everyone everybody somebody anybody nobody team member
  job work office room home house place kitchen desk door street city world life
  go goes going went gone get gets got come came make makes made take took taken give gave given put set see saw seen look watch hear
  heard read write wrote written say said tell told ask know knew known think thought want need like love hate feel felt find found use
  keep kept let try tried start started stop stopped begin began end finish buy bought sell sold move moved run ran walk drive eat ate
  drink drank drinks play speak spoke talk meet met call help wait hold turn show open close bring brought leave left happen become seem
  mean meant change add live learn build built break broke broken fix fixed do done up down out off over back away around here there
  able hard easy free ready busy tired sick cold hot warm light dark spend spent miss lose lost win won pay paid send sent sit stand
  hi hey hello oh ah wow lol haha hehe hmm huh yeah yes yep nope ok okay thanks thank please welcome cool interesting awesome amazing
  because allow per mostly only just such both each every another
  true right exactly indeed agreed omg www
  breakfast lunch dinner food plan question answer problem reason word mind luck wish hope fun joke news
`

export const JAPANESE = `
  今日 明日 昨日 今朝 今夜 今晩 明後日 一昨日 毎日 毎朝 毎晩 毎週 毎月 毎年 今週 来週 先週 今月 来月 先月 今年 来年 去年 昨年 週末 平日 休日 祝日
  月曜 火曜 水曜 木曜 金曜 土曜 日曜 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 曜日 午前 午後 夕方 深夜 早朝 時間 時期 時刻 今頃
  最近 最初 最後 途中 以前 以降 今回 次回 前回 毎回 場所 場合 名前 予定 変更 開始 終了 確認 必要 自分 自身 全部 全員 一緒 一番 一部 一度 一人 二人
  本当 普通 結構 大丈夫 参加 担当 理由 原因 問題 方法 感じ 様子 状態 状況 結果 内容 大変 無理 多分 絶対 全然 残念 簡単 十分 苦手 得意 人気 以外 以上 以下
  月額 部屋 会議 仕事 会社 お願い 了解 連絡 相談 質問 意見 話題 友達 家族 子供 息子 皆様 皆さん ハマ ヤバ スゴ マジ キレ ダメ
  朝 昼 夜 春 夏 秋 冬 分 秒 日 週 月 年 前 後 間 中 上 下 先 次 回 度 第 目 毎 今 人 方 者 物 事 所 話 件 的 用 側 様 君 氏 皆 何 誰 個 匹 枚 台 円 割 名 歳
  気 手 駅 家 店 会 室 好 特 他 別 逆 同 各 約 行 来 帰 持 見 観 食 飲 買 売 書 読 言 思 出 入 作 使 取 撮 聞 待 切 立 寝 起 始 終 開 閉 遊 住 着 乗 降 走 歩
  考 知 分 決 変 直 送 届 忘 覚 探 選 置 並 飼 働 休 勝 負 落 壊 消 押 引 死 生 笑 泣 怒 困 違 合 付 続 止 動 進 戻 渡 貸 借 払 頼 教 習 受 返 残 増 減 上 下
  新 古 高 安 低 長 短 早 速 遅 近 遠 多 少 大 小 強 弱 重 軽 暑 寒 熱 冷 暖 明 暗 痛 甘 辛 美 楽 嬉 悲 眠 疲 忙 凄 酷
`
