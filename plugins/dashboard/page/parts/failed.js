/** What could not be read, said in its place, with a way to try again. */
import { html } from '../base/html.js'
import { say } from '../base/words.js'

/** @param {{ why: string, onRetry: () => void }} props `why`: what the error says */
export function Failed({ why, onRetry }) {
  return html`<div class="not-read" role="alert">
    <p class="danger">${say('failed', { why })}</p>
    <button class="strong" type="button" onClick=${() => {
      // The button goes: who is at it by keyboard would be nowhere.
      document.getElementById('main')?.focus({ preventScroll: true })
      onRetry()
    }}>${say('retry')}</button>
  </div>`
}
