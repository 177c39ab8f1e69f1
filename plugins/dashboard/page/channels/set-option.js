/** Sets and resets an option of a channel, unless another person has changed it since it was read. */
import { call, Refused } from '../base/api.js'

/** @typedef {import('../../channels/views.ts').OptionView} Option */

/** @param {Option} option */
export const isSetHere = ({ from }) => from.startsWith('set in the channel by ')

/**
 * The options of the channel after the change.
 *
 * @param {string} conversation
 * @param {Option} option as it was read
 * @param {unknown} value undefined: the option is reset
 * @param {(now: readonly Option[]) => void} [onChanged] gets the current options when another person has changed this one; the change
 * is then refused
 * @returns {Promise<readonly Option[]>}
 */
export async function setOption(conversation, option, value, onChanged = () => {}) {
  const at = { conversation, plugin: option.plugin, option: option.option }
  const seen = isSetHere(option) ? option.setAt : undefined
  try {
    const answer = await (value === undefined
      ? call('channel/settings', { method: 'DELETE', query: { ...at, seen } })
      : call('channel/settings', { method: 'PUT', body: { ...at, value, seen: seen ?? null } }))
    return answer.settings
  } catch (error) {
    if (error instanceof Refused && error.status === 409)
      await call('channel/settings', { query: { conversation } }).then(
        ({ settings }) => onChanged(settings),
        () => {},
      )
    throw error
  }
}
