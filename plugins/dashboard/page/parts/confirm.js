/** Asks for confirmation of an irreversible action with a second button, so that a double click does not confirm. */
import { html, useLayoutEffect, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'

/**
 * `ask` is the first button, `sure` the one that confirms. `label` describes the object of the action for screen readers.
 *
 * @param {{ ask: string, sure: string, label?: string, danger?: boolean, onSure: () => void }} props
 */
export function Confirm({ ask, sure, label, danger, onSure }) {
  const [asked, setAsked] = useState(false)
  const first = useRef(/** @type {HTMLButtonElement | null} */ (null))
  const drawn = useRef(false)
  useLayoutEffect(() => {
    if (drawn.current) first.current?.focus()
    drawn.current = true
  }, [asked])

  if (!asked) {
    return html`<button ref=${first} class=${danger ? 'plain danger' : 'plain'} type="button" aria-label=${label} onClick=${() => setAsked(true)}>${ask}</button>`
  }
  // The harmless button comes first: it is under the pointer and has the focus.
  return html`<span class="sure" role="group" aria-label=${sure} onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
    if (keyOf(event) === 'Escape') setAsked(false)
  }}>
    <button ref=${first} class="plain" type="button" onClick=${() => setAsked(false)}>${say('cancel')}</button>
    <button class="plain danger" type="button" onClick=${(/** @type {MouseEvent} */ { detail }) => {
      // If the first button was long, the pointer may already be here.
      if (detail > 1) return
      setAsked(false)
      onSure()
    }}>${sure}</button>
  </span>`
}
