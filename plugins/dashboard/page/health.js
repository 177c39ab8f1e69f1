/** Whether all is well. */
import { call } from './api.js'
import { durationOf, fullTime, numberOf, timeOf } from './format.js'
import { html, useEffect, useState } from './html.js'
import { say } from './words.js'

/** @typedef {import('../views.ts').HealthView} Health */

const EVERY = 10_000

/** @param {{ onNotice: (text: string) => void }} props */
export function Health({ onNotice }) {
  const [health, setHealth] = useState(/** @type {Health | undefined} */ (undefined))
  useEffect(() => {
    const read = () => call('health').then(setHealth, error => onNotice(say('failed', { why: error.message })))
    void read()
    const timer = setInterval(read, EVERY)
    return () => clearInterval(timer)
  }, [])
  if (!health) return null
  const { platforms, queue, models, spent, problems } = health
  const well = platforms.every(({ why }) => why === null) && problems.length === 0
  return html`<section class="sheet">
    <header class="lead"><h1>${say('health')}</h1><p>${say(well ? 'allWell' : 'notWell')}</p></header>

    <h2>${say('platforms')}</h2>
    <ul class="sections">
      ${platforms.map(
        ({ name, why }) =>
          html`<li key=${name}><span>${name}</span><span class=${why === null ? 'faint' : 'danger'}>${why ?? say('hears')}</span></li>`,
      )}
    </ul>

    <h2>${say('problemsToday')}</h2>
    ${problems.length === 0 && html`<p class="faint">${say('none')}</p>`}
    <ul class="sections">
      ${problems.map(
        ({ last, times, ...problem }) => html`<li>
          <span>${say('problem', problem)}</span>
          <span class="faint">${say('times', { n: times })} · ${timeOf(last)}</span>
        </li>`,
      )}
    </ul>

    <h2>${say('modelsToday')}</h2>
    ${models.length === 0 && html`<p class="faint">${say('none')}</p>`}
    <ul class="sections">
      ${models.map(
        ({ role, model, calls, failed, inputTokens, outputTokens, ms, cost }) => html`<li>
          <span>${model} <span class="faint">${role}</span></span>
          <span class="faint">
            ${[
              say('calls', { n: numberOf(calls) }),
              failed > 0 && say('failedCalls', { n: failed }),
              `${numberOf(inputTokens)} → ${say('tokens', { n: numberOf(outputTokens) })}`,
              durationOf(Math.round(ms)),
              cost !== null && numberOf(cost, { maximumSignificantDigits: 3 }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>`,
      )}
    </ul>
    ${spent.map(
      ({ period, tokens, money }) => html`<p class="faint">
        ${say(period === 'hour' ? 'thisHour' : 'thisDay')}: ${say('tokens', { n: numberOf(tokens) })} · ${numberOf(money, { maximumSignificantDigits: 3 })}
      </p>`,
    )}

    <h2>${say('machine')}</h2>
    <ul class="sections">
      <li><span>${say('queue')}</span><span class="faint">${say('queueNow', { ...queue })}</span></li>
      <li><span>${say('database')}</span><span class="faint">${health.database}</span></li>
      <li><span>${say('memoryUsed')}</span><span class="faint">${numberOf(Math.round(health.memory / 1_000_000))} MB</span></li>
      <li><span>${say('upSince')}</span><span class="faint">${fullTime(health.upSince)}</span></li>
      <li><span>kikimimi</span><span class="faint">${health.version}</span></li>
      <li><span>Node</span><span class="faint">${health.node}</span></li>
    </ul>
  </section>`
}
