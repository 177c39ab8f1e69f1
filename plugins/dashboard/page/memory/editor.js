/** Edits a fact in its row. */
import { call, Refused } from '../base/api.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'

/** @typedef {import('../../memory/views.ts').FactView} FactView */

const KINDS = /** @type {const} */ (['durable', 'preference', 'current', 'event'])

/** @type {Readonly<Record<number, import('../base/words.js').Word>>} */
const REFUSALS = { 400: 'factRefused', 404: 'factGone', 409: 'factKnown', 422: 'factRefused' }

/** @param {{ fact: FactView, onDone: (changed?: FactView) => void, onFailed: (error: Error) => void }} props */
export function FactEditor({ fact, onDone, onFailed }) {
  const { id, content, kind, confidence, shareable } = fact
  const form = useRef(/** @type {HTMLFormElement | null} */ (null))
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null))
  const [refused, setRefused] = useState(/** @type {import('../base/words.js').Word | undefined} */ (undefined))
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(content.length, content.length)
  }, [])

  async function save() {
    const given = new FormData(form.current ?? undefined)
    const sure = Number(given.get('confidence')) / 100
    const wanted = {
      content: String(given.get('content')).trim(),
      kind: String(given.get('kind')),
      // A value that was rounded for display is not written back.
      confidence: Math.round(confidence * 100) === Math.round(sure * 100) ? confidence : sure,
      shareable: given.has('shareable'),
    }
    const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== Reflect.get(fact, name)))
    if (Object.keys(body).length === 0) return onDone()
    try {
      const answer = await call(`facts/${id}`, { method: 'PATCH', body })
      onDone(answer.fact)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const word = error instanceof Refused ? REFUSALS[error.status] : undefined
      if (!word) return onFailed(error)
      setRefused(word)
      field.current?.focus()
    }
  }

  return html`<form ref=${form} class="fact-editor" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    void save()
  }} onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
    if (keyOf(event) === 'Escape') onDone()
  }}>
    <label for=${`fact-${id}`}>${say('factContent')}</label>
    <textarea id=${`fact-${id}`} ref=${field} name="content" rows="2" maxlength="2000" defaultValue=${content}
      aria-invalid=${refused ? 'true' : undefined} aria-describedby=${refused ? `refused-${id}` : undefined}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
        if (keyOf(event) !== 'Enter' || event.shiftKey) return
        event.preventDefault()
        form.current?.requestSubmit()
      }}></textarea>
    ${refused && html`<p class="danger" id=${`refused-${id}`} role="alert">${say(refused)}</p>`}
    <div class="fact-fields">
      <label>${say('factKind')}
        <select name="kind">${KINDS.map(one => html`<option key=${one} value=${one} selected=${one === kind}>${say(one)}</option>`)}</select>
      </label>
      <label>${say('factSure')}
        <input name="confidence" type="number" min="0" max="100" step="1" required defaultValue=${Math.round(confidence * 100)} />
      </label>
      <label class="check"><input name="shareable" type="checkbox" defaultChecked=${shareable} /> ${say('mayBringUp')}</label>
    </div>
    <p class="fact-actions">
      <button class="strong" type="submit">${say('save')}</button>
      <button class="plain" type="button" onClick=${() => onDone()}>${say('cancel')}</button>
    </p>
  </form>`
}
