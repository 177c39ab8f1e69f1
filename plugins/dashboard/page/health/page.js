/** The health of the bot. */
import { call } from '../base/api.js'
import { durationOf, fullTime, numberOf, timeOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { stageName } from '../turn/stages.js'
import { Budget } from './budget.js'
import { Latency, Measurement } from './speed.js'

/** @typedef {import('../../health/views.ts').HealthView} Health */

const EVERY = 10_000

/** @param {{ onNotice: (text: string) => void }} props */
export function Page({ onNotice }) {
  const [health, setHealth] = useState(/** @type {Health | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const { hear } = useNewest()
  /** @param {Health} next */
  function heard(next) {
    setHealth(next)
    setWhy('')
  }
  const read = () => hear(call('health'), heard, error => setWhy(error.message))
  useEffect(() => {
    void read()
    const timer = setInterval(() => !document.hidden && read(), EVERY)
    return () => clearInterval(timer)
  }, [])
  const failed = why !== '' && html`<${Failed} why=${why} onRetry=${read} />`
  if (!health) return failed && html`<section class="sheet health"><h1>${say('health')}</h1>${failed}</section>`
  const { platforms, plugins, warnings, overload, breakers, problems, models, budget, queue, latency, measured } = health
  const well =
    platforms.every(({ why }) => why === null) &&
    breakers.length === 0 &&
    problems.length === 0 &&
    !overload &&
    plugins.every(one => one.problem === null)
  const deadLetters = queue.failed.some(one => one.deadLetters > 0)
  return html`<section class="sheet health">
    <header class="lead">
      <h1>${say('health')}</h1>
      <p class=${well && !deadLetters ? 'state' : 'state bad'}>${say(well && !deadLetters ? 'allWell' : 'notWell')}</p>
      ${overload && html`<p class="danger">${say('overloaded', { time: timeOf(overload.since), n: numberOf(overload.call + overload.talk + overload.change), lost: numberOf(overload.lost) })}</p>`}
      <p class="faint whose">${whose(health.process)}</p>
      ${failed}
    </header>

    <h2>${say('platforms')}</h2>
    <ul class="sections">
      ${platforms.map(
        ({ name, why }) =>
          html`<li key=${name}><span>${name}</span><span class=${why === null ? 'faint' : 'danger'}>${why ?? say('connected')}</span></li>`,
      )}
      ${plugins.map(
        ({ plugin, state, problem }) => html`<li key=${`plugin ${plugin}`}>
          <span>${plugin} <span class="faint">${state}</span></span>
          ${problem !== null && html`<span class="danger">${problem}</span>`}
        </li>`,
      )}
    </ul>

    ${
      warnings.length > 0 &&
      html`<h2>${say('configWarnings')}</h2>
      <ul class="sections">
        ${warnings.map(warning => html`<li key=${warning}><span class="because">${warning}</span></li>`)}
      </ul>`
    }

    <h2>${say('circuitOpen')}</h2>
    <p class="faint">${say(breakers.length > 0 ? 'circuitOpenText' : 'circuitOpenNone')}</p>
    <ul class="sections">
      ${breakers.map(
        ({ plugin, stage, model, since, until, why }) => html`<li>
          <span>
            <b>${model ?? say('pluginAt', { plugin: plugin ?? '', stage: stageName(stage ?? '') })}</b>
            <span class="because">${why}</span>
          </span>
          <span class="faint">${say('circuitOpenSince', { time: timeOf(since) })} · ${until > new Date().toISOString() ? say('triedAt', { time: timeOf(until) }) : say('triedNext')}</span>
        </li>`,
      )}
    </ul>

    <h2>${say('problemsToday')}</h2>
    ${problems.length === 0 && html`<p class="faint">${say('none')}</p>`}
    <ul class="sections">
      ${problems.map(
        ({ last, times, stage, ...problem }) => html`<li>
          <span>${say('problem', { ...problem, stage: stageName(stage) })}</span>
          <span class="faint">${say('times', { n: numberOf(times) })} · ${timeOf(last)}</span>
        </li>`,
      )}
    </ul>

    <h2>${say('budget')}</h2>
    <${Budget} budget=${budget} />

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
              durationOf(ms),
              cost !== null && numberOf(cost, { maximumSignificantDigits: 3 }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>`,
      )}
    </ul>

    <h2>${say('speed')}</h2>
    <${Latency} latency=${latency} />

    <h2>${say('queue')}</h2>
    <p class="faint">${say('queueNow', { active: queue.active, due: queue.due, later: queue.later })}</p>
    <ul class="sections">
      ${queue.failed.map(
        ({ kind, retrying, deadLetters, last, why }) => html`<li>
          <span><b>${kind}</b> ${why && html`<span class="because">${why}</span>`}</span>
          <span class="faint">${[
            deadLetters > 0 && html`<span class="danger">${say('deadLetters', { n: deadLetters })}</span>`,
            retrying > 0 && say('retrying', { n: retrying }),
            last && timeOf(last),
          ]
            .filter(Boolean)
            .map((part, at) => [at > 0 && ' · ', part])}</span>
        </li>`,
      )}
    </ul>

    <h2>${say('machine')}</h2>
    <${Machine} health=${health} />

    <h2>${say('measured')}</h2>
    <${Measurement} measured=${measured} onDone=${read} onNotice=${onNotice} />
  </section>`
}

/** @param {Health['process']} process */
function whose({ host, pid, upSince, others }) {
  const here = say('thisProcess', { host, pid, time: fullTime(upSince) })
  return others > 0 ? `${here} ${say(others === 1 ? 'otherProcess' : 'otherProcesses', { n: others })}` : here
}

/** @param {{ health: Health }} props */
function Machine({ health: { database, process, versions } }) {
  const { kind, version, pgvector, bytes, migrations, oldestTrace } = database
  const kept = oldestTrace ? say('tracesSince', { time: fullTime(oldestTrace) }) : say('noTraces')
  const named = versions.plugins.map(plugin => (plugin.version ? `${plugin.name} ${plugin.version}` : plugin.name))
  const rows = [
    [say('database'), kind === 'PGlite' ? `PGlite · Postgres ${version}` : `Postgres ${version}`, `pgvector ${pgvector}`],
    [say('onDisk'), sizeOf(bytes)],
    [say('tables'), say('upToDate', { n: migrations })],
    [say('traces'), kept],
    [say('memoryUsed'), sizeOf(process.memory)],
    ['kikimimi', versions.kikimimi, `Node ${versions.node.replace('v', '')}`],
    [say('plugins'), named.join(', ')],
  ]
  return html`<ul class="sections">
    ${rows.map(([name, ...values]) => html`<li key=${name}><span>${name}</span><span class="faint">${values.join(' · ')}</span></li>`)}
  </ul>`
}

/** @param {number} bytes */
function sizeOf(bytes) {
  return `${numberOf(bytes / 1_000_000, { maximumSignificantDigits: 3 })} MB`
}
