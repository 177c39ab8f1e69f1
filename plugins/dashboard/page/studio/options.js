/** A table of settings with fields to change them. What cannot be set says why. */
import { html } from '../base/html.js'
import { say } from '../base/words.js'
import { OptionHeads } from '../parts/option-field.js'
import { OptionRow } from '../parts/option-row.js'
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
  const { path, from, why, unused } = option
  const draft = drafts.get(keyOf(path))
  const label = labelOf(path)
  // The field is the one of other pages. A change is kept here until all are saved together.
  const field = { ...option, plugin: '', option: label, scoped: true, ...(draft && 'value' in draft && { value: draft.value }) }
  /** @param {{ isOpen: boolean, focus: () => void }} row */
  function source({ isOpen, focus }) {
    /** @param {import('./drafts.js').Draft | undefined} next */
    const redraft = next => {
      focus()
      onDraft(path, next)
    }
    if (draft) {
      return html`<span class="accent">${say('studioUnsaved')}</span> <span class="faint notes">${say('studioBefore', { value: written(option.value) })}</span>
        <button class="link" type="button" aria-label=${say('undoOption', { option: label })} onClick=${() => redraft(undefined)}>${say('undo')}</button>`
    }
    const isInFile = from === 'bot.settings.json' && mayChange && !isOpen
    return html`${sourceOf(from)}${isInFile && html` <button class="link" type="button" aria-label=${say('studioBackOf', { option: label })} onClick=${() => redraft({ path })}>${say('studioBack')}</button>`}`
  }
  return html`<${OptionRow} id=${`setting-${path.join('-')}`} option=${field} isHidden=${isHidden} isFirst=${isFirst} isChanged=${draft !== undefined}
    mayChange=${mayChange && !why} why=${why} unused=${unused} source=${source} onSave=${async (/** @type {unknown} */ value) => onDraft(path, { path, value })} />`
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
