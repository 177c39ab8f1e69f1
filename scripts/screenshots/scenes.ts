/** What people say in the pictures. */
export type Scene = readonly { readonly author: string; readonly text: string; readonly to?: number }[]

/** `to`: the line of the scene that it answers. */
const line = (author: string, text: string, to?: number) => ({ author, text, ...(to !== undefined && { to }) })

/** By channel. */
export const SCENES: Readonly<Record<string, readonly Scene[]>> = {
  dev: [
    [
      line('ann', 'Does anyone know why the deploy to staging is red?'),
      line('ben', 'The runner is out of disk space again', 0),
      line('ann', 'Thanks, I will clean it up'),
    ],
    [
      line('yumi', 'kiki、次のリリースはいつ？'),
      line('kiki', '金曜日の15時の予定です。レビューが終わっていれば、そのまま出します。', 0),
      line('yumi', 'ありがとう！'),
    ],
    [
      line('dan', 'Does anyone have a guide for the staging database?'),
      line('kiki', 'Yes: docs/staging.md, section “Connect”. Ben has the password.', 0),
      line('dan', 'found it'),
    ],
    [line('ann', 'I will be ten minutes late for the review'), line('ben', 'no problem')],
    [
      line('ben', '@kiki what did we decide about the cache?'),
      line('kiki', 'On Tuesday you agreed to keep it at ten minutes and to measure again after a week.', 0),
    ],
    [
      line('yumi', 'このテスト、手元だと通るんだけど…'),
      line('dan', 'タイムゾーンかも。CI は UTC だよ', 0),
      line('yumi', 'それだ！'),
    ],
    [line('dan', 'Who can review #482?'), line('ann', 'me, after lunch', 0), line('dan', 'great')],
    [
      line('ann', 'kiki, summarise the incident of this morning'),
      line(
        'kiki',
        'From 09:10 to 09:24 the queue stood still: its disk was full. Ben freed 20 GB. An alert for it is planned.',
        0,
      ),
    ],
    [line('ben', 'kiki, who is on call tonight?')],
    [line('dan', 'the build is green again'), line('ben', 'nice')],
    [line('yumi', '誰か PostgreSQL 17 で試した人いますか？'), line('ben', '先週やりました。問題なしです', 0)],
  ],
  general: [
    [line('yumi', 'おはようございます'), line('ann', 'good morning!')],
    [
      line('ben', 'kiki, when does the train to Ueno leave?'),
      line('kiki', 'At half past ten. It was ten until yesterday.', 0),
      line('ben', 'good that I asked'),
    ],
    [line('dan', 'Is the office open on Monday?'), line('ann', 'No, it is a holiday', 0)],
    [line('yumi', 'kiki、合鍵はどこにあったっけ？'), line('kiki', '青い鉢の下です。', 0)],
    [line('ann', 'lunch in ten minutes?'), line('dan', 'yes!', 0)],
  ],
  random: [
    [line('dan', 'look at this cat'), line('yumi', 'かわいい')],
    [line('ben', 'Who wants my concert ticket for Saturday?'), line('ann', 'me!!', 0)],
    [line('yumi', '週末に高尾山へ行く人いますか？'), line('dan', 'I do', 0), line('yumi', '9時に駅で')],
  ],
}
