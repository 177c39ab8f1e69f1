/** Options that decide when the bot speaks in a channel, with fields to change them. */
import { html, useState } from '../base/html.js'
import { keyOf as keyPressed } from '../base/keys.js'
import { say } from '../base/words.js'
import { meant, shown, textOf } from '../parts/option-field.js'
import { originOf, withCode } from '../parts/option-origin.js'

/**
 * @typedef {import('../../tuning/views.ts').TunableView} Option
 * @typedef {Readonly<Record<string, string>>} Changes typed texts, by plugin and option
 * @typedef {{ option: Option, text: string, value: unknown }} Turned the typed text and its value
 * @typedef {(option: Option, text: string | undefined) => void} Turn `undefined`: the current value
 */

/** @param {Option} option */
export function keyOf({ plugin, option }) {
  return `${plugin}.${option}`
}

/**
 * Options that differ from the current values. @param {readonly Option[]} options @param {Changes} changes @returns
 * {Turned[]}
 */
export function changed(options, changes) {
  return options.flatMap(option => {
    const text = changes[keyOf(option)]
    return text === undefined || text === textOf(option) ? [] : [{ option, text, value: meant(option, text) }]
  })
}

/** @param {{ options: readonly Option[], changes: Changes, onTurn: Turn }} props */
export function Options({ options, changes, onTurn }) {
  const [wanted, setWanted] = useState('')
  const sought = wanted.trim().toLowerCase()
  const found = options.filter(one => `${keyOf(one)} ${one.does ?? ''}`.toLowerCase().includes(sought))
  const turned = new Set(changed(options, changes).map(({ option }) => keyOf(option)))
  return html`<div class="search" role="search">
      <label class="grow">
        <span class="label">${say('findOption')}</span>
        <input type="search" maxlength="200" onKeyDown=${leaveForm} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setWanted(currentTarget.value)} />
      </label>
    </div>
    ${found.length === 0 && html`<p class="faint" role="status">${say('foundNoOption')}</p>`}
    ${[...new Set(found.map(({ plugin }) => plugin))].map(plugin => html`<${Group} key=${`${plugin} ${sought !== ''}`} plugin=${plugin} options=${found.filter(one => one.plugin === plugin)} changes=${changes} turned=${turned} isSought=${sought !== ''} onTurn=${onTurn} />`)}`
}

/** Enter in the search field must not start a replay. @param {KeyboardEvent} event */
function leaveForm(event) {
  if (keyPressed(event) === 'Enter') event.preventDefault()
}

/** @param {{ plugin: string, options: readonly Option[], changes: Changes, turned: ReadonlySet<string>, isSought: boolean, onTurn: Turn }} props */
function Group({ plugin, options, changes, turned, isSought, onTurn }) {
  const count = options.filter(one => turned.has(keyOf(one))).length
  // Initial value: the section stays open when its last change is undone.
  const [isOpen] = useState(isSought || count > 0 || plugin.startsWith('judge-'))
  return html`<details class="disclosed knobs" open=${isOpen}>
    <summary>${plugin === 'pacing' ? say('pacing') : plugin} <span class="faint notes">${count > 0 && say('turned', { n: count })}</span></summary>
    <ul>${options.map(option => html`<${Knob} key=${keyOf(option)} option=${option} text=${changes[keyOf(option)]} turned=${turned.has(keyOf(option))} onTurn=${onTurn} />`)}</ul>
  </details>`
}

/** @param {{ option: Option, text: string | undefined, turned: boolean, onTurn: Turn }} props */
function Knob({ option, text, turned, onTurn }) {
  const id = `knob-${keyOf(option)}`
  function undo() {
    // The button is removed, so the focus moves.
    document.getElementById(id)?.focus()
    onTurn(option, undefined)
  }
  return html`<li class=${turned ? 'turned' : ''}>
    <div>
      <label for=${id}><code>${option.option}</code></label>
      ${option.does && html`<p class="faint notes does">${withCode(option.does)}</p>`}
      ${option.unused && html`<p class="notes danger">${say('noEffect', { why: option.unused })}</p>`}
    </div>
    <div class="control">
      <${Control} id=${id} option=${option} text=${text ?? textOf(option)} onChange=${(/** @type {string} */ text) => onTurn(option, text)} />
      <p class="faint notes">
        ${turned ? say('todayIs', { value: shown(option) }) : originOf(option)}
        ${turned && html` <button class="link" type="button" aria-label=${say('undoOption', { option: option.option })} onClick=${undo}>${say('undo')}</button>`}
      </p>
    </div>
  </li>`
}

/** @param {{ id: string, option: Option, text: string, onChange: (text: string) => void }} props */
function Control({ id, option, text, onChange }) {
  const { takes, choices = [], least, most, whole, redacted } = option
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }} event */
  const onInput = ({ currentTarget }) => onChange(currentTarget.value)
  if (takes === 'boolean') {
    return html`<input id=${id} type="checkbox" checked=${text === 'true'} onChange=${(
      /** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget },
    ) => onChange(String(currentTarget.checked))} />`
  }
  if (takes === 'choice') {
    return html`<select id=${id} onChange=${onInput}>
      ${choices.map(one => html`<option key=${one} value=${one} selected=${one === text}>${one}</option>`)}
    </select>`
  }
  if (takes === 'number') {
    return html`<input id=${id} type="number" min=${least} max=${most} step=${whole ? 1 : 'any'} value=${text} onInput=${onInput} />`
  }
  if (takes === 'texts')
    return html`<textarea id=${id} rows="2" placeholder=${say('onePerLine')} value=${text} onInput=${onInput}></textarea>`
  return html`<input id=${id} value=${text} placeholder=${redacted ? say('redacted') : undefined} autocomplete="off" spellcheck=${false} onInput=${onInput} />`
}
