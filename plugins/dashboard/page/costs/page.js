/** What models cost: over time, by channel, plugin, role or model. */
import { call } from '../base/api.js'
import { moneyOf, numberOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { language, say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { Bars } from './bars.js'
import { amountOf, nameOf } from './names.js'
import { DIMENSIONS, hashOf, queryHere, SPANS } from './query.js'

/** @typedef {import('../../costs/views.ts').CostsView} Costs */

const DAY = 24 * 60 * 60_000

export function Page() {
  const query = queryHere()
  const [costs, setCosts] = useState(/** @type {Costs | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const { hear } = useNewest()
  const read = () => {
    const now = Date.now()
    const { zone, days, by, only } = query
    const from = new Date(now - days * DAY).toISOString()
    const asked = call('costs', { query: { from, to: new Date(now).toISOString(), zone, by, ...only } })
    return hear(
      asked,
      answer => {
        setCosts(answer)
        setWhy('')
      },
      error => setWhy(error.message),
    )
  }
  useEffect(() => void read(), [location.hash])

  const go = (/** @type {Partial<typeof query>} */ changes) => {
    location.hash = hashOf({ ...query, ...changes })
  }
  return html`<section class="sheet costs">
    <header class="lead">
      <h1>${say('costs')}</h1>
      <p class="faint">${say('costsText')}</p>
      <div class="lead-row"><div class="segments" role="group" aria-label=${say('span')}>
        ${SPANS.map(days => html`<button type="button" key=${days} aria-pressed=${days === query.days} onClick=${() => go({ days })}>${say(days === 1 ? 'last24Hours' : 'lastDays', { n: days })}</button>`)}
      </div>
      <div class="segments" role="group" aria-label=${say('groupBy')}>
        ${DIMENSIONS.map(by => html`<button type="button" key=${by} aria-pressed=${by === query.by} onClick=${() => go({ by })}>${say(`by_${by}`)}</button>`)}
      </div></div>
      ${Object.entries(query.only).map(
        ([dimension, value]) => html`<p key=${dimension} class="only">
          ${say('onlyThis', { what: say(/** @type {'by_place'} */ (`by_${dimension}`)), name: nameOf(dimension, value ?? '', (dimension === 'place' && costs?.place) || (value ?? '')) })}
          <button type="button" onClick=${() => {
            const { [dimension]: _, ...only } = query.only
            go({ only })
          }}>${say('showAll')}</button>
        </p>`,
      )}
    </header>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${costs && html`<${Figures} costs=${costs} query=${query} />`}
  </section>`
}

/** The few groups that make half of the sum, with the way to spend less in a channel. @param {{ groups: Costs['groups'], total: number, size: (group: Costs['groups'][number]) => number, by: string }} props */
function Half({ groups, total, size, by }) {
  const named = groups.filter(({ key }) => key !== null)
  let sum = 0
  /** @type {typeof named} */
  const half = []
  for (const group of named) {
    if (sum >= total / 2) break
    sum += size(group)
    half.push(group)
  }
  if (sum < total / 2 || named.length < 2) return null
  const names = half.map(({ key, name }) => nameOf(by, key, name))
  const share = numberOf(sum / total, { style: 'percent', maximumFractionDigits: 0 })
  const channels = by === 'place' ? half.filter(({ key }) => key?.includes('/')) : []
  return html`<p class="half">${say('halfOfIt', { share, names: new Intl.ListFormat(language()).format(names) })}
    ${channels.slice(0, 3).map(({ key, name }) => html` <a key=${key} href=${`#/tuning/${encodeURIComponent(key ?? '')}`}>${say('tunePlace', { name: nameOf(by, key, name) })}</a>`)}</p>`
}

/** @param {{ costs: Costs, query: ReturnType<typeof queryHere> }} props */
function Figures({ costs, query }) {
  const { total, groups, forecast, limits } = costs
  if (total.calls === 0) return html`<p class="empty">${say('noCalls')}</p>`
  const isPriced = total.cost !== null
  const amount = (/** @type {number} */ n) => (isPriced ? moneyOf(n) : numberOf(Math.round(n)))
  const size = amountOf(isPriced)
  const limit = isPriced ? limits.money : limits.tokens
  const expected = (/** @type {Costs['forecast']['day']} */ part) =>
    isPriced
      ? { spent: moneyOf(part.cost), expected: moneyOf(part.expectedCost) }
      : { spent: numberOf(part.tokens), expected: numberOf(Math.round(part.expectedTokens)) }
  return html`<dl class="totals">
      <div><dt>${say(isPriced ? 'cost' : 'tokensUsed')}</dt><dd><b>${amount(size(total))}</b></dd></div>
      <div><dt>${say('callsCount')}</dt><dd><b>${numberOf(total.calls)}</b> ${total.failed > 0 && html`<span class="danger">${say('failedCalls', { n: numberOf(total.failed) })}</span>`}</dd></div>
      <div><dt>${say('today')}</dt><dd><b>${expected(forecast.day).spent}</b> <span class="faint">${say('expectedBy', expected(forecast.day))}${limit !== undefined && ` · ${say('ofLimit', { limit: amount(limit) })}`}</span></dd></div>
      <div><dt>${say('thisMonth')}</dt><dd><b>${expected(forecast.month).spent}</b> <span class="faint">${say('expectedBy', expected(forecast.month))}</span></dd></div>
    </dl>
    ${!isPriced && html`<p class="faint">${say('noPrices')}</p>`}
    <${Half} groups=${groups} total=${size(total)} size=${size} by=${query.by} />
    <${Bars} costs=${costs} by=${query.by} size=${isPriced ? 'cost' : 'tokens'} amount=${amount} />
    <div class="wide-table"><table>
      <thead><tr>
        <th scope="col">${say(`by_${query.by}`)}</th>
        ${isPriced && html`<th scope="col" class="number">${say('cost')}</th>`}
        <th scope="col" class="number">${say('share')}</th>
        <th scope="col" class="number">${say('tokensUsed')}</th>
        <th scope="col" class="number">${say('callsCount')}</th>
      </tr></thead>
      <tbody>
        ${groups.map((group, at) => {
          const { key, name, calls, inputTokens, outputTokens, cost } = group
          const shown = nameOf(query.by, key, name)
          const next = DIMENSIONS.find(one => one !== query.by && !(one in query.only)) ?? query.by
          return html`<tr key=${key}>
            <th scope="row"><i class=${`swatch ink-${key === null ? 'rest' : at}`}></i>
              ${key === null ? shown : html`<a href=${hashOf({ ...query, only: { ...query.only, [query.by]: key }, by: next })}>${shown}</a>`}
              ${query.by === 'place' && key?.includes('/') && html` <span class="faint">${key.split('/', 1)[0]}</span>`}
            </th>
            ${isPriced && html`<td class="number">${moneyOf(cost ?? 0)}</td>`}
            <td class="number">${numberOf(size(total) > 0 ? size(group) / size(total) : 0, { style: 'percent' })}</td>
            <td class="number">${numberOf(inputTokens + outputTokens)}</td>
            <td class="number">${numberOf(calls)}</td>
          </tr>`
        })}
      </tbody>
    </table></div>
    <p class="faint">${say('saveText')} <a href=${query.only.place?.includes('/') ? `#/tuning/${encodeURIComponent(query.only.place)}` : '#/tuning'}>${say('tuning')}</a></p>`
}
