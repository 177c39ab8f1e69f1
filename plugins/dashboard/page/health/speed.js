/** Response times, and the benchmark of the machine. */
import { call } from '../base/api.js'
import { durationOf, fullTime, numberOf } from '../base/format.js'
import { html, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { stageName } from '../turn/stages.js'

/**
 * @typedef {import('../../health/views.ts').HealthView} Health
 * @typedef {import('../../health/views.ts').MeasurementView} Measured
 */

/** @param {{ latency: Health['latency'] }} props */
export function Latency({ latency: { answer, stages } }) {
  if (stages.length === 0) return html`<p class="faint">${say('noTurns')}</p>`
  return html`${answer && html`<p>${say('answersIn', { p50: durationOf(answer.p50), p95: durationOf(answer.p95), n: numberOf(answer.count) })}</p>`}
    <div class="scroll-x" tabindex="0" role="region" aria-label=${say('took')}>
      <table class="figures">
        <thead><tr><th scope="col">${say('stage')}</th><th scope="col">${say('half')}</th><th scope="col">${say('most')}</th><th scope="col">${say('turnsCount')}</th></tr></thead>
        <tbody>
          ${stages.map(
            ({ stage, p50, p95, count }) =>
              html`<tr key=${stage}><th scope="row">${stageName(stage)}</th><td>${durationOf(p50)}</td><td>${durationOf(p95)}</td><td>${numberOf(count)}</td></tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

/** @param {{ measured: Measured | undefined, onDone: () => Promise<void>, onNotice: (text: string) => void }} props */
export function Measurement({ measured, onDone, onNotice }) {
  const [running, setRunning] = useState(false)
  const measure = () => {
    setRunning(true)
    call('health/measure', { method: 'POST' })
      .then(onDone, error => onNotice(say('failed', { why: error.message })))
      .finally(() => setRunning(false))
  }
  return html`<p class="faint">${say('measureText')}</p>
    <p class="measure">
      <button class="strong" aria-disabled=${running} onClick=${() => !running && measure()}>${say(running ? 'measuring' : 'measure')}</button>
      <span class="faint" role="status">${measured && !running && say('measuredAt', { time: fullTime(measured.at), s: numberOf(measured.took / 1_000, { maximumFractionDigits: 1 }) })}</span>
    </p>
    ${measured && html`<${Figures} measured=${measured} />`}`
}

/** @param {{ measured: Measured }} props */
function Figures({ measured: { database, verdicts, lateness } }) {
  const both = (/** @type {Measured['database']} */ { p50, p95 }) =>
    say('bothFigures', { p50: durationOf(p50), p95: durationOf(p95) })
  const rows = /** @type {const} */ ([
    ['measuredDatabase', both(database), 'measuredDatabaseText'],
    ['measuredVerdicts', say('perSecond', { n: numberOf(verdicts, { maximumSignificantDigits: 2 }) }), 'measuredVerdictsText'],
    ['measuredLateness', both(lateness), 'measuredLatenessText'],
  ])
  return html`<dl class="measured">
    ${rows.map(([name, figure, text]) => html`<div key=${name}><dt>${say(name)}</dt><dd><b>${figure}</b></dd><dd class="faint">${say(text)}</dd></div>`)}
  </dl>`
}
