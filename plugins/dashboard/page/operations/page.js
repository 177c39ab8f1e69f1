/** Operations, for owners: the log, backups, and jobs. */
import { html } from '../base/html.js'
import { say } from '../base/words.js'
import { TestAlerts } from './alerts.js'
import { Backups } from './backups.js'
import { Jobs } from './jobs.js'
import { Log } from './log.js'

const VIEWS = /** @type {const} */ ({ log: '#/operations', backups: '#/operations/backups', jobs: '#/operations/jobs' })

/** `#/operations` shows the log, `#/operations/backups` and `#/operations/jobs` the others. @param {{ where: string, onNotice: (text: string) => void }} props */
export function Page({ where, onNotice }) {
  const shown = where === 'backups' || where === 'jobs' ? where : 'log'
  return html`<section class="sheet operations">
    <header class="lead">
      <h1>${say('operations')}</h1>
      <div class="lead-row"><div class="segments" role="group" aria-label=${say('show')}>
        ${
          /** @type {const} */ (['log', 'backups', 'jobs']).map(
            one =>
              html`<button key=${one} aria-pressed=${shown === one} onClick=${() => {
                location.hash = VIEWS[one]
              }}>${say(`ops_${one}`)}</button>`,
          )
        }
      </div>
      <${TestAlerts} onNotice=${onNotice} /></div>
    </header>
    ${shown === 'log' && html`<${Log} />`}
    ${shown === 'backups' && html`<${Backups} onNotice=${onNotice} />`}
    ${shown === 'jobs' && html`<${Jobs} onNotice=${onNotice} />`}
  </section>`
}
