/** The keyboard of the list of turns and of a turn. */
import { html, useEffect, useLayoutEffect, useRef } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'

const FIELDS = new Set(['INPUT', 'SELECT', 'TEXTAREA'])

/**
 * Calls a function for a key, unless a field has the focus: there, Escape leaves the field and other keys are text.
 *
 * @param {Readonly<Record<string, () => unknown>>} keys
 */
export function useKeys(keys) {
  const current = useRef(keys)
  current.current = keys
  // Before the first paint, so that no key is missed.
  useLayoutEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const key = keyOf(event)
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (target instanceof HTMLElement && FIELDS.has(target.tagName)) {
        if (key === 'Escape') target.blur()
        return
      }
      const run = current.current[key]
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

/** @param {{ onClose: () => void }} props */
export function Help({ onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null))
  useEffect(() => dialog.current?.showModal(), [])
  const rows = /** @type {const} */ ([
    ['/', 'keySearch'],
    ['j', 'keyNext'],
    ['k', 'keyBefore'],
    ['Enter', 'keyOpen'],
    ['Esc', 'keyBack'],
    ['?', 'keyHelp'],
  ])
  return html`<dialog ref=${dialog} class="key-help" aria-label=${say('keyboard')} onClose=${onClose}>
    <h2>${say('keyboard')}</h2>
    <dl>${rows.map(([key, word]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${say(word)}</dd></div>`)}</dl>
    <form method="dialog"><button class="strong">${say('close')}</button></form>
  </dialog>`
}
