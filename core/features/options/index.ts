/** The service for options of plugins that people set in the chat, and the command that does it. */
import { definePlugin, type Plugin, StoredSettings } from '../../api/index.ts'
import { commandName } from '../../prompt/persona.ts'
import { type SettingsCommandOptions, settingsCommand } from './command.ts'
import type { SettingTable } from './table.ts'

export interface OptionsFeatureOptions extends Omit<SettingsCommandOptions, 'name'> {
  readonly table: SettingTable
}

export function optionsFeature({ table, ...options }: OptionsFeatureOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-options',
    provides: [StoredSettings],
    setup(ctx) {
      ctx.provide(StoredSettings, options.settings)
      const name = () => commandName(ctx.bot)
      return { forget: table.forget, commands: [settingsCommand({ ...options, name })] }
    },
  })()
}
