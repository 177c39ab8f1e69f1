/** Words that are in every talk and tell nothing of what it is about. */

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

export const STOP_WORDS = list(
  `a able about above actually after again ago agree ah all almost alright also although always am amazing an and another any anybody anyone
  anything anyway are aren't around as ask asked at away awesome back bad be because been before being believe best better between big
  both bring but by call came can can't cannot cause come coming cool could couldn't damn day days did didn't different do does
  doesn't doing don't done down each early easy either else end enough even ever every everybody everyone everything exactly
  far feel few find fine first for forget found from fun gave get getting give go goes going gone gonna good got great guess guys ha had haha
  half happen happened hard has hasn't have haven't having he he'd he'll he's hear heard hello help her here hers hey hi him his hm hmm hope hour
  hours how i i'd i'll i'm i've if in instead into is isn't it it'll it's its just keep kind knew know known last late later least left less let
  let's like likely little ll lol long look looked looking looks lot lots made make makes making many matter may maybe me mean means
  might mind mine minute minutes month months more morning most much must my myself need needed needs never new next nice night no nobody none nope not
  nothing now of off oh ok okay old on once one ones only onto oops or other others ought our out over own part people perhaps person
  please point pretty probably put quite rather re read ready real really reason remember right run said same saw say saying says second see
  seem seems seen she she'd she'll she's should shouldn't show since small so some somebody somehow someone something sometimes soon sorry
  sort still stuff such sure take taken takes talk talked talking tell than thank thanks that that's the their them then there there's these they they'd
  they'll they're they've thing things think third this those though thought through till time times to today together told tomorrow tonight too took
  totally tried true try trying turn two under understand until up us use used using usually ve very wait wanna want wanted wants was
  wasn't way we we'd we'll we're we've week weeks well went were weren't what what's whatever when where whether which while who who's whole whom whose why
  will wish with without won't wonder word work worked working works worse would wouldn't wow wrong yay yeah year years yep yes yesterday
  yea yet yo you you'd you'll you're you've your yours yourself yup afk brb btw cant cool didnt doesnt dont dunno hehe idk im ive kool lmao nah omg plz shit sth thx ty
  u ur wont wtf youre problem problems`,
)

export const FUNCTION_WORDS = list(
  `今日 昨日 明日 今夜 今朝 今度 今回 前回 次回 今週 先週 来週 今月 先月 来月 今年 去年 来年 最近 最初 最後 最高 最近 以前 以上 以下 以外 時間 時期 場合
  自分 自身 皆様 皆さん 一緒 全部 全然 一番 一人 二人 一度 一回 一応 一旦 本当 大丈夫 大変 大体 大好き 結構 結局 絶対 多分 普通 普段 勿論 無理 感じ 意味 理由
  問題 必要 可能 確認 質問 回答 返事 返信 説明 連絡 了解 承知 感謝 有難 失礼 お願い お疲れ様 ご苦労 言葉 話題 内容 部分 関係 状態 状況 方法 途中 直接 非常 簡単 何度
  何回 何時 何人 何故 何処 彼女 彼等 私達 僕達 我々 先程 今後 毎日 毎週 毎回 午前 午後 翌日 当日 当時 同時 同様 個人的 基本的 具体的 気持 気持ち
  コレ ソレ アレ ココ ソコ ドコ ダメ ヤバ ヤバイ マジ スゴイ ホント ハイ ウン オッケー オーケー モノ コト ヒト トコ ワケ ハズ ホウ イイ ナイ アリ ナシ ー 々`,
)
