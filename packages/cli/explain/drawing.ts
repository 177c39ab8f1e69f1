/** The pipeline of a bot as a drawing: the plugins of each stage in their order, what they were given, and the models. */
import type { Conversation, ModelConfig } from 'kikimimi'
import { namesOf, orderRules, type Plan, STAGES, type Stage, type Standing, show, UNSHOWN } from 'kikimimi/host'

/** The stages in the order in which a message meets them. A turn begins after the wait. */
const WAY = (Object.keys(STAGES) as Stage[]).flatMap<Stage | 'wait'>(stage => (stage === 'score' ? ['wait', stage] : [stage]))

const WIDTH = 13

/** @param secrets values that are never shown */
export function drawingOf(plan: Plan, plugins: readonly Standing[], secrets: readonly string[]): readonly string[] {
  const platforms = plugins.filter(({ definition }) => definition.platform).map(({ name }) => name)
  return [
    row('message', platforms.length > 0 ? `from ${platforms.join(', ')}` : 'from no platform'),
    ...WAY.flatMap(stage => stageLines(stage, plugins)),
    '',
    'Plugins, in this order:',
    ...plugins.flatMap(plugin => pluginLines(plugin, { plan, plugins, secrets })),
    '',
    'Models:',
    ...modelLines(plan.models).map(([role, model]) => row(`  ${role}`, model)),
  ]
}

function stageLines(stage: Stage | 'wait', plugins: readonly Standing[]): readonly string[] {
  if (stage === 'wait') return [...ARROW, row('record, wait', '')]
  const names = plugins.filter(({ hooks }) => hooks[stage]).map(({ name }) => name)
  const isFirst = STAGES[stage].combine === 'first'
  const told = names.join(isFirst ? ' → ' : ' + ') || WITHOUT[stage] || ''
  return told === '' ? [] : [...ARROW, row(stage, told)]
}

const ARROW = ['   │']

/** What happens in a stage that no plugin fills. Stages that are not here are left out then. */
const WITHOUT: Partial<Record<Stage, string>> = {
  address: '(no plugin: mentions, replies and direct messages)',
  decide: '(no plugin: an answer to who addresses the bot)',
  respond: '(no plugin: the apology)',
}

interface Around {
  readonly plan: Plan
  readonly plugins: readonly Standing[]
  readonly secrets: readonly string[]
}

function pluginLines({ name, optionsFor }: Standing, { plan, plugins, secrets }: Around): readonly string[] {
  const place = plugins.findIndex(one => one.name === name)
  const listed = plugins.toSorted(byPath).findIndex(one => one.name === name)
  const rules = orderRules(plugins).filter(({ by }) => by === name)
  const others = (of: 'before' | 'after') =>
    rules.flatMap(({ first, second, declared }) => (declared.startsWith(of) ? [of === 'before' ? second : first] : []))
  const order = (['before', 'after'] as const).flatMap(of => (others(of).length > 0 ? [`${of} ${others(of).join(', ')}`] : []))
  const moved = place === listed || rules.length === 0 ? [] : [`entry ${listed + 1} of bot.config.ts`]
  const given = optionsFor.explain(ANYWHERE, [], secrets).filter(({ from }) => from !== 'default')
  return [
    row(`  ${place + 1} ${name}`, [...moved, ...order].join('; ')),
    ...given.map(({ option, value, redacted, from }) => {
      const source = from === 'bot.config.ts' ? '' : `  (${from})`
      return row('', `${option}: ${redacted ? UNSHOWN : show(value, option)}${source}`)
    }),
    ...(plan.models.plugins?.[name]
      ? modelLines(plan.models.plugins[name]).map(([role, model]) => row('', `model ${role}: ${model}`))
      : []),
  ]
}

function byPath({ path: one }: Standing, { path: other }: Standing): number {
  const at = one.findIndex((key, index) => key !== other[index])
  return Number(one[at]) - Number(other[at])
}

/** A missing role uses the chat model. */
function modelLines(models: ModelConfig): readonly (readonly [string, string])[] {
  const { chat, judge, summary, reflection, embeddings, rerank, transcribe, speak } = models
  return Object.entries({ chat, judge, summary, reflection, embeddings, rerank, transcribe, speak }).flatMap(([role, model]) =>
    model ? [[role, namesOf({ [role]: model }).join(', ')] as const] : [],
  )
}

function row(title: string, text: string): string {
  return `${title.padEnd(title.startsWith('  ') ? WIDTH + 7 : WIDTH)}${title.length > 0 ? ' ' : ' '.repeat(8)}${text}`.trimEnd()
}

const ANYWHERE: Conversation = { id: '', platform: '', workspace: '', channel: '', name: '', visibility: 'public' }
