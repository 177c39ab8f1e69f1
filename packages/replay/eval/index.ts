/** Evaluations: cases, configurations, and what they make of them. */
export * from './evaluate.ts'
export { checksOf, type Expected } from './expected.ts'
export { type Difference, differenceOf, type Share, shareOf } from './figures.ts'
export { type Metered, meter, type Spent, tokenBudget } from './metered.ts'
export { toHtml, toText } from './report.ts'
export { type Configuration, type Line, openStage, type Played, type Situation, type Stage, settleWith } from './stage.ts'
