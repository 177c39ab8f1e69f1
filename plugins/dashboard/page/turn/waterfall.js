/** When the stages, model calls and tools of a turn ran. */
import { durationOf, moneyOf, numberOf } from '../base/format.js'
import { html, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { stageName } from './stages.js'

/**
 * @typedef {import('../../history/views.ts').TurnView['trace']} Trace
 * @typedef {NonNullable<Trace['timeline']>[number] & { note?: string, failed?: boolean }} Part
 */

/** Parts that are shown at first. */
const FIRST = 40

/** @param {{ trace: Trace }} props */
export function Waterfall({ trace }) {
  const [all, setAll] = useState(false)
  const parts = partsOf(trace)
  if (parts.length === 0) return null
  const end = Math.max(1, ...parts.map(({ afterMs, ms }) => afterMs + ms))
  const share = (/** @type {number} */ ms) => `${Math.max(0, Math.min(100, (100 * ms) / end))}%`
  const shown = all ? parts : parts.slice(0, FIRST)
  return html`<h3>${say('timeline')}</h3>
    <ol class="waterfall">
      ${shown.map(
        ({ what, name, afterMs, ms, note, failed }) => html`<li class=${`part ${what} ${failed ? 'broke' : ''}`}>
          <span class="part-name"><bdi>${what === 'stage' ? stageName(name) : name}</bdi>${note && html` <span class="faint">${note}</span>`}</span>
          <span class="track" aria-hidden="true"><i class="time" style=${{ insetInlineStart: share(afterMs), width: `max(2px, ${share(ms)})` }}></i></span>
          <span class="figure">${durationOf(ms)}</span>
        </li>`,
      )}
    </ol>
    ${!all && parts.length > FIRST && html`<button class="plain" onClick=${() => setAll(true)}>${say('allParts', { n: numberOf(parts.length) })}</button>`}`
}

/** The parts as they began: a stage before what ran in it. @param {Trace} trace @returns {readonly Part[]} */
export function partsOf({ timeline, ms, models, problems }) {
  const broken = new Set(problems.map(({ stage }) => stage))
  if (!timeline) {
    // A turn of an earlier version. Its stages ran one after the other.
    let afterMs = 0
    return Object.entries(ms).map(([name, spent]) => {
      afterMs += spent
      return { what: 'stage', name, afterMs: afterMs - spent, ms: spent, failed: broken.has(name) }
    })
  }
  const calls = [...models]
  return timeline
    .map(part => {
      if (part.what === 'stage') return { ...part, failed: broken.has(part.name) }
      // The calls are in the same order.
      const call = part.what === 'model' ? calls.shift() : undefined
      if (!call) return part
      const figures = [
        `${numberOf(call.inputTokens)} → ${say('tokens', { n: numberOf(call.outputTokens) })}`,
        call.cost !== undefined && moneyOf(call.cost),
      ]
      return {
        ...part,
        name: call.model,
        note: [call.role, ...figures].filter(Boolean).join(' · '),
        failed: call.error !== undefined,
      }
    })
    .toSorted((a, b) => a.afterMs - b.afterMs || (a.what === 'stage' ? -1 : 1) - (b.what === 'stage' ? -1 : 1))
}
