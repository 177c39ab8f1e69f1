/** Keeps the keyboard focus when the focused element is removed. */
import { useLayoutEffect, useRef } from './html.js'

/** Whether the focused element was removed. */
export function focusIsLost() {
  return document.activeElement === null || document.activeElement === document.body
}

/**
 * When the focused element in a list row is removed, the focus moves to the row, to the row at its position, or to the one
 * before.
 *
 * @param {{ readonly current: Element | null }} list
 */
export function useNeighbour(list) {
  // During rendering, the page still has its old content.
  const at = [...(list.current?.children ?? [])].findIndex(row => row.contains(document.activeElement))
  useLayoutEffect(() => {
    if (at < 0 || !focusIsLost()) return
    const rows = list.current?.children ?? []
    const button = rows[Math.min(at, rows.length - 1)]?.querySelector('button') ?? document.getElementById('main')
    button?.focus()
  })
}

/**
 * When an editor closes, the focus moves to the button that opened it.
 *
 * @param {boolean} isOpen
 * @returns {{ current: HTMLButtonElement | null }} the ref of the button
 */
export function useOpener(isOpen) {
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null))
  const was = useRef(false)
  useLayoutEffect(() => {
    if (was.current && !isOpen) button.current?.focus()
    was.current = isOpen
  }, [isOpen])
  return button
}
