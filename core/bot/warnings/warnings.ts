/**
 * Finds configurations that are valid and cannot work as they say. A new warning is a rule in one of the tables, and a line in
 * docs/configuration.md.
 */
import type { ConfigWarning, PlatformHooks } from '../../api/index.ts'
import type { Plan } from '../../features/reload/reload.ts'
import { pluginRules } from './plugin-rules.ts'
import type { Standing } from './rule.ts'
import { settingRules } from './setting-rules.ts'

export const WARNINGS = { ...pluginRules, ...settingRules }

/** All warnings about a bot whose plugins are set up. */
export function warningsOf(
  plan: Plan,
  running: readonly { readonly plugin: Omit<Standing, 'hooks' | 'path'>; readonly hooks: PlatformHooks }[],
): readonly ConfigWarning[] {
  const plugins = standingOf(plan, running)
  return Object.entries(WARNINGS).flatMap(([rule, find]) => find({ plan, plugins }).map(found => ({ rule, ...found })))
}

/** The plugins in the order in which stages ask them. */
export function standingOf(plan: Plan, running: Parameters<typeof warningsOf>[1]): readonly Standing[] {
  return plan.names.flatMap(name => {
    const one = running.find(({ plugin }) => plugin.name === name)
    return one ? [{ ...one.plugin, hooks: one.hooks, path: plan.paths.get(name) ?? ['plugins'] }] : []
  })
}
