/** Browsers that are logged in. */
import { call } from '../base/api.js'
import { timeOf } from '../base/format.js'
import { html } from '../base/html.js'
import { say } from '../base/words.js'

/** @typedef {import('../../access/views.ts').AccessView} Access */

/** Name, version and system of a browser. An unknown `User-Agent` stays as it is. @param {string} agent the header `User-Agent` */
function browserName(agent) {
  const [, name, version] = /(Firefox|Edg|OPR|Chrome|Version)\/(\d+)/.exec(agent.replace(/Chrome(?=.*(?:Edg|OPR)\/)/, '')) ?? []
  const [system] = /iPhone|iPad|Android|Windows|CrOS|Mac(?= OS X)|Linux/.exec(agent) ?? []
  if (!name || !system) return agent
  const names = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari', Firefox: name, Chrome: name }
  return `${names[/** @type {keyof typeof names} */ (name)]} ${version} · ${system}`
}

/** @param {{ sessions: Access['sessions'], onChange: () => void, onFailed: (error: Error) => void }} props */
export function Sessions({ sessions, onChange, onFailed }) {
  const columns = /** @type {const} */ (['accountName', 'since', 'lastUsed', 'address', 'browser'])
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${say('loggedIn')}>
    <table>
      <thead><tr>${columns.map(column => html`<th key=${column} scope="col">${say(column)}</th>`)}<th scope="col"><span class="hidden">${say('endSession')}</span></th></tr></thead>
      <tbody>
        ${sessions.map(
          ({ id, account, begunAt, usedAt, address, browser, isHere }) => html`<tr key=${id}>
            <td>${account}</td><td>${timeOf(begunAt)}</td><td>${timeOf(usedAt)}</td><td>${address}</td>
            <td class="browser" title=${browser}>${browserName(browser)}</td>
            <td>${
              isHere
                ? html`<span class="faint">${say('thisBrowser')}</span>`
                : html`<button class="plain" type="button" aria-label=${say('endSessionOf', { account })} onClick=${() => call(`access/sessions/${id}`, { method: 'DELETE' }).then(onChange, onFailed)}>${say('endSession')}</button>`
            }</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
