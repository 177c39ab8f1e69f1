/** The rules of `access` as options of a built-in plugin: for each place, and set in the chat by `/kiki settings`. */
import { accessRules, type CheckedRules } from '../../api/checks/access-rules.ts'
import type { AccessConfig, Settings } from '../../api/config.ts'
import { type Conversation, definePlugin, type OptionsFor } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { nearest } from '../../base/text/nearest.ts'
import type { ReadyPlugin } from '../../kernel/host/plugin-context.ts'
import { optionsFor, withSettings } from '../options/overrides.ts'
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
  return optionsFor({
    definition: plugin,
    given: rules,
    options,
    overrides: { workspaces, channels, threads } as never,
    inFile: [],
  })
}

/** Returns the rules in a conversation. In a direct conversation everybody is an admin, so what is set there does not count. */
export function rulesIn(
  rules: OptionsFor,
  table: Pick<SettingTable, 'within'>,
  log: Logger,
): (conversation: Conversation) => CheckedRules {
  const within = withSettings({ name: ACCESS, optionsFor: rules }, table, log)
  return conversation => (conversation.visibility === 'direct' ? rules(conversation) : within(conversation)) as CheckedRules
}

/**
 * Throws CONFIG_INVALID for a tool that the bot does not have: a mistyped name would leave the tool to everybody.
 * @param tools the names of all tools
 */
export function checkTools({ workspaces, channels, threads, ...rules }: Settings['access'], tools: readonly string[]): void {
  for (const { tools: given } of [rules, ...[workspaces, channels, threads].flatMap(places => Object.values(places ?? {}))]) {
    const problem = unknownTool(given, tools)
    if (problem !== undefined) throw new KikimimiError('CONFIG_INVALID', `bot.config.ts is invalid: access.tools ${problem}.`)
  }
}

function unknownTool(rules: unknown, tools: readonly string[]): string | undefined {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) return undefined
  const name = Object.keys(rules).find(one => one !== '*' && !tools.includes(one))
  if (name === undefined) return undefined
  const meant = nearest(name, tools)
  const hint = meant === undefined ? `It has: ${tools.join(', ') || 'none'}` : `Did you mean "${meant}"?`
  return `names the tool "${name}", but the bot has no tool of this name. ${hint}`
}

/** The built-in plugin with the rules of the current bot.config.ts: a reload replaces them. */
export function withRules(plugin: ReadyPlugin, rules: () => OptionsFor, tools: () => readonly string[]): ReadyPlugin {
  if (plugin.name !== ACCESS) return plugin
  const current: OptionsFor = Object.assign((...asked: Parameters<OptionsFor>) => rules()(...asked), {
    explain: (...asked: Parameters<OptionsFor['explain']>) => rules().explain(...asked),
    refuses: (key: string, value: unknown) =>
      rules().refuses(key, value) ?? (key === 'tools' ? unknownTool(value, tools()) : undefined),
  })
  return { ...plugin, optionsFor: current }
}
