/** Written by `npm run bench:attention`. */
export const WEIGHTS = {
  bias: -3.9815,
  signs: {
    toOthers: { mean: 0.3885, weight: -1.2187 },
    sinceBot: { mean: 8.7029, weight: -0.1011 },
    messagesSinceBot: { mean: 4.3274, weight: -0.4597 },
    rightAfterBot: { mean: 0.1437, weight: -1.8481 },
    sinceExchange: { mean: 15.7989, weight: -0.1366 },
    exchanges: { mean: 0.1356, weight: 1.7441 },
    turns: { mean: 0.1284, weight: 1.294 },
    othersWithBot: { mean: 0.3822, weight: -0.4023 },
    continues: { mean: 0.0411, weight: 0.6447 },
    closing: { mean: 0.077, weight: -0.9489 },
    question: { mean: 0.2063, weight: 0.0819 },
  },
}
