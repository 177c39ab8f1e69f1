/** Written by `npm run bench:attention`. */
export const WEIGHTS = {
  bias: -4.5784,
  signs: {
    toOthers: { mean: 0.4039, weight: -1.2556 },
    sinceBot: { mean: 10.6952, weight: -0.1612 },
    messagesSinceBot: { mean: 4.4439, weight: -0.4648 },
    rightAfterBot: { mean: 0.1257, weight: -2.0147 },
    sinceExchange: { mean: 15.8738, weight: -0.0991 },
    exchanges: { mean: 0.1342, weight: 2.0988 },
    turns: { mean: 0.1317, weight: 0.9573 },
    othersWithBot: { mean: 0.3319, weight: -0.4239 },
    continues: { mean: 0.0342, weight: 0.5848 },
    closing: { mean: 0.0711, weight: -0.9901 },
    question: { mean: 0.2007, weight: 0.2293 },
  },
}
