/** Names of groups. */
import { shownName } from '../base/format.js'
import { isWord, say } from '../base/words.js'

/** @param {string} by @param {string | null} key null: all others @param {string} name */
export function nameOf(by, key, name) {
  if (key === null) return say('others')
  if (by === 'place' && key === '') return say('wholeBotWork')
  if (by === 'place' && key === 'direct') return say('directMessages')
  if (by === 'plugin' && key === '') return 'kikimimi'
  const role = `role_${key}`
  if (by === 'role' && isWord(role)) return say(role)
  return by === 'place' && name.startsWith('#') ? `#${shownName(name.slice(1))}` : name
}

/** @param {boolean} isPriced @returns {(one: { inputTokens: number, outputTokens: number, cost: number | null }) => number} */
export function amountOf(isPriced) {
  return one => (isPriced ? (one.cost ?? 0) : one.inputTokens + one.outputTokens)
}
