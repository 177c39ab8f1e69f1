/** Filters in the address: `#/turns?outcome=silent` is the list, `#/turns/ID?outcome=silent` a turn that was opened from it. */
import { isWord, say } from '../base/words.js'

/** @typedef {Readonly<Record<string, string>>} Filters */

/** The periods of the lists, in hours. */
export const PERIODS = /** @type {const} */ ({ '24h': 24, '7d': 168, '30d': 720 })

/** The filters of the address. @returns {Filters} */
export function filtersHere() {
  return Object.fromEntries(new URLSearchParams(location.hash.split('?')[1] ?? ''))
}

/** The address of a list or of a turn. @param {Filters} filters @param {string} [turn] */
export function addressOf(filters, turn) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
  return `#/turns${turn === undefined ? '' : `/${encodeURIComponent(turn)}`}${query && `?${query}`}`
}

/** Opens a page. @param {string} address */
export function goTo(address) {
  location.hash = address
}

/** The filters for the API: a period begins so long ago. @param {Filters} filters @returns {Record<string, string>} */
export function queryOf({ period, ...filters }) {
  const hours = Object.entries(PERIODS).find(([name]) => name === period)?.[1]
  return hours === undefined ? filters : { ...filters, since: startOf(hours).toISOString() }
}

/** The beginning of a period. It begins with an hour, because turns are counted by hours. @param {number} hours */
export function startOf(hours, now = Date.now()) {
  const hour = 60 * 60_000
  return new Date((Math.floor(now / hour) + 1 - hours) * hour)
}

/** The name of an outcome. @param {string} outcome */
export function outcomeName(outcome) {
  const word = `outcome${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`
  return isWord(word) ? say(word) : outcome
}
