/**
 * Orders to delete, in Japanese: a topic, what shows that the memory is meant, and an order. 「ファイルを消して」 means something else;
 * 「住所を記憶から消して」, 「引っ越しの話は消して」 and 「旅行のことはなかったことにして」 do not.
 */

const I = '(?:私|わたし|わたくし|あたし|僕|ぼく|俺|おれ|うち|自分)'

/** 「消して」, 「消しといて」, 「消し去って」: what follows the stem of a verb. */
const DO = '(?:去っ|さっ)?(?:て(?:おいて|おけ|しまって)?|といて|とけ|ちゃって|ろ)'
const DELETE = `(?:消し${DO}|消(?:去っ|しさっ)て|消せ|(?:削除|消去|抹消|除去|破棄|デリート|クリア|リセット)(?:し${DO}|で)?|(?:外|はず|取り外)し${DO}|(?:抜|除)い${DO}|取り除い${DO}|(?:捨て|追い出し|落とし)${DO})`
const NOT_SAID = '(?:(?:なかった|無かった|聞かなかった|言わなかった|見なかった|知らなかった)(?:こと|事)に|忘れたことに)'
const FORGET = `(?:忘れ|わすれ)(?:${DO}|ちゃって(?:も)?|て(?:しまって)?(?:も)?)`
const UNDO = `(?:${NOT_SAID}(?:し${DO}|で)?|取り消し(?:${DO}|で|ます)|撤回(?:し${DO}|します|で)|(?:(?:撤回|取り消)(?:する|し|します)(?:ので|から|んで)[、,]?)?${FORGET}(?:OK)?)`
const NOT_KEPT =
  '(?:(?:覚え|おぼえ|憶え|記憶し|記録し|メモし|保存し)(?:て(?:い|おか)?|とか)?(?:なくて(?:も)?(?:いい|良い|よい|大丈夫|結構|構わない|OK)|ないで(?:おいて)?|ないように|なくて)|(?:記憶|記録|頭)に(?:は)?(?:残さ|入れ|とどめ|留め)(?:ないで|なくて(?:も)?(?:いい|大丈夫)))'
const ANY = `(?:${DELETE}|${UNDO}|${NOT_KEPT})`

const MEMORY =
  '(?:(?:あなた|君|きみ|お前|そっち|そちら|ボット)の)?(?:頭の中|記憶|メモリー?|記録|メモ|ノート|頭|脳|データベース|データ|ログ)から(?:は|も)?'
/** Particles before an order: more are no Japanese, and a pattern would try each number of them at each letter. */
const LINK =
  '(?:は|を|も|って|なんか|なんて|、|,|全部|ぜんぶ|すべて|全て|もう|いったん|一旦|一度|完全に|きれいに|綺麗に|きれいさっぱり|今すぐ|すぐ|できれば|\\s){0,20}'
const TOPIC = '(?<topic>\\S[\\s\\S]*?)'
const MATTER = '(?:こと|事|話|はなし|件|情報|記憶|データ|メモ|記録|やつ|発言|内容)'
const OF_TOPIC = `(?:(?:について|に関して|に関する|って(?:いう)?|という|との)(?:の)?${MATTER}?|の${MATTER}(?:について|に関して)?)`
const SAYING = `(?:${I}(?:が|の))?(?:前に|さっき|以前|昨日|この前|今まで(?:に)?|これまで(?:に)?)?(?:言っ|話し|書い|教え|伝え|送っ|聞い|しゃべっ|喋っ|知って(?:い)?|覚えて(?:い)?|記憶して(?:い)?|相談し)(?:た|てた|ちゃった|る)`

/** The forms of an order, whose topic is the group. */
const FORMS = [
  // 「住所を記憶から消して」
  `${TOPIC}${OF_TOPIC}?${LINK}${MEMORY}${LINK}${DELETE}`,
  // 「給料について話したことは消して」, 「彼氏のこと話したけど忘れて」
  `${TOPIC}(?:について|に関して|の(?:こと|事|件|話)|って|と|を)(?:で|を)?${LINK}${SAYING}(?:${MATTER}|の|けど|けれど|が|から|ので)?${LINK}(?:${MEMORY})?${ANY}`,
  // 「引っ越しの話は消して」, 「合格したって話、消しといて」, 「病院に行った話は消して」
  `${TOPIC}(?:(?:の|について(?:の)?|に関する|って(?:いう)?|という)(?:話|はなし|こと|事|発言|記憶|メモ)|(?<=[たるい])(?:話|はなし|こと|事))(?:については|に関しては)?${LINK}${ANY}`,
  // 「合併の件はなかったことにして」
  `${TOPIC}(?:の件|について|に関して)(?:については|に関しては)?${LINK}(?:${UNDO}|${NOT_KEPT})`,
  // 「電話番号は覚えておかないで」
  `${TOPIC}(?:は|を|も|なんか)${LINK}${NOT_KEPT}`,
  // 「テストの点数、忘れてくれない？」
  `${TOPIC}、\\s*${FORGET}(?=くれ|ください|下さい|もら|いただ|ほしい|欲しい)`,
]

/** What names no topic: 「これ」, 「さっきの」, 「もういい」. */
const UNNAMED =
  /^(?:これ|それ|あれ|ここ|(?:この|その|あの|今の|さっきの|いまの|先ほどの|上の|私の|僕の|俺の|今|さっき)|(?:この|その|あの|今の|さっきの)(?:話|こと|件|メッセージ|発言)|何か|誰か|全部|すべて|全て|(?:もう|やっぱ|いい|気に|大丈夫|嫌な).*|.*(?:指示|命令|設定|ルール|プロンプト))$/u

/** "You need not remember it?" asks. */
const ASKS =
  /(?:いい|大丈夫|結構|構わない|OK)(?:です)?(?:か(?:な)?|の(?:か)?)?[?？]\s*$|(?:たら|れば|ると|たい|方法|には).*[?？]\s*$/u

/**
 * Finds the topic of an order to delete in a text, as it stands there.
 *
 * @param lead words that can come before an order; source of a pattern
 * @param ending what can come after it; source of a pattern
 */
export function deletionsIn(lead: string, ending: string): (said: string) => string | undefined {
  const forms = FORMS.map(form => new RegExp(`^(?:(?:${lead})[、,\\s]*){0,4}${form}${ending}`, 'u'))
  return said => {
    if (ASKS.test(said)) return undefined
    const topic = forms.map(form => form.exec(said)?.groups?.topic?.trim()).find(one => one !== undefined)
    return topic === undefined || UNNAMED.test(topic) ? undefined : topic
  }
}

/** A message that is not named: 「さっきの話」, 「今言ったこと」. */
export const PREVIOUS_MESSAGE = `(?:(?:今|いま|さっき|先ほど|さきほど|先程|直前|上|この前|最後|前)の(?:こと|話|はなし|発言|メッセージ|やつ|言葉|件|投稿|コメント)?|(?:今|いま|さっき|先ほど|先程)?(?:${I}が)?(?:言った|書いた|話した|送った|投稿した)(?:こと|やつ|の|話|メッセージ|言葉)|(?:その|この)(?:こと|事|話|はなし|件|メッセージ|発言|投稿))`

const WHOLLY = '(?:全部|すべて|全て|完全に|もう|一旦|いったん|やっぱり?)'

/** Orders about it. Sources of patterns over the words alone. */
export const PREVIOUS_DELETED = [
  `(?:${PREVIOUS_MESSAGE}|それ|これ)(?:は|を|も)?${WHOLLY}{0,2}${MEMORY}${WHOLLY}?${DELETE}`,
  `${PREVIOUS_MESSAGE}(?:は|を|も|って)?${WHOLLY}{0,2}(?:(?:撤回|取り消し)(?:する|ます|します)?(?:ので|から|んで))?(?:${DELETE}|${UNDO}|${NOT_KEPT}|なし(?:で|に(?:して)?)?)`,
  `(?:それ|これ|全部)?(?:は|を|も)?${NOT_SAID}し${DO}`,
] as const
