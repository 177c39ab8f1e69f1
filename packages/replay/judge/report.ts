/** The result of a replay with a real judge, for people. */
import type { Interval } from './figures.ts'
import type { ModelJudged } from './model-judge.ts'

export function judgedText(judged: ModelJudged): string {
  const { model, asked, sampled, cached, calls, failed, left, tokens, turns, answered, calibration } = judged
  const lines = [
    ['model', model],
    ['turns with a judge', `${asked}, of which ${sampled} are sampled`],
    ['verdicts', `${cached} known, ${calls} calls, ${failed} failed, ${left} left out by the budget; ${tokens} tokens`],
    ['judged turns', `${turns}, of which the member answered ${answered}`],
    ['says yes to those', percent(judged.truePositives)],
    ['says yes to others', percent(judged.falsePositives)],
    ['balanced accuracy', percent(judged.balancedAccuracy)],
    ['F1 with the verdicts', interval(judged.f1)],
    ['F1 by the points alone', interval(judged.f1Alone)],
  ]
  const bins = calibration.map(({ from, turns, predicted, seen }) =>
    [`  ${100 * from}–${100 * from + 20} %`, `${turns}`, turns ? percent(predicted) : '–', turns ? percent(seen) : '–'].map(
      (cell, at) => (at === 0 ? cell.padEnd(14) : cell.padStart(10)),
    ),
  )
  return [
    ...lines.map(([name = '', value]) => `${name.padEnd(24)}${value}`),
    '',
    'How sure the model is of a yes, and how often the member answered:',
    `${''.padEnd(14)}${['turns', 'model', 'member'].map(head => head.padStart(10)).join('')}`,
    ...bins.map(cells => cells.join('')),
    '',
  ].join('\n')
}

function percent(value: number | undefined): string {
  return value === undefined ? '–' : `${(100 * value).toFixed(1)} %`
}

function interval({ value, low, high }: Interval): string {
  return `${percent(value)} (${percent(low)} to ${percent(high)})`
}
