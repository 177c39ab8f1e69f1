/** Plugins give their reasons in English. Those of the plugins in the box are told in Japanese too; others stay as they are. */
import { language } from './settings.js'

/** @type {[english: string | RegExp, japanese: string][]} */
const JAPANESE = [
  ['mentions the bot', 'メンションされた'],
  ['replies to the bot', '返信された'],
  ['talks to the bot alone', '二人で話している'],
  ['calls the bot by name', '名前で呼ばれた'],
  ['the bot is talking with this person', 'この人と話している'],
  ['the bot seems to talk with this person', 'この人と話しているようだ'],
  ['is talking with somebody else', '別の人と話している'],
  ['speaks to somebody else', '別の人に向けている'],
  ['a talk of two with the bot', '二人だけの会話'],
  ['two others are talking', 'ほかの二人が話している'],
  ['only two people are talking', '二人だけで話している'],
  ['talks about the bot', 'ボットのことを話している'],
  ['the bot spoke within ten minutes', '10分以内に発言した'],
  ['the bot spoke within half an hour', '30分以内に発言した'],
  ['the bot spoke in the last 8 messages', '直近8件で発言した'],
  ['the bot spoke a moment ago', '少し前に発言した'],
  ['the bot is in the conversation', '会話に加わっている'],
  ["follows the bot's words", 'ボットの発言の直後'],
  ["asks about the bot's words", 'ボットの発言について尋ねている'],
  ['the bot had asked', 'ボットが尋ねていた'],
  ['asks a question', '質問している'],
  ['asks after a silence', '沈黙のあとの質問'],
  ['asks whoever is there', '誰にともなく尋ねている'],
  ['only takes note', '相づちだけ'],
  ['somebody else has answered', '別の人が答えた'],
  ['has a keyword', 'キーワードがある'],
  ['is about something the bot knows', '知っている話題'],
  ["nobody took up the bot's last words", '前の発言に反応がなかった'],
  ['the bot has had its share of the talk', 'もう十分に話した'],
  ['the bot has joined in often enough', 'もう十分に口をはさんだ'],
  ['nobody has mentioned the bot lately', '最近呼ばれていない'],
  ['messages come fast', '会話の流れが速い'],
  ['first words after a long silence', '長い沈黙のあとの一言'],
  ['no rule applies', '当てはまる規則がない'],
  ['is told to remember', '覚えるよう頼まれた'],
  ['is asked what it knows about somebody', '知っていることを尋ねられた'],
  ['something newer was said', '新しい発言があった'],
  ['the message was deleted', 'メッセージが削除された'],
  ['the message was edited', 'メッセージが編集された'],
  ['another process has answered', '別のプロセスが答えた'],
  ['no responder had an answer', '返事が作れなかった'],
  ['the budget is spent', '予算を使い切った'],
  ['was asked to be quiet', '静かにするよう頼まれた'],
  ['quiet hours', '静かにする時間帯'],
  ['nobody decided', '判断がなかった'],
  [/\bbelow (\d+)/, '$1点に届かない'],
  [/\breaches (\d+)/, '$1点に届いた'],
]

/** @param {string} why */
export function reasonIn(why) {
  if (language() !== 'ja') return why
  return JAPANESE.reduce((told, [english, japanese]) => told.replace(english, japanese), why)
}
