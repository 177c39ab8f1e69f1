/** The service for options of plugins that people set in the chat. */
import { definePlugin, type Plugin, StoredSettings } from '../../api/index.ts'
import type { SettingTable } from './table.ts'

export function optionsFeature(settings: StoredSettings, table: SettingTable): Plugin {
  return definePlugin({
    name: 'kikimimi-options',
    provides: [StoredSettings],
    setup(ctx) {
      ctx.provide(StoredSettings, settings)
      return { forget: table.forget }
    },
  })()
}
