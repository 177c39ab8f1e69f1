/** Settings made in the chat: options of plugins in a channel. The schema checks them before they are stored. */

import type { OptionsFor, StoredSettings } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { SettingTable } from './table.ts'

export interface SettingsOptions {
  readonly table: SettingTable
  readonly clock: Clock
  /** The options of a plugin of this bot. */
  optionsOf(plugin: string): OptionsFor | undefined
}

export function createSettings({ table, clock, optionsOf }: SettingsOptions): StoredSettings {
  return {
    async set({ place, plugin, key, value, by, seen }) {
      const options = optionsOf(plugin)
      const problem = options ? options.refuses(key, value) : 'this bot has no such plugin'
      if (problem !== undefined) {
        throw new KikimimiError('OPTIONS_INVALID', `[${plugin}] cannot set ${key} to ${JSON.stringify(value)}: ${problem}.`)
      }
      await table.write({ place, plugin, key, value, by: { id: by.id, name: by.name }, at: new Date(clock.now()) }, seen)
    },

    clear: ({ place, plugin, key, seen }) => table.write({ place, plugin, key, at: new Date(clock.now()) }, seen),

    list: place => table.all().filter(one => (place === undefined || one.place === place) && optionsOf(one.plugin)),
  }
}
