/** A table of settings with fields to change them. What cannot be set says why. */
import { useOpener } from '../base/focus.js'
import { html, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Field, OptionHeads, shown } from '../parts/option-field.js'
import { withCode } from '../parts/option-origin.js'
import { keyOf, labelOf, written } from './drafts.js'

/**
 * @typedef {import('./drafts.js').Settable} Settable
 * @typedef {import('./drafts.js').Drafts} Drafts
 * @typedef {import('./drafts.js').Redraft} Redraft
 * @typedef {{ drafts: Drafts, onDraft: Redraft, mayChange: boolean }} Editing
 */

/** @param {Editing & { caption: string, options: readonly Settable[], isFound?: (option: Settable) => boolean }} props */
export function Options({ caption, options, isFound = () => true, ...editing }) {
  return html`<table class="options" hidden=${!options.some(isFound)}>
    <caption class="hidden">${caption}</caption>
    <thead><${OptionHeads} /></thead>
    <tbody>${options.map((option, at) => html`<${Row} key=${keyOf(option.path)} option=${option} isFirst=${begins(option, options[at - 1])} isHidden=${!isFound(option)} ...${editing} />`)}</tbody>
  </table>`
}

/** @param {Editing & { option: Settable, isFirst: boolean, isHidden: boolean }} props `isFirst`: of its section */
function Row({ option, isFirst, isHidden, drafts, onDraft, mayChange }) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpener(isOpen)
  const { path, from, why, does } = option
  const draft = drafts.get(keyOf(path))
  const label = labelOf(path)
  const id = `setting-${path.join('-')}`
  // The field is the one of other pages. A change is kept here until all are saved together.
  const field = { ...option, plugin: '', option: label, scoped: true, ...(draft && 'value' in draft && { value: draft.value }) }
  /** @param {unknown} value */
  async function keep(value) {
    onDraft(path, { path, value })
    setOpen(false)
  }
  /** The button is removed, so the focus moves. @param {import('./drafts.js').Draft | undefined} next */
  function redraft(next) {
    button.current?.focus()
    onDraft(path, next)
  }
  return html`<tr hidden=${isHidden} class=${`${draft ? 'turned' : ''} ${isFirst ? 'first' : ''}`}>
    <th scope="row"><code>${label}</code>${does && html`<span class="does">${withCode(does)}</span>`}</th>
    <td data-title=${say('value')}>
      ${
        isOpen
          ? html`<${Field} id=${id} option=${field} onSave=${keep} onClose=${() => setOpen(false)} />`
          : html`<span class=${option.redacted || option.value === undefined ? 'faint value' : 'value'}>${shown(field)}</span>`
      }
      ${!isOpen && mayChange && !why && html` <button ref=${button} class="link" type="button" aria-label=${say('changeOption', { option: label })} onClick=${() => setOpen(true)}>${say('change')}</button>`}
      ${why && html`<p class="faint notes">${why}</p>`}
    </td>
    <td data-title=${say('saidBy')}>
      ${
        draft
          ? html`<span class="accent">${say('studioUnsaved')}</span> <span class="faint notes">${say('studioBefore', { value: written(option.value) })}</span>
              <button class="link" type="button" aria-label=${say('undoOption', { option: label })} onClick=${() => redraft(undefined)}>${say('undo')}</button>`
          : sourceOf(from)
      }
      ${
        !draft &&
        !isOpen &&
        mayChange &&
        from === 'bot.settings.json' &&
        html` <button class="link" type="button" aria-label=${say('studioBackOf', { option: label })} onClick=${() => redraft({ path })}>${say('studioBack')}</button>`
      }
    </td>
  </tr>`
}

/** Whether a section begins: several options with one first key. @param {Settable} option @param {Settable | undefined} before */
function begins({ path }, before) {
  return before !== undefined && path[0] !== before.path[0] && (path.length > 1 || before.path.length > 1)
}

/** @param {Settable['from']} from */
function sourceOf(from) {
  if (from === 'default') return say('fromDefault')
  return from === 'environment' ? say('studioEnvironment') : from
}
