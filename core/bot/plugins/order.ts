/**
 * The two orders of plugins. Stages ask them in that of bot.config.ts, changed where plugins declare `before` and `after`. Set-up begins
 * with the providers of services.
 */
import type { ConfigMistake } from '../../api/checks/config-error.ts'
import type { Service } from '../../api/index.ts'
import { nearest } from '../../base/text/nearest.ts'
import type { Checked, Ordered } from './list.ts'

/** A plugin that has to stand before another one. */
interface Rule {
  readonly first: string
  readonly second: string
}

/** A rule of stages, and the plugin that declares it. */
export interface OrderRule extends Rule {
  readonly by: string
  /** `before: ['reply']` */
  readonly declared: string
}

/** The rules of plugins about other plugins of the bot. */
export function orderRules(plugins: readonly Ordered[]): readonly OrderRule[] {
  const has = (name: string) => plugins.some(one => one.name === name)
  return plugins.flatMap(({ name: by, definition: { before = [], after = [] } }) => [
    ...before.filter(has).map(second => ({ first: by, second, by, declared: `before: ['${second}']` })),
    ...after.filter(has).map(first => ({ first, second: by, by, declared: `after: ['${first}']` })),
  ])
}

/** The order in which stages ask plugins. */
export function stageOrder<P extends Ordered>(plugins: readonly P[]): Checked<P> {
  const mistakes: ConfigMistake[] = []
  const order = sorted(plugins, orderRules(plugins), ({ path }, circle) => {
    const declared = circle.toReversed().map(rule => `[${rule.by}] declares ${rule.declared}`)
    const message = `Plugins cannot be put in order: ${declared.join(', and ')}. Remove one of these.`
    mistakes.push({ code: 'ORDER_CYCLE', path, message })
  })
  return { plugins: order, mistakes }
}

/**
 * The order of set-up: providers come before the plugins that need them.
 * @param provided services that exist already
 */
export function setupOrder<P extends Ordered>(plugins: readonly P[], provided: readonly Service<unknown>[]): Checked<P> {
  const mistakes: ConfigMistake[] = []
  const wrong = (code: ConfigMistake['code'], { path }: Ordered, message: string) => mistakes.push({ code, path, message })
  const providers = new Map(provided.map(({ name }) => [name, 'kikimimi']))
  for (const plugin of plugins) {
    for (const { name } of plugin.definition.provides ?? []) {
      const other = providers.get(name)
      const both = `[${other}] and [${plugin.name}] both provide the service "${name}". Keep one of them in bot.config.ts.`
      if (other === undefined) providers.set(name, plugin.name)
      else wrong('SERVICE_DUPLICATE', plugin, both)
    }
  }
  const rules = plugins.flatMap(plugin =>
    (plugin.definition.needs ?? []).flatMap((needed): Rule[] => {
      const first = providers.get(needed.name)
      if (first === undefined) wrong('SERVICE_MISSING', plugin, missing(plugin, needed, [...providers.keys()]))
      return first === undefined ? [] : [{ first, second: plugin.name }]
    }),
  )
  const order = sorted(plugins, rules, (plugin, circle) => {
    const names = [...circle.map(({ second }) => second), plugin.name].map(name => `[${name}]`).join(' needs ')
    wrong('SERVICE_CYCLE', plugin, `Plugins need each other in a circle: ${names}. Remove one of these needs.`)
  })
  return { plugins: order, mistakes }
}

/**
 * Sorts plugins by rules. Plugins without a rule between them keep their order.
 * @param onCircle gets a plugin of each circle, and the rules from it to what it waits for, and so on
 */
function sorted<P extends Ordered, R extends Rule>(
  plugins: readonly P[],
  rules: readonly R[],
  onCircle: (plugin: P, circle: readonly R[]) => void,
): readonly P[] {
  const order: P[] = []
  const left = new Map(plugins.map(plugin => [plugin.name, plugin]))
  const ruleOf = (name: string) => rules.find(({ first, second }) => second === name && left.has(first))
  while (left.size > 0) {
    let next = [...left.values()].find(({ name }) => !ruleOf(name))
    if (!next) {
      const walked: R[] = []
      let [name = ''] = left.keys()
      for (let rule = ruleOf(name); rule && walked.every(({ second }) => second !== name); rule = ruleOf(name)) {
        walked.push(rule)
        name = rule.first
      }
      next = left.get(name) as P
      onCircle(next, walked.slice(walked.findIndex(({ second }) => second === name)))
    }
    left.delete(next.name)
    order.push(next)
  }
  return order
}

function missing({ name }: Ordered, { name: needed, from }: Service<unknown>, known: readonly string[]): string {
  const meant = from ? undefined : nearest(needed, known)
  const hint = from ? `Add the plugin ${from} to bot.config.ts.` : 'Add the plugin that provides it to bot.config.ts.'
  const remedy = meant === undefined ? hint : `Did you mean "${meant}"? Valid: ${known.join(', ')}`
  return `[${name}] needs the service "${needed}", and no plugin provides it. ${remedy}`
}
