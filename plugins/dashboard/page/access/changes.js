/** What was changed on the page, with a filter. */
import { call } from '../base/api.js'
import { timeOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'

/** @typedef {import('../../access/views.ts').ChangeView} Change */

const OUTCOME = /** @type {const} */ ({ '': 'doneAndRefused', done: 'onlyDone', refused: 'onlyRefused' })
const OUTCOMES = /** @type {const} */ (['', 'done', 'refused'])

/** @param {{ accounts: readonly { name: string }[], version: number }} props `version`: another number reads the changes again */
export function Changes({ accounts, version }) {
  const [account, setAccount] = useState('')
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState('')
  const [found, setFound] = useState({ changes: /** @type {readonly Change[]} */ ([]), more: false })
  const [problem, setProblem] = useState('')
  const { hear } = useNewest()
  const ask = (/** @type {string | undefined} */ before) =>
    call('access/changes', {
      query: { account: account || undefined, text: text || undefined, outcome: outcome || undefined, before },
    })
  useEffect(() => void hear(ask(undefined), setFound, error => setProblem(error.message)), [account, text, outcome, version])
  const earlier = () =>
    ask(String(found.changes.at(-1)?.id)).then(
      next => setFound({ changes: [...found.changes, ...next.changes], more: next.more }),
      error => setProblem(error.message),
    )
  const columns = /** @type {const} */ (['when', 'accountName', 'what', 'subject', 'address'])
  return html`
    <h2>${say('changes')}</h2>
    <div class="fields">
      <input type="search" aria-label=${say('findChange')} placeholder=${say('findChange')} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setText(currentTarget.value)} />
      <select aria-label=${say('accountName')} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => setAccount(currentTarget.value)}>
        <option value="">${say('anyAccount')}</option>
        ${accounts.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>
      <select aria-label=${say('outcome')} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => setOutcome(currentTarget.value)}>
        ${OUTCOMES.map(one => html`<option key=${one} value=${one}>${say(OUTCOME[one])}</option>`)}
      </select>
    </div>
    ${problem && html`<p class="danger" role="alert">${problem}</p>`}
    ${
      found.changes.length === 0
        ? html`<p class="faint">${say('noChanges')}</p>`
        : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${say('changes')}>
            <table>
              <thead><tr>${columns.map(column => html`<th key=${column} scope="col">${say(column)}</th>`)}</tr></thead>
              <tbody>
                ${found.changes.map(
                  ({ id, at, account: by, what, about, address, status, times }) => html`<tr key=${id}>
                    <td class="when">${timeOf(at)}</td><td>${by}</td>
                    <td class="what">${what}${status >= 400 && html` <span class="danger">${say('refusedWith', { status: String(status) })}${times > 1 && ` × ${times}`}</span>`}</td>
                    <td class="about">${Object.entries(about)
                      .map(([name, value]) => `${name}: ${value}`)
                      .join(', ')}</td>
                    <td>${address}</td>
                  </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
    ${found.more && html`<button class="plain" type="button" onClick=${earlier}>${say('earlier')}</button>`}
  `
}
