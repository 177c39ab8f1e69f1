/** Written by `npm run bench:attention`. */
export const WEIGHTS = {
  bias: -3.9843,
  signs: {
    toOthers: { mean: 0.3885, weight: -1.2436 },
    sinceBot: { mean: 8.7029, weight: -0.1022 },
    messagesSinceBot: { mean: 4.3274, weight: -0.4584 },
    rightAfterBot: { mean: 0.1437, weight: -1.8403 },
    sinceExchange: { mean: 15.7989, weight: -0.136 },
    exchanges: { mean: 0.1356, weight: 1.79 },
    turns: { mean: 0.1284, weight: 1.2821 },
    othersWithBot: { mean: 0.3822, weight: -0.4062 },
    continues: { mean: 0.0411, weight: 0.6382 },
    closing: { mean: 0.0893, weight: -0.9145 },
    question: { mean: 0.2063, weight: 0.0635 },
  },
}
