/** An error in the place of the data, with a button to retry. */
import { html } from '../base/html.js'
import { say } from '../base/words.js'

/** @param {{ why: string, onRetry: () => void }} props `why`: message of the error */
export function Failed({ why, onRetry }) {
  return html`<div class="not-read" role="alert">
    <p class="danger">${say('failed', { why })}</p>
    <button class="strong" type="button" onClick=${() => {
      // The button is removed, so the focus moves.
      document.getElementById('main')?.focus({ preventScroll: true })
      onRetry()
    }}>${say('retry')}</button>
  </div>`
}
