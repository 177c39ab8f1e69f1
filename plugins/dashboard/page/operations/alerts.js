/** A button that sends a test of the alerts. */
import { call } from '../base/api.js'
import { html, useState } from '../base/html.js'
import { say } from '../base/words.js'

/** @param {{ onNotice: (text: string) => void }} props */
export function TestAlerts({ onNotice }) {
  const [isAsking, setAsking] = useState(false)
  const [told, setTold] = useState(/** @type {readonly { target: string, problem?: string }[]} */ ([]))
  function test() {
    setAsking(true)
    call('operations/alerts/test', { method: 'POST', body: {} })
      .then(
        answer => {
          setTold(answer.told)
          if (answer.told.length === 0) onNotice(say('alertsNowhere'))
        },
        error => onNotice(say('failed', { why: error.message })),
      )
      .finally(() => setAsking(false))
  }
  return html`<div class="lead-actions">
    <button class="plain" type="button" disabled=${isAsking} onClick=${test}>${say('alertsTest')}</button>
    <div role="status">${told.length > 0 && html`<ul>${told.map(({ target, problem }) => html`<li key=${target} class=${problem === undefined ? '' : 'danger'}><bdi>${target}</bdi> ${problem ?? say('alertsTold')}</li>`)}</ul>`}</div>
  </div>`
}
