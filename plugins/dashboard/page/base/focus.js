/** Where the focus goes when what had it goes. */
import { useLayoutEffect } from './html.js'

/** Whether what had the focus is not there any more. */
export function focusIsLost() {
  return document.activeElement === null || document.activeElement === document.body
}

/**
 * When what had the focus in a row of a list goes, the row has it, or the one that is now in its place, or before.
 *
 * @param {{ readonly current: Element | null }} list
 */
export function useNeighbour(list) {
  // While this draws, the page is still as it was.
  const at = [...(list.current?.children ?? [])].findIndex(row => row.contains(document.activeElement))
  useLayoutEffect(() => {
    if (at < 0 || !focusIsLost()) return
    const rows = list.current?.children ?? []
    const button = rows[Math.min(at, rows.length - 1)]?.querySelector('button') ?? document.getElementById('main')
    button?.focus()
  })
}
