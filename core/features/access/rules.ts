/** The rules of `access` as options of a built-in plugin: for each place, and set in the chat by `/kiki settings`. */
import { type AccessConfig, accessRules, type CheckedRules } from '../../api/access.ts'
import { type Conversation, definePlugin, type OptionsFor } from '../../api/index.ts'
import type { Settings } from '../../api/config.ts'
import type { ReadyPlugin } from '../../kernel/host/plugin-context.ts'
import { optionsFor } from '../options/overrides.ts'
import type { SettingTable } from '../options/table.ts'

export const ACCESS = 'kikimimi-access'

/** The options of the plugin. The rules themselves are in bot.config.ts under `access`. */
export const definition = {
  name: ACCESS,
  options: accessRules.prefault({}),
  scoped: ['call', 'orders', 'tools', 'callsPerHour', 'tokensPerHour'],
} as const

/** @param given the rules as bot.config.ts has them, which have been checked */
export function rulesOf(given: AccessConfig | undefined, checked: Settings['access']): OptionsFor {
  const { workspaces = {}, channels = {}, threads = {}, ...rules } = given ?? {}
  const { workspaces: _, channels: __, threads: ___, ...options } = checked
  const { definition: plugin } = definePlugin({ ...definition, setup: () => ({}) })()
  return optionsFor({ definition: plugin, given: rules, options, overrides: { workspaces, channels, threads } as never })
}

/** The rules in a conversation. In a direct conversation everybody is an admin, so what is set there does not count. */
export function rulesIn(
  rules: OptionsFor,
  conversation: Conversation,
  table: Pick<SettingTable, 'within'>,
  ignored: (problem: string) => void,
): CheckedRules {
  const set = conversation.visibility === 'direct' ? [] : table.within(conversation, ACCESS)
  return rules(conversation, set, ignored) as CheckedRules
}

/** The built-in plugin with the rules of the current bot.config.ts: a reload replaces them. */
export function withRules(plugin: ReadyPlugin, rules: () => OptionsFor): ReadyPlugin {
  if (plugin.name !== ACCESS) return plugin
  const current: OptionsFor = Object.assign((...asked: Parameters<OptionsFor>) => rules()(...asked), {
    explain: (...asked: Parameters<OptionsFor['explain']>) => rules().explain(...asked),
    refuses: (...asked: Parameters<OptionsFor['refuses']>) => rules().refuses(...asked),
  })
  return { ...plugin, optionsFor: current }
}
