/** Bars for the budget of models. */
import { moneyOf, numberOf, shownName, timeOf } from '../base/format.js'
import { html } from '../base/html.js'
import { say } from '../base/words.js'

/** @typedef {import('../../health/views.ts').HealthView['budget']} Spendings */

/** Shares of a limit at which judging, background work and unasked answers stop. */
const MARKS = /** @type {const} */ ([70, 80, 90])

/** @param {{ budget: Spendings }} props */
export function Budget({ budget }) {
  if (budget.length === 0) return html`<p class="faint">${say('noBudget')}</p>`
  return html`<p class="faint">${say('budgetText')}</p>
    <ul class="budget">
      ${budget.flatMap(one =>
        /** @type {const} */ (['tokens', 'money']).flatMap(kind => {
          const limit = one.limits[kind]
          return limit === undefined ? [] : html`<${Bar} one=${one} kind=${kind} limit=${limit} />`
        }),
      )}
    </ul>`
}

/** @param {{ one: Spendings[number], kind: 'tokens' | 'money', limit: number }} props */
function Bar({ one: { channel, period, until, spent }, kind, limit }) {
  const percent = limit > 0 ? Math.min(100, Math.round((100 * spent[kind]) / limit)) : 100
  const name = `${channel === undefined ? say('wholeBot') : `#${shownName(channel)}`} · ${say(period === 'hour' ? 'inThisHour' : 'onThisDay')}`
  const amount = (/** @type {number} */ n) => (kind === 'money' ? moneyOf(n) : numberOf(n))
  const words = say(kind === 'money' ? 'spentMoney' : 'spentTokens', { spent: amount(spent[kind]), limit: amount(limit) })
  return html`<li>
    <span>${name}</span>
    <span class="faint">${words}</span>
    <span class=${percent >= 100 ? 'spent out' : 'spent'} role="meter" aria-label=${name} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${percent} aria-valuetext=${words}>
      <i style=${{ width: `${percent}%` }}></i>
      ${MARKS.map(mark => html`<b style=${{ insetInlineStart: `${mark}%` }}></b>`)}
    </span>
    <span class="faint">${say('spentShare', { n: percent })} · ${say('anewAt', { time: timeOf(until) })}</span>
  </li>`
}
