/** A field for an option, and the conversion of its text to a value. */
import { html, useEffect, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'

/**
 * @typedef {import('../../channels/views.ts').OptionView} View
 * @typedef {Omit<View, 'takes'> & { takes: View['takes'] | 'lines' }} Option `lines`: a long text, as a list of its lines
 */

/** The value as text: strings unchanged, lists with one line each, others as JSON. @param {Pick<Option, 'value'>} option */
export function textOf({ value }) {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value.join('\n')
  return spaced(value)
}

/** As JSON in one line that can break. @param {unknown} value */
export function spaced(value) {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
}

/** The value for reading. @param {Option} option */
export function shown(option) {
  if (option.redacted) return say('redacted')
  if (option.takes === 'lines') return textOf(option).length > 200 ? `${textOf(option).slice(0, 200)}…` : textOf(option)
  if (typeof option.value === 'boolean') return say(option.value ? 'yes' : 'no')
  return textOf(option).replaceAll('\n', ', ') || say('nothing')
}

/**
 * Parses a text. Text that cannot be parsed is passed on, and the schema refuses it. @param {Option} option @param {string}
 * text
 */
export function meant({ takes }, text) {
  if (takes === 'text' || takes === 'choice') return text
  if (takes === 'lines') return text.split('\n')
  if (takes === 'boolean') return text === 'true'
  if (takes === 'number') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (takes === 'texts')
    return text
      .split('\n')
      .map(one => one.trim())
      .filter(Boolean)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @param {{ id: string, option: Option, onSave: (value: unknown) => Promise<void>, onClose: () => void }} props */
export function Field({ id, option, onSave, onClose }) {
  const [refusal, setRefusal] = useState('')
  const field = useRef(/** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null} */ (null))
  useEffect(() => field.current?.focus(), [])
  const { takes, choices = [], value } = option
  const common = {
    ref: field,
    id,
    'aria-label': option.option,
    'aria-invalid': refusal !== '' ? 'true' : undefined,
    'aria-describedby': refusal !== '' ? `${id}-refusal` : undefined,
  }
  const written = textOf(option)
  return html`<form class="option-field" onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyOf(event) === 'Escape' && onClose()} onSubmit=${(
    /** @type {Event} */ event,
  ) => {
    event.preventDefault()
    onSave(meant(option, field.current?.value ?? '')).catch(error => setRefusal(error.message))
  }}>
    ${
      takes === 'choice' || takes === 'boolean'
        ? html`<select ...${common}>
            ${(takes === 'boolean' ? ['true', 'false'] : choices).map(
              one =>
                html`<option key=${one} value=${one} selected=${String(value) === one}>${takes === 'boolean' ? say(one === 'true' ? 'yes' : 'no') : one}</option>`,
            )}
          </select>`
        : takes === 'texts' || takes === 'lines'
          ? html`<textarea ...${common} rows=${takes === 'lines' ? 12 : 3} defaultValue=${written}></textarea>`
          : html`<input ...${common} inputmode=${takes === 'number' ? 'decimal' : undefined} defaultValue=${written} autocomplete="off" />`
    }
    ${takes === 'texts' && html`<p class="faint notes">${say('onePerLine')}</p>`}
    ${refusal !== '' && html`<p id=${`${id}-refusal`} class="danger notes" role="alert">${refusal}</p>`}
    <p class="orders">
      <button class="strong" type="submit">${say('save')}</button>
      <button class="plain" type="button" onClick=${onClose}>${say('cancel')}</button>
    </p>
  </form>`
}

/** The heads of a table of options. */
export function OptionHeads() {
  return html`<tr><th scope="col">${say('option')}</th><th scope="col">${say('value')}</th><th scope="col">${say('saidBy')}</th></tr>`
}
