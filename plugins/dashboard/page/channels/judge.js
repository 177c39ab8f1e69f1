/** How right the judge was in a channel: rates and calibration. */
import { numberOf, timeOf } from '../base/format.js'
import { html } from '../base/html.js'
import { say } from '../base/words.js'

/** @typedef {import('../../channels/views.ts').JudgeView} Judge */

const percent = (/** @type {number} */ share) => numberOf(share, { style: 'percent', maximumFractionDigits: 1 })

/** @param {{ hits: number, of: number }} share */
const shown = ({ hits, of }) =>
  of === 0 ? '–' : say('judgeShare', { share: percent(hits / of), n: numberOf(hits), of: numberOf(of) })

/** @param {{ judge: Judge }} props */
export function JudgeFigures({ judge }) {
  const { calls, known, truePositives, falsePositives, balancedAccuracy, missed, calibration, tokens, coefficient, pausedUntil } =
    judge
  const digits = (/** @type {number} */ value) => numberOf(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const rows = [
    [say('judgeYesRight'), shown(truePositives)],
    [say('judgeYesWrong'), shown(falsePositives)],
    [say('judgeBalanced'), balancedAccuracy === undefined ? '–' : percent(balancedAccuracy)],
    [say('judgeMissedFollowUp'), shown(missed.followUp)],
    [say('judgeMissedUnasked'), shown(missed.unasked)],
    [
      say('judgeCounts'),
      coefficient
        ? say('judgeInterval', {
            value: digits(coefficient.value),
            low: digits(coefficient.low),
            high: digits(coefficient.high),
          })
        : '–',
    ],
  ]
  return html`<h2>${say('judgeTitle')}</h2>
    <p class="soft">${say('judgeText', { n: numberOf(calls), known: numberOf(known), tokens: numberOf(tokens) })} ${pausedUntil && html`<b>${say('judgePaused', { time: timeOf(pausedUntil) })}</b>`}</p>
    <table class="figures">
      <tbody>${rows.map(([title, value]) => html`<tr key=${title}><th scope="row">${title}</th><td>${value}</td></tr>`)}</tbody>
    </table>
    <table class="figures">
      <thead><tr><th scope="col">${say('judgeProbability')}</th><th scope="col">${say('judgeTurns')}</th><th scope="col">${say('judgePredicted')}</th><th scope="col">${say('judgeSeen')}</th></tr></thead>
      <tbody>
        ${calibration.map(
          ({ from, to, turns, predicted, seen }) =>
            html`<tr key=${from}><th scope="row">${percent(from)}–${percent(to)}</th><td>${numberOf(turns)}</td><td>${turns ? percent(predicted) : '–'}</td><td>${turns ? percent(seen) : '–'}</td></tr>`,
        )}
      </tbody>
    </table>`
}
