/** Between what happens and what is drawn: much at once is drawn together, and what nobody looks at is not drawn. */

/** Milliseconds between two drawings. */
const EVERY = 250

/** @typedef {import('../../history/views.ts').FeedEvent} FeedEvent */

/**
 * @param {(events: readonly FeedEvent[]) => void} pass gets the first at once, and then what has come meanwhile
 * @param {number} most as many wait; the earliest are let go
 */
export function createGathering(pass, most) {
  /** @type {FeedEvent[]} */
  let waiting = []
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  function flush() {
    timer = undefined
    // A page in the background is drawn when somebody comes back to it.
    if (document.hidden || waiting.length === 0) return
    const now = waiting
    waiting = []
    timer = setTimeout(flush, EVERY)
    pass(now)
  }

  const shown = () => {
    if (timer === undefined) flush()
  }
  document.addEventListener('visibilitychange', shown)
  return {
    /** @param {FeedEvent} event */
    add(event) {
      waiting.push(event)
      if (waiting.length > most) waiting = waiting.slice(-most)
      shown()
    },
    end() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', shown)
    },
  }
}
