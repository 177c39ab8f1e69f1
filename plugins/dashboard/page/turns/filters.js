/** The filters of the list of turns. */
import { call } from '../base/api.js'
import { durationOf, moneyOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { weekHourName } from '../base/week.js'
import { reasonIn, say } from '../base/words.js'
import { Finder, findChannels, findPeople, Taken } from '../parts/finder.js'
import { outcomeName, PERIODS } from './address.js'

/**
 * @typedef {import('./address.js').Filters} Filters
 * @typedef {import('zod').z.infer<typeof import('../../turns/views.ts').choices>} Choices
 * @typedef {{ filters: Filters, onChange: (name: string, value: string) => void }} Props
 */

const OUTCOMES = ['replied', 'silent', 'delayed', 'cancelled', 'failed']
const TIMES = ['1000', '3000', '10000', '30000']
const COSTS = ['0.001', '0.01', '0.1', '1']

/** @param {Props & { children?: unknown }} props */
export function FilterBar({ filters, onChange, children }) {
  const [choices, setChoices] = useState(/** @type {Choices} */ ({ reasons: [], plugins: [], models: [] }))
  useEffect(() => {
    // Without them, the lists have the values of the address alone.
    call('turns/choices').then(setChoices, () => {})
  }, [])
  const used = Object.keys(filters).filter(name => name !== 'text').length
  const reasons = choices.reasons.map(({ reason }) => /** @type {const} */ ([reason, reasonIn(reason)]))
  const same = (/** @type {string} */ one) => /** @type {const} */ ([one, one])
  return html`<div class="filters">
    <details class="filter-fold" open=${matchMedia('(min-width: 46.01rem)').matches}>
      <summary>${say('filters')}${used > 0 && ` (${used})`}</summary>
      <div class="filter-row">
        <${Choice} name="period" word="filterPeriod" filters=${filters} onChange=${onChange} values=${Object.keys(PERIODS).map(one => [one, say(/** @type {'period24h'} */ (`period${one}`))])} />
        <${Until} filters=${filters} onChange=${onChange} />
        <${Choice} name="outcome" word="filterOutcome" filters=${filters} onChange=${onChange} values=${OUTCOMES.map(one => [one, outcomeName(one)])} />
        <${Choice} name="reason" word="filterReason" filters=${filters} onChange=${onChange} values=${reasons} />
        <${Finder} name="channel" word="filterChannel" filters=${filters} onChange=${onChange} find=${findChannels} />
        <${Finder} name="person" word="filterPerson" filters=${filters} onChange=${onChange} find=${findPeople} />
        <${Choice} name="plugin" word="filterPlugin" filters=${filters} onChange=${onChange} values=${choices.plugins.map(same)} />
        <${Choice} name="model" word="filterModel" filters=${filters} onChange=${onChange} values=${choices.models.map(same)} />
        <${Choice} name="took" word="filterTook" filters=${filters} onChange=${onChange} values=${TIMES.map(one => [one, `≥ ${durationOf(Number(one))}`])} />
        <${Choice} name="cost" word="filterCost" filters=${filters} onChange=${onChange} values=${COSTS.map(one => [one, `≥ ${moneyOf(Number(one))}`])} />
        <${Choice} name="error" word="filterError" filters=${filters} onChange=${onChange} values=${[['true', say('withErrors')]]} />
        ${filters.week !== undefined && html`<${Taken} word="filterWeek" text=${weekHourName(filters.week)} onDrop=${() => onChange('week', '')} />`}
        ${children}
      </div>
    </details>
  </div>`
}

const MINUTE = 60_000

/** Turns up to a minute, with that minute. @param {Props} props */
function Until({ filters, onChange }) {
  const until = Date.parse(filters.until ?? '') - MINUTE
  // The field has the time of this browser, without a zone.
  const local = Number.isNaN(until)
    ? ''
    : new Date(until - new Date(until).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
  return html`<label class=${local ? 'filter until used' : 'filter until'}>
    <span>${say('filterUntil')}</span>
    <input type="datetime-local" max="9999-12-31T23:59" value=${local} onChange=${(
      /** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget: { value } },
    ) => {
      onChange('until', value && new Date(Date.parse(value) + MINUTE).toISOString())
    }} />
  </label>`
}

/** @param {Props & { name: string, word: import('../base/words.js').Word, values: readonly (readonly [string, string])[] }} props */
function Choice({ name, word, filters, values, onChange }) {
  const chosen = filters[name] ?? ''
  const all = chosen === '' || values.some(([value]) => value === chosen) ? values : [[chosen, reasonIn(chosen)], ...values]
  return html`<label class=${chosen ? 'filter used' : 'filter'}>
    <span class="hidden">${say(word)}</span>
    <select value=${chosen} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => {
      // The keys of the page work again.
      currentTarget.blur()
      onChange(name, currentTarget.value)
    }}>
      <option value="" selected=${chosen === ''}>${say(word)}</option>
      ${all.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === chosen}>${text}</option>`)}
    </select>
  </label>`
}
