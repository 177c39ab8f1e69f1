/** The result of a run: how often each bot does what is expected, and what both say, side by side. */
import { numberOf } from '../base/format.js'
import { html } from '../base/html.js'
import { reasonIn, say } from '../base/words.js'
import { differenceOf } from './diff.js'

/**
 * @typedef {import('../../evaluation/views.ts').EvaluationView} Evaluation
 * @typedef {import('../../evaluation/views.ts').ResultView} Outcome
 */

const percent = (/** @type {number} */ value) => numberOf(value, { style: 'percent', maximumFractionDigits: 0 })
const points = (/** @type {number} */ value) => numberOf(100 * value, { maximumFractionDigits: 0, signDisplay: 'exceptZero' })

/** @param {{ evaluation: Evaluation, texts: ReadonlyMap<string, string>, isSet: boolean }} props `isSet`: of rated turns */
export function Result({ evaluation: { sides, rows, cases, gone }, texts, isSet }) {
  const [row] = rows
  return html`<section class="evaluated">
    <h2>${say('evaluated')}</h2>
    <table class="figures">
      <caption class="hidden">${say('evaluated')}</caption>
      <thead><tr><td></td><th scope="col">${say('tuneToday')}</th><th scope="col" class="accent">${say('tuneChanged')}</th></tr></thead>
      <tbody>
        ${isSet && row && html`<tr><th scope="row">${say('asExpected')}</th>${row.shares.map(({ n, passed, value, low, high }) => html`<td>${n === 0 ? '–' : say('shareOf', { passed, n, share: percent(value), low: percent(low), high: percent(high) })}</td>`)}</tr>`}
        <tr><th scope="row">${say('spentWord')}</th>${sides.map(({ spent, medianMs }) => html`<td>${say('spentOf', { calls: numberOf(spent.calls), tokens: numberOf(spent.tokens), seconds: numberOf(medianMs / 1_000, { maximumFractionDigits: 1 }) })}</td>`)}</tr>
      </tbody>
    </table>
    ${isSet && row?.difference && row.difference.n > 0 && html`<p>${say('differenceOf', { points: points(row.difference.value), low: points(row.difference.low), high: points(row.difference.high), won: row.difference.won, lost: row.difference.lost })}</p>`}
    ${gone.length > 0 && html`<p class="faint">${say('evaluationGone', { n: gone.length })}</p>`}
    <ol class="side-by-side">
      ${cases.map(
        ({ name, results }) => html`<li key=${name}>
          ${isSet && html`<p class="text"><a href=${`#/turns/${encodeURIComponent(name)}`}>${texts.get(name) ?? name}</a></p>`}
          <dl>${results.map((result, at) => html`<div key=${at} class=${at === 0 ? '' : 'accent'}><dt>${say(at === 0 ? 'tuneToday' : 'tuneChanged')}</dt><dd><${Said} result=${result} other=${results[1 - at]} at=${at} /></dd></div>`)}</dl>
        </li>`,
      )}
    </ol>
  </section>`
}

/** @param {{ result: Outcome, other: Outcome | undefined, at: number }} props `other`: that of the other bot */
function Said({ result, other, at }) {
  const { said, why, failed, left, checks } = result
  if (left) return html`<p class="faint">${say('evaluationLeft')}</p>`
  if (failed !== undefined) return html`<p class="danger">${say('noResult', { why: failed })}</p>`
  const faults = checks.filter(({ passed }) => !passed)
  const text = said.join('\n')
  const parts = other === undefined ? [{ text, isOnly: false }] : differenceOf(text, other.said.join('\n'))
  return html`${text === '' ? html`<p><b>${say('saysNothing')}</b></p>` : html`<p class="text" dir="auto">${parts.map(part => (part.isOnly ? (at === 0 ? html`<del>${part.text}</del>` : html`<ins>${part.text}</ins>`) : part.text))}</p>`}
    ${why !== undefined && html`<p class="faint">${reasonIn(why)}</p>`}
    ${checks.length > 0 && html`<p class=${faults.length > 0 ? 'danger' : 'faint'}>${faults.length > 0 ? say('notAsExpected', { list: faults.map(({ what }) => reasonIn(what)).join(', ') }) : say('asExpected')}</p>`}`
}
