/** Who changed what in bot.settings.json, and a button to take it back. */
import { call } from '../base/api.js'
import { timeOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Confirm } from '../parts/confirm.js'
import { labelOf, written } from './drafts.js'

/** @typedef {import('../../studio/views.ts').HistoryView} Entry */

/** @param {{ version: number, mayChange: boolean, onUndo: (id: number) => void }} props `version`: another number reads the history again */
export function History({ version, mayChange, onUndo }) {
  const [found, setFound] = useState({ entries: /** @type {readonly Entry[]} */ ([]), more: false })
  const [problem, setProblem] = useState('')
  const ask = (/** @type {number | undefined} */ before) =>
    call('studio/history', { query: { before: before === undefined ? undefined : String(before) } })
  const failed = (/** @type {Error} */ error) => setProblem(error.message)
  useEffect(() => void ask(undefined).then(setFound, failed), [version])
  const earlier = () =>
    ask(found.entries.at(-1)?.id).then(next => setFound({ ...next, entries: [...found.entries, ...next.entries] }), failed)
  const columns = /** @type {const} */ (['when', 'accountName', 'option', 'studioOld', 'studioNew'])
  return html`
    <h2>${say('studioHistory')}</h2>
    ${problem && html`<p class="danger" role="alert">${problem}</p>`}
    ${
      found.entries.length === 0
        ? html`<p class="faint">${say('noChanges')}</p>`
        : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${say('studioHistory')}>
            <table>
              <thead><tr>${columns.map(column => html`<th key=${column} scope="col">${say(column)}</th>`)}<th scope="col"><span class="hidden">${say('undo')}</span></th></tr></thead>
              <tbody>${found.entries.map(({ id, at, account, changes, undoes, undoneBy }) =>
                changes.map(
                  ({ path, before, after }, index) => html`<tr key=${`${id}-${index}`}>
                    <td>${index === 0 && timeOf(at)}</td><td>${index === 0 && account}</td>
                    <td><code>${labelOf(path)}</code>${index === 0 && undoes !== undefined && html` <span class="faint">${say('studioUndoing')}</span>`}</td>
                    <td class="wraps">${written(before)}</td><td class="wraps">${written(after)}</td>
                    <td>${
                      index === 0 &&
                      (undoneBy !== undefined
                        ? html`<span class="faint">${say('studioUndone')}</span>`
                        : mayChange &&
                          html`<${Confirm} ask=${say('undo')} sure=${say('studioSureUndo')} label=${say('undoOption', { option: labelOf(path) })} onSure=${() => onUndo(id)} />`)
                    }</td>
                  </tr>`,
                ),
              )}</tbody>
            </table>
          </div>`
    }
    ${found.more && html`<button class="plain" type="button" onClick=${earlier}>${say('earlier')}</button>`}
  `
}
