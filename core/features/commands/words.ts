/** What the bot says to commands of the kernel. */
import type { ChatCommand, Outcome } from '../../api/index.ts'
import type { Locale } from '../../base/locale.ts'

interface Words {
  readonly onlyFor: Readonly<Record<'moderator' | 'admin', string>>
  readonly failed: string
  readonly done: string
  helpFor(name: string): string
  readonly who: Readonly<Record<ChatCommand['permission'], string>>
  readonly elseSaid: string
  stopped(name: string): string
  readonly started: string
  readonly startedElsewhere: string
  hears(name: string): string
  readonly hearsAlone: string
  readonly hearsNot: string
  isStopped(by: string, ago: string, name: string): string
  readonly unwritten: string
  readonly connected: string
  readonly notConnected: string
  readonly databaseAway: string
  models(names: string): string
  readonly offline: string
  budget(percent: number): string
  spoke(ago: string): string
  readonly spokeNever: string
  readonly outcomes: Readonly<Record<Outcome, string>>
  readonly reacted: string
  readonly noTurn: string
  readonly noSuchTurn: string
  readonly reason: string
  readonly score: string
  readonly after: string
  readonly trouble: string
  readonly now: string
  ago(count: number, unit: Unit): string
}

export type Unit = 'minute' | 'hour' | 'day'

const EN: Words = {
  onlyFor: {
    moderator: 'That is for those who may manage this channel: please ask one of them.',
    admin: 'That is for those who may manage the whole workspace: please ask one of them.',
  },
  failed: 'Sorry, that did not work: please try again later.',
  done: 'Done.',
  helpFor: name => `What you can tell me with /${name}:`,
  who: { everyone: '', moderator: ' (moderators)', admin: ' (admins)' },
  elseSaid: 'Anything else that follows it is said to me.',
  stopped: name => `I say nothing more, until somebody who may tells me: /${name} start`,
  started: 'I may speak again.',
  startedElsewhere: 'I was stopped in the whole workspace. That ends in one of its channels, by an admin.',
  hears: name => `I hear what is said in #${name}.`,
  hearsAlone: 'I hear what you say here.',
  hearsNot: 'I do not listen here. Commands work all the same.',
  isStopped: (by, ago, name) => `STOPPED${by && ` by ${by}`}, ${ago}: I say nothing until /${name} start.`,
  unwritten: ' The database has not taken that down yet: it may not outlive a restart.',
  connected: 'I am connected.',
  notConnected: 'I am not connected right now, and hear nothing.',
  databaseAway: 'My database does not answer.',
  models: names => `Models: ${names}.`,
  offline: 'I have no model, and answer by simple rules.',
  budget: percent => `${percent} % of my budget is left.`,
  spoke: ago => `I last said something here ${ago}.`,
  spokeNever: 'I have not said anything here yet.',
  outcomes: {
    silent: 'I was silent.',
    delayed: 'I wanted to answer a little later.',
    replied: 'I answered.',
    cancelled: 'I was about to answer, and kept it to myself.',
    failed: 'I wanted to answer, and could not.',
  },
  reacted: 'I reacted.',
  noTurn: 'I have not looked at anything here yet.',
  noSuchTurn: 'I have no look at that message in mind. It has to be one of this conversation, and not long ago.',
  reason: 'Why: ',
  score: 'Score: ',
  after: 'Because: ',
  trouble: 'What went wrong: ',
  now: 'just now',
  ago: (count, unit) => (count === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit} ago` : `${count} ${unit}s ago`),
}

const UNITS: Readonly<Record<Unit, string>> = { minute: '分', hour: '時間', day: '日' }

const JA: Words = {
  onlyFor: {
    moderator: 'それはこのチャンネルを管理できる人だけの操作だから、その人に頼んでみて。',
    admin: 'それはワークスペース全体を管理できる人だけの操作だから、その人に頼んでみて。',
  },
  failed: 'ごめん、うまくいかなかったから、あとでもう一度試してみて。',
  done: '完了。',
  helpFor: name => `/${name} に続けて使えるもの：`,
  who: { everyone: '', moderator: '（チャンネルの管理者のみ）', admin: '（ワークスペースの管理者のみ）' },
  elseSaid: 'それ以外は、私への発言として受け取るよ。',
  stopped: name => `もう何も言わない。管理者が /${name} start と言うまでね。`,
  started: 'また話せるよ。',
  startedElsewhere: 'ワークスペース全体で止められているよ。解除は、そのチャンネルでワークスペースの管理者にしかできない。',
  hears: name => `#${name} の会話を聞いているよ。`,
  hearsAlone: 'ここでの発言を聞いているよ。',
  hearsNot: 'ここでは会話を聞いていない。コマンドは使えるよ。',
  isStopped: (by, ago, name) => `停止中${by && `（${by}による`}${by ? '、' : '（'}${ago}）：/${name} start まで何も言わない。`,
  unwritten: 'まだデータベースに記録できていないから、再起動すると消えるかもしれない。',
  connected: '接続中。',
  notConnected: '今は接続が切れていて、何も聞こえない。',
  databaseAway: 'データベースが応答しない。',
  models: names => `モデル：${names}`,
  offline: 'モデルなしで、簡単なルールで答えているよ。',
  budget: percent => `予算の残りは${percent}%。`,
  spoke: ago => `ここで最後に話したのは${ago}。`,
  spokeNever: 'ここではまだ何も話していない。',
  outcomes: {
    silent: '黙っていた。',
    delayed: '少しあとで答えるつもりだった。',
    replied: '答えた。',
    cancelled: '答えかけたけれど、やめておいた。',
    failed: '答えたかったけれど、できなかった。',
  },
  reacted: 'リアクションをつけた。',
  noTurn: 'ここではまだ何も見ていない。',
  noSuchTurn: 'そのメッセージを見た記録がない。この会話の、最近のメッセージだけがわかるよ。',
  reason: '理由：',
  score: '点数：',
  after: 'そのわけ：',
  trouble: 'うまくいかなかったこと：',
  now: 'たった今',
  ago: (count, unit) => `${count}${UNITS[unit]}前`,
}

export const WORDS: Readonly<Record<Locale, Words>> = { en: EN, ja: JA }

const UNITS_MS: readonly (readonly [Unit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** How long ago something was. */
export function ago(ms: number, locale: Locale): string {
  const found = UNITS_MS.find(([, length]) => ms >= length)
  return found ? WORDS[locale].ago(Math.floor(ms / found[1]), found[0]) : WORDS[locale].now
}
