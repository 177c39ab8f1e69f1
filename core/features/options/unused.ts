/** Options that have no effect in this bot, with the reason that their plugin gives: one text for `kikimimi check` and the dashboard. */
import type { ModelConfig, PersonaConfig } from '../../api/config.ts'
import type { Configured } from '../../api/index.ts'
import type { LoadedPlugin } from '../../kernel/host/plugin-context.ts'
import { modelsThatFill } from '../../models/choose.ts'
import { modelName } from '../../models/models.ts'

export interface ConfiguredBot {
  readonly plugins: readonly Pick<LoadedPlugin, 'name' | 'options'>[]
  readonly models: ModelConfig | undefined
  readonly persona: PersonaConfig
}

/**
 * Returns the function that says why an option has no effect, by its name: `points.question`. A reason for `points` holds for every
 * option inside. Without such a reason, the function returns for `points` the reasons of the options inside.
 *
 * @param options of the plugin, in one place or everywhere
 */
export function unusedOptions(
  { name, definition }: Pick<LoadedPlugin, 'name' | 'definition'>,
  bot: ConfiguredBot,
  options: unknown,
): (option: string) => string | undefined {
  const reasons = definition.unused?.(options, configuredFor(name, bot)) ?? {}
  return option => {
    const keys = option.split('.')
    const whole = keys.map((_, at) => reasons[keys.slice(0, at + 1).join('.')]).find(why => why !== undefined)
    const inside = Object.entries(reasons).flatMap(([path, why]) => (path.startsWith(`${option}.`) ? [`${path}: ${why}`] : []))
    return whole ?? (inside.length > 0 ? inside.join('; ') : undefined)
  }
}

/** What a plugin learns of the rest of bot.config.ts. */
export function configuredFor(name: string, { plugins, models = {}, persona }: ConfiguredBot): Configured {
  const places = [persona.workspaces, persona.channels].flatMap((one = {}) => Object.values(one))
  const names = new Set(places.flatMap(({ name }) => name ?? []))
  names.delete(persona.name)
  return {
    otherNames: [...names],
    optionsOf: other => asRecord(plugins.find(plugin => plugin.name === other)),
    modelsFor(role) {
      if (role === 'transcribe' || role === 'speak') return models[role] ? [models[role].name] : []
      return modelsThatFill(models, role, name).map(model => (model ? modelName(model) : 'offline'))
    },
  }
}

function asRecord(plugin: { readonly options: unknown } | undefined): Readonly<Record<string, unknown>> | undefined {
  return plugin && (typeof plugin.options === 'object' && plugin.options !== null ? { ...plugin.options } : {})
}
