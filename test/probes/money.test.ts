import { probes } from './probe.ts'

/**
 * A conversation without a mention, then three mentions. Each takes some 400 tokens of the chat model, most of them for the
 * prompt.
 */
probes('Money', [
  {
    id: '39',
    name: 'the budget is spent: nobody is answered but who calls, and at last one notice',
    cast: { budget: { hour: { tokens: 2_500 } } },
    en: [
      `
      alice: @kiki how do I shrink a picture?
      (1m)
      bob: @kiki and a video?
      (1m)
      alice: @kiki and a song?
      (1m)
      bob: @kiki and a book?
      (1m)
      alice: @kiki and a game?
      (1m)
      bob: @kiki and a film?`,
      `
      ${Array.from({ length: 8 }, (_, at) => `tom: kiki, what is ${at} and ${at}?\n(1m)`).join('\n')}`,
    ],
    ja: [
      `
      花子: @kiki 画像を小さくするには？
      (1m)
      太郎: @kiki 動画は？
      (1m)
      花子: @kiki 音楽は？
      (1m)
      太郎: @kiki 本は？
      (1m)
      花子: @kiki ゲームは？
      (1m)
      太郎: @kiki 映画は？`,
      `
      ${Array.from({ length: 8 }, (_, at) => `健: キキ、${at}足す${at}は？\n(1m)`).join('\n')}`,
    ],
    expect: {
      texts: [2, 6],
      calls: { chat: [1, 5] },
      says: /have used up what I may spend|予算を使い切りました/,
      outcome: 'failed',
    },
  },
])
