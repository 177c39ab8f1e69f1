/** A row of a table of options: what the option does, its value with a field to change it, and where the value comes from. */
import { useOpener } from '../base/focus.js'
import { html, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Field, shown } from './option-field.js'
import { withCode } from './option-origin.js'

/** @typedef {import('./option-field.js').Option} Option */

/**
 * @param {{
 *   id: string, option: Option, isHidden: boolean, isFirst?: boolean, isChanged?: boolean, mayChange: boolean, why?: string | undefined,
 *   unused?: string | undefined, onSave: (value: unknown) => Promise<void>,
 *   source: (row: { isOpen: boolean, focus: () => void }) => unknown,
 * }} props `isFirst`: of its section; `isChanged`: a value waits to be saved; `why`: it cannot be changed; `unused`: it has no effect; `source`: the last cell. Its
 * buttons call `focus` before they are removed
 */
export function OptionRow({ id, option, isHidden, isFirst = false, isChanged = false, mayChange, why, unused, onSave, source }) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpener(isOpen)
  const { option: name, does, redacted, value } = option
  const save = (/** @type {unknown} */ next) => onSave(next).then(() => setOpen(false))
  return html`<tr hidden=${isHidden} class=${`${isChanged ? 'turned' : ''} ${isFirst ? 'first' : ''}`}>
    <th scope="row"><code>${name}</code>${does && html`<span class="does">${withCode(does)}</span>`}${unused && html`<span class="does danger">${say('noEffect', { why: unused })}</span>`}</th>
    <td data-title=${say('value')}>
      ${
        isOpen
          ? html`<${Field} id=${id} option=${option} onSave=${save} onClose=${() => setOpen(false)} />`
          : html`<span class=${redacted || value === undefined ? 'faint value' : 'value'}>${shown(option)}</span>`
      }
      ${!isOpen && mayChange && html` <button ref=${button} class="link" type="button" aria-label=${say('changeOption', { option: name })} onClick=${() => setOpen(true)}>${say('change')}</button>`}
      ${why && html`<p class="faint notes">${why}</p>`}
    </td>
    <td data-title=${say('saidBy')}>${source({ isOpen, focus: () => button.current?.focus() })}</td>
  </tr>`
}
