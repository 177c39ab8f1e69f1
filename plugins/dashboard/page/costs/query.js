/** The address of the page: `#/costs?days=7&by=place&only_plugin=reply`. A view that was chosen has an address of its own. */

/** @typedef {import('../../costs/views.ts').Dimension} Dimension */

/** @type {readonly Dimension[]} */
export const DIMENSIONS = ['place', 'plugin', 'role', 'model']

/** Days. */
export const SPANS = /** @type {const} */ ([1, 7, 30, 90])

/** What the address asks for. */
export function queryHere() {
  const given = new URLSearchParams(location.hash.split('?')[1] ?? '')
  const days = SPANS.find(one => String(one) === given.get('days')) ?? 7
  const by = DIMENSIONS.find(one => one === given.get('by')) ?? 'place'
  /** @type {Partial<Record<string, string>>} */
  const only = {}
  for (const one of DIMENSIONS) {
    const value = given.get(`only_${one}`)
    if (value !== null) only[one] = value
  }
  return { days, by, only, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** @param {Omit<ReturnType<typeof queryHere>, 'zone'>} query */
export function hashOf({ days, by, only }) {
  const search = new URLSearchParams({ days: String(days), by })
  for (const [one, value] of Object.entries(only)) if (value !== undefined) search.set(`only_${one}`, value)
  return `#/costs?${search}`
}
