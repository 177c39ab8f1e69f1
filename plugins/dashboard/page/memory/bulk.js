/** Actions for all selected facts. */
import { call } from '../base/api.js'
import { numberOf } from '../base/format.js'
import { html } from '../base/html.js'
import { say } from '../base/words.js'
import { Confirm } from '../parts/confirm.js'

/** @typedef {import('../../memory/views.ts').FactView} FactView */

const KINDS = /** @type {const} */ (['durable', 'preference', 'current', 'event'])

/**
 * `onDone` gets what becomes of each fact of the list; undefined: it leaves the list.
 *
 * @param {{
 *   queue: string, shown: readonly number[], selected: ReadonlySet<number>, onSelect: (ids: readonly number[]) => void,
 *   onDone: (of: (fact: FactView) => FactView | undefined) => void, onNotice: (text: string) => void, onFailed: (error: Error) => void,
 * }} props
 */
export function Bulk({ queue, shown, selected, onSelect, onDone, onNotice, onFailed }) {
  const isAll = shown.length > 0 && shown.every(id => selected.has(id))
  const isNone = selected.size === 0

  /**
   * @param {'confirm' | 'forget' | 'correct'} what
   * @param {Partial<FactView>} change
   * @param {boolean} leaves whether the facts leave the list
   */
  async function run(what, change, leaves) {
    const ids = [...selected]
    let done = 0
    try {
      for (let at = 0; at < ids.length; at += 200) {
        const some = ids.slice(at, at + 200)
        const body = { ids: some, ...(what === 'correct' && change) }
        done += (await call(`facts/${what}`, { method: 'POST', body })).done
        const changed = new Set(some)
        onDone(fact => (!changed.has(fact.id) ? fact : leaves ? undefined : { ...fact, ...change }))
      }
      onNotice(say(`done_${what}`, { n: numberOf(done) }))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      onFailed(error)
    }
  }

  return html`<div class="bulk" role="group" aria-label=${say('forSelected')}>
    <label class="check"><input type="checkbox" checked=${isAll} onChange=${() => onSelect(isAll ? [] : shown)} />
      ${isNone ? say('selectAll') : say('selectedFacts', { n: numberOf(selected.size) })}</label>
    ${
      !isNone &&
      html`<button class="strong" type="button" onClick=${() => run('confirm', { confidence: 1, confirmed: new Date().toISOString() }, queue === 'new' || queue === 'expiring')}>${say('confirmFacts')}</button>
        <button class="plain" type="button" onClick=${() => run('correct', { pinned: true }, queue === 'expiring')}>${say('pin')}</button>
        <label><span class="hidden">${say('factKind')}</span>
          <select value="" onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => {
            const kind = KINDS.find(one => one === currentTarget.value)
            if (kind) void run('correct', { kind }, queue === 'expiring' && kind === 'durable')
          }}>
            <option value="">${say('factKind')}</option>
            ${KINDS.map(kind => html`<option key=${kind} value=${kind}>${say(kind)}</option>`)}
          </select>
        </label>
        <${Confirm} ask=${say('forget')} label=${say('forgetSelected', { n: numberOf(selected.size) })} sure=${say('reallyForget')} danger onSure=${() => run('forget', {}, true)} />`
    }
  </div>`
}
