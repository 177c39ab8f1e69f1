import type { Message, Turn } from 'kikimimi'
import { closes } from './closing.ts'
import { endsWithQuestion } from './question.ts'
import { fold, spoken } from './spoken.ts'

/** Why an answer that somebody asked for is not wanted any more, by what people have said since. */
export function settledBy(turn: Turn, news: readonly Message[]): string | undefined {
  const { id, author: asker } = turn.message
  for (const [index, one] of news.entries()) {
    if (one.author.id !== asker.id) {
      if (one.replyTo === id && answers(one.text)) return 'somebody else has answered'
    } else if (takesBack(one.text)) return 'is not asked any more'
    else if (thanks(one.text) && news.slice(0, index).some(({ author }) => author.id !== asker.id)) {
      return 'somebody else was thanked for the answer'
    }
  }
  return undefined
}

/** A remark of a few words ("good question") may be no answer: twice answered is better than not at all. */
const SHORTEST = 16

function answers(text: string): boolean {
  const said = spoken(text).trim()
  // A character of Japanese says about as much as two letters.
  const length = said.length + (said.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu)?.length ?? 0)
  return length >= SHORTEST && !endsWithQuestion(text)
}

/** Whoever says more than that has something else to say as well. */
const LONGEST = 60

const TAKES_BACK =
  /^(?:(?:oh|ah|ok(?:ay)?|actually|wait|sorry|hm+|あ+っ?|あー+|ごめん(?:なさい)?|すみません|えっと)[\s,.!、。…]*)*(?:nvm|never ?mind|nm\b|forget (?:it|that|about it)|scratch that|(?:i )?(?:got|found|solved|fixed) (?:it|that)|(?:it'?s )?solved|figured it out|no need|やっぱ(?:り)?(?:いい|大丈夫|なし|やめ)|(?:もう)?(?:いいや|いいです|大丈夫(?:です|でした)?)|(?:なんでも|何でも)(?:ない|ありません)|自己解決|解決(?:した|しました|です)|(?:見つ|みつ)か(?:った|りました)|(?:わか|分か)(?:った|りました)|できた|できました|忘れて(?:ください)?)/u

function takesBack(text: string): boolean {
  const said = sayingOf(text)
  return said.length <= LONGEST && TAKES_BACK.test(said) && !endsWithQuestion(text)
}

function thanks(text: string): boolean {
  return closes(text) && /thank|thx|tnx|\bty|cheers|ありがと|助か|サンクス|さんくす/u.test(sayingOf(text))
}

/** Without the names that it begins with. */
function sayingOf(text: string): string {
  return fold(spoken(text))
    .replace(/^(?:\s*@[\p{L}\p{N}_.-]+[\s,:、]*)+/u, '')
    .trim()
}
