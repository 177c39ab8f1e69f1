/** What cannot be taken back is asked for twice, by two buttons: a double click does not confirm. */
import { html, useLayoutEffect, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'

/**
 * `ask` is on the button at first, `sure` on the one that does it. `label` says what `ask` alone does not: what it is about.
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
  // The button that does no harm comes first: it lies where the pointer is, and has the focus.
  return html`<span class="sure" role="group" aria-label=${sure} onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
    if (keyOf(event) === 'Escape') setAsked(false)
  }}>
    <button ref=${first} class="plain" type="button" onClick=${() => setAsked(false)}>${say('cancel')}</button>
    <button class="plain danger" type="button" onClick=${(/** @type {MouseEvent} */ { detail }) => {
      // Where the first was a long one, the pointer may be here already.
      if (detail > 1) return
      setAsked(false)
      onSure()
    }}>${sure}</button>
  </span>`
}
