/** Turns that no recorded verdict decides: how many, what the judge can be asked about them, and the estimate from its answers. */
import { moneyOf, numberOf } from '../base/format.js'
import { html, useState } from '../base/html.js'
import { say } from '../base/words.js'

/**
 * @typedef {import('../../tuning/views.ts').ReplayView} Replay
 * @typedef {import('../../tuning/views.ts').SideView} Side
 * @typedef {import('../../tuning/views.ts').SamplingView} Sampling
 * @typedef {{ mayAsk: boolean, isRunning: boolean, onAsk: (limits: Sampling) => void }} Asking
 */

/** Prompts of a sample, if nothing else is given: the interval is at most 18 points to each side. */
const SAMPLE = 30
/** As the API allows. */
const MOST = 500

/** @param {{ replay: Replay, compared: boolean, asking: Asking | undefined }} props `asking`: undefined, it cannot be asked now */
export function Undecided({ replay: { today, changed, undecided, asked }, compared, asking }) {
  const open = compared ? [today, changed] : [today]
  if (!asked && open.every(({ turns }) => turns.asked === 0)) return null
  const counts = { n: numberOf(today.turns.asked), changed: numberOf(changed.turns.asked) }
  return html`<section class="undecided">
    <h2>${say('undecidedTitle')}</h2>
    <p>${say(compared ? 'undecidedBoth' : 'undecidedNow', counts)}</p>
    ${
      open.some(({ estimate }) => estimate) &&
      html`<h3>${say('estimateTitle')}</h3>
        ${open.map((side, at) => html`<p key=${at}><b class=${at === 0 ? '' : 'accent'}>${say(at === 0 ? 'tuneToday' : 'tuneChanged')}</b> ${estimateOf(side)}</p>`)}`
    }
    ${asked && html`<p class="faint">${say('askedOf', { calls: numberOf(asked.calls), tokens: numberOf(asked.tokens), cached: numberOf(asked.cached) })}${asked.cost !== undefined && ` ${say('askedCost', { cost: moneyOf(asked.cost) })}`}</p>`}
    ${asked && asked.failed + asked.left > 0 && html`<p class="danger">${say('askedWithout', { failed: numberOf(asked.failed), left: numberOf(asked.left) })}</p>`}
    ${asking && (undecided ? html`<${Ask} undecided=${undecided} asking=${asking} />` : html`<p class="faint">${say('askNoModel')}</p>`)}
  </section>`
}

/** The answers of a side in all turns that only the judge decides. @param {Side} side */
function estimateOf({ estimate }) {
  if (!estimate) return say('estimateNone')
  const { of, n, value, low, high } = estimate
  const percent = (/** @type {number} */ share) => numberOf(share, { style: 'percent', maximumFractionDigits: 0 })
  const shares = { share: percent(value), low: percent(low), high: percent(high) }
  const turns = { from: numberOf(Math.floor(of * low)), to: numberOf(Math.ceil(of * high)) }
  return say('estimateOf', { n: numberOf(n), of: numberOf(of), ...shares, ...turns })
}

/** @param {{ undecided: NonNullable<Replay['undecided']>, asking: Asking }} props */
function Ask({ undecided: { model, prompts, tokens, most, cost }, asking: { mayAsk, isRunning, onAsk } }) {
  const largest = Math.min(MOST, prompts)
  const [typed, setTyped] = useState(String(Math.min(SAMPLE, largest)))
  const calls = Math.min(largest, Math.max(1, Math.trunc(Number(typed)) || 1))
  if (!mayAsk) return html`<p class="faint">${say('askOwner')}</p>`
  const about = { model, tokens: numberOf(calls * tokens), most: numberOf(calls * most) }
  return html`<form class="ask" onSubmit=${(/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    if (!isRunning) onAsk({ calls, tokens: calls * most })
  }}>
    <label><span class="label">${say('askCalls', { n: numberOf(prompts) })}</span>
      <input name="calls" type="number" min="1" max=${largest} step="1" required value=${typed} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setTyped(currentTarget.value)} />
    </label>
    <p class="soft ask-cost">${say('askAbout', about)} ${cost === undefined ? say('askUnpriced') : say('askPrice', { cost: moneyOf(calls * cost) })}</p>
    <button class="strong" type="submit" disabled=${isRunning}>${say('askJudge')}</button>
  </form>`
}
