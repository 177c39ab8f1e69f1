/** What a rule reads and finds. */
import type { ConfigPath, ConfigWarning, PlatformHooks } from '../../api/index.ts'
import type { Plan } from '../../features/reload/reload.ts'
import type { LoadedPlugin } from '../../kernel/host/plugin-context.ts'

/** A plugin that is set up. */
export interface Standing extends Pick<LoadedPlugin, 'name' | 'definition' | 'given' | 'optionsFor'> {
  readonly hooks: PlatformHooks
  /** Its place in bot.config.ts. */
  readonly path: ConfigPath
}

export interface Lineup {
  readonly plan: Plan
  /** In the order in which stages ask them. */
  readonly plugins: readonly Standing[]
}

export type Found = Omit<ConfigWarning, 'rule'>

export type Rule = (lineup: Lineup) => readonly Found[]

export function at(path: ConfigPath, message: string): readonly Found[] {
  return [{ path, message }]
}
