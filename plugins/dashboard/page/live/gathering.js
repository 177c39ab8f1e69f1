/** Collects events before rendering: many events are rendered together, and none in a hidden page. */

/** Milliseconds between two renderings. */
const EVERY = 250

/** @typedef {import('../../history/views.ts').FeedEvent} FeedEvent */

/**
 * @param {(events: readonly FeedEvent[]) => void} pass gets the first event at once, and later ones together
 * @param {number} most maximum number of waiting events; the oldest are dropped
 */
export function createGathering(pass, most) {
  /** @type {FeedEvent[]} */
  let waiting = []
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  function flush() {
    timer = undefined
    // A hidden page is rendered when it is visible again.
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
