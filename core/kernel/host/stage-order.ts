/** The order in which stages ask plugins: that of bot.config.ts, changed where plugins declare `before` and `after`. */
import type { ConfigMistake } from '../../api/checks/config-error.ts'
import type { Checked, Ordered } from './load-plugins.ts'

/** A plugin that has to stand before another one, and the plugin that declares it. */
export interface OrderRule {
  readonly first: string
  readonly second: string
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

/** Sorts plugins by their rules. Plugins without a rule between them keep their order. */
export function stageOrder<P extends Ordered>(plugins: readonly P[]): Checked<P> {
  const rules = orderRules(plugins)
  const order: P[] = []
  const mistakes: ConfigMistake[] = []
  const left = [...plugins]
  while (left.length > 0) {
    const waits = ({ name }: P) => rules.some(({ first, second }) => second === name && left.some(one => one.name === first))
    const next = left.find(plugin => !waits(plugin)) ?? broken(left, rules, mistakes)
    left.splice(left.indexOf(next), 1)
    order.push(next)
  }
  return { plugins: order, mistakes }
}

/** Every plugin that is left waits for another one: tells a circle, and returns a plugin of it to continue with. */
function broken<P extends Ordered>(left: readonly P[], rules: readonly OrderRule[], mistakes: ConfigMistake[]): P {
  const circle: { readonly plugin: P; readonly rule: OrderRule }[] = []
  let [plugin] = left as [P]
  while (!circle.some(one => one.plugin === plugin)) {
    const rule = rules.find(({ first, second }) => second === plugin.name && left.some(one => one.name === first)) as OrderRule
    circle.unshift({ plugin, rule })
    plugin = left.find(({ name }) => name === rule.first) as P
  }
  const last = circle.findIndex(one => one.plugin === plugin)
  const told = circle.slice(0, last + 1).map(({ rule }) => `[${rule.by}] declares ${rule.declared}`)
  mistakes.push({
    code: 'ORDER_CYCLE',
    path: plugin.path,
    message: `Plugins cannot be put in order: ${told.join(', and ')}. Remove one of these.`,
  })
  return plugin
}
