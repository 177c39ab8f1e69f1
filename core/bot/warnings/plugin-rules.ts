/** Warnings about plugins that do not work together. */
import { type PlatformHooks, type Stage, Tools } from '../../api/index.ts'
import { texts } from '../../base/text/core-texts.ts'
import { nearest } from '../../base/text/nearest.ts'
import { unusedOptions } from '../../features/options/unused.ts'
import { isStage, STAGES } from '../../kernel/pipeline/stages.ts'
import { at, type Lineup, type Rule } from './rule.ts'

const fills = ({ plugins }: Lineup, hook: keyof PlatformHooks) => plugins.filter(({ hooks }) => hooks[hook] !== undefined)
const lacks = (lineup: Lineup, hook: keyof PlatformHooks) => fills(lineup, hook).length === 0

/** The rules, by name. */
export const pluginRules: Readonly<Record<string, Rule>> = {
  'no-platform': lineup =>
    lineup.plugins.some(({ definition }) => definition.platform)
      ? []
      : at(['plugins'], 'No plugin is a platform, so the bot hears nothing. Add terminal(), discord() or slack().'),

  'no-responder': lineup =>
    lacks(lineup, 'respond')
      ? at(['plugins'], 'No plugin fills the stage respond, so the bot answers every call with its apology. Add reply().')
      : [],

  // A plugin with other stages does something without a decider too.
  'no-decider': lineup =>
    fills(lineup, 'score').flatMap(({ name, path, hooks }) =>
      lacks(lineup, 'decide') && Object.keys(hooks).filter(isStage).length === 1
        ? at(path, `[${name}] gives points, and no plugin decides by them: the stage decide is empty. Add judgeRules().`)
        : [],
    ),

  'never-reached': ({ plugins }) =>
    (Object.keys(STAGES) as Stage[]).flatMap(stage => {
      const first = plugins.findIndex(({ definition, hooks }) => hooks[stage] && definition.always?.includes(stage))
      const { name: always = '' } = plugins[first] ?? {}
      // A plugin that declares its place behind the other one is meant for its failures.
      const behind = first < 0 ? [] : plugins.slice(first + 1).filter(one => !one.definition.after?.includes(always))
      return behind.flatMap(({ name, hooks, path }) => {
        const why = `[${name}] is not asked in the stage ${stage}, because [${always}] before it always returns a value.`
        return hooks[stage] ? at(path, `${why} Move it above, or declare before: ['${always}'].`) : []
      })
    }),

  'unknown-order': ({ plan, plugins }) =>
    plugins.flatMap(({ name, definition, path }) =>
      [...(definition.before ?? []), ...(definition.after ?? [])].flatMap(other => {
        const meant = plan.names.includes(other) ? undefined : nearest(other, plan.names)
        return meant === undefined
          ? []
          : at(path, `[${name}] declares its order to "${other}", which is not a plugin. Did you mean "${meant}"?`)
      }),
    ),

  'no-vectors': ({ plan: { models, settings }, plugins }) => {
    const keeping = plugins.find(({ definition }) => definition.remembers)
    return keeping && !models.embeddings ? at(keeping.path, texts(settings.locale)('warning.noVectors')) : []
  },

  'no-names': lineup => (lacks(lineup, 'address') ? at(['plugins'], texts(lineup.plan.settings.locale)('warning.noNames')) : []),

  'unused-vectors': ({ plan: { models }, plugins }) => {
    const names = (['embeddings', 'rerank'] as const).filter(name => models[name])
    if (plugins.some(({ definition }) => definition.remembers)) return []
    return names.flatMap(name =>
      at(['models', name], `models.${name} is not used: no plugin has a memory. Add facts(), or remove it.`),
    )
  },

  'unused-tools': ({ plugins }) => {
    if (plugins.some(({ definition }) => definition.needs?.some(({ name }) => name === Tools.name))) return []
    return plugins.flatMap(({ name, hooks: { tools = [] }, path }) =>
      tools.length === 0 ? [] : at(path, `[${name}] offers tools, and no plugin gives tools to a model. Add reply().`),
    )
  },

  // What bot.config.ts does not give is a default, and no mistake.
  'unused-option': ({ plan: { config, order }, plugins }) =>
    plugins.flatMap(plugin => {
      const { name, given, path } = plugin
      const own = order.find(one => one.name === name)
      if (!own) return []
      const why = unusedOptions(own, { plugins: order, models: config.models, persona: config.persona }, own.options)
      return pathsIn(given.options).flatMap(option => {
        const reason = why(option)
        return reason === undefined
          ? []
          : at(path, `[${name}] ${option} has no effect: ${reason}. Change that, or remove ${option}.`)
      })
    }),

  'memory-lost': ({ plan: { settings }, plugins }) =>
    settings.database === 'memory'
      ? plugins.flatMap(({ name, definition, path }) =>
          definition.remembers
            ? at(path, `[${name}] forgets everything when the bot stops: database is 'memory'. Use './data'.`)
            : [],
        )
      : [],
}

/** The names of options, those inside of others with dots: `wait.time`. */
function pathsIn(options: unknown): readonly string[] {
  if (typeof options !== 'object' || options === null || Object.getPrototypeOf(options) !== Object.prototype) return []
  return Object.entries(options).flatMap(([name, value]) => {
    const inside = pathsIn(value).map(path => `${name}.${path}`)
    return inside.length > 0 ? inside : [name]
  })
}
