/** Options of a plugin that differ from place to place: defaults → bot.config.ts → workspace → channel → thread. */
import { KikimimiError } from './errors.ts'
import { invalidOptions } from './option-errors.ts'
import type { Conversation, Overrides, PluginDefinition } from './plugin.ts'

/** Options as somebody wrote them: some, for one place. */
type Layer = Readonly<Record<string, unknown>>

/** Where the value of an option comes from. */
export type Origin = 'default' | 'bot.config.ts' | `workspace ${string}` | `channel ${string}` | `thread ${string}`

export interface OptionsIn {
  (conversation: Conversation): unknown
  /** Each option there, and where its value comes from. */
  explain(conversation: Conversation): ReadonlyMap<string, { readonly value: unknown; readonly from: Origin }>
}

interface Given {
  readonly definition: PluginDefinition
  /** As bot.config.ts has them, and as the schema returned them. */
  readonly given: unknown
  readonly options: unknown
  readonly overrides: Overrides<Layer>
}

type Kind = keyof Overrides<Layer>

const KINDS = { workspaces: 'workspace', channels: 'channel', threads: 'thread' } as const satisfies Record<Kind, string>

/** Throws nothing: what is wrong is returned, one text for all of it. */
export async function mistakesIn({ definition, given, overrides }: Omit<Given, 'options'>): Promise<string | undefined> {
  const { name, options: schema, perPlace = [] } = definition
  const problems: string[] = []
  for (const [kind, layers] of Object.entries(overrides)) {
    if (!isKind(kind)) {
      problems.push(`[${name}] knows options for workspaces, channels and threads, and none for "${kind}".`)
      continue
    }
    for (const [where, layer] of Object.entries<Layer>(layers ?? {})) {
      const head = `[${name}] invalid options for the ${KINDS[kind]} "${where}" in bot.config.ts:`
      if (typeof layer !== 'object' || layer === null) {
        problems.push(`${head}\n  - expected options, got ${JSON.stringify(layer)}`)
        continue
      }
      const elsewhere = Object.keys(layer).filter(key => !perPlace.includes(key))
      const same = elsewhere.map(key => `${key}: ${can(perPlace)}`)
      if (same.length > 0) problems.push([head, ...same.map(one => `  - ${one}`)].join('\n'))
      const checked = await schema?.['~standard'].validate({ ...asLayer(given), ...layer })
      if (checked?.issues) problems.push(invalidOptions(head, checked.issues, { ...asLayer(given), ...layer }))
    }
  }
  return problems.length > 0 ? problems.join('\n') : undefined
}

function can(perPlace: readonly string[]): string {
  if (perPlace.length === 0) return 'this plugin has the same options everywhere'
  return `is the same everywhere; what can differ: ${perPlace.join(', ')}`
}

/** For options and overrides that have been checked. */
export function optionsIn({ definition: { name, options: schema }, given, options, overrides }: Given): OptionsIn {
  const made = new Map<string, unknown>()

  /** Wide to narrow. */
  function layers({
    workspace,
    channel,
    name: called,
    thread,
  }: Conversation): { readonly from: Origin; readonly layer: Layer }[] {
    const found = <K extends Kind>(kind: K, ...names: string[]) => {
      const where = names.find(one => Object.hasOwn(overrides[kind] ?? {}, one))
      const layer = where === undefined ? undefined : overrides[kind]?.[where]
      return layer ? [{ from: `${KINDS[kind]} ${where}` as const, layer }] : []
    }
    return [
      ...found('workspaces', workspace),
      ...found('channels', channel, called, `#${called}`),
      ...(thread === undefined ? [] : found('threads', thread)),
    ]
  }

  function resolve(conversation: Conversation): unknown {
    const found = layers(conversation)
    if (found.length === 0) return options
    const where = found.map(({ from }) => from).join(' and ')
    if (!made.has(where)) made.set(where, validated(Object.assign({}, asLayer(given), ...found.map(({ layer }) => layer)), where))
    return made.get(where)
  }

  function validated(raw: Layer, where: string): unknown {
    const checked = schema?.['~standard'].validate(raw)
    // Each layer alone has been checked; only two of them together can be wrong, or a schema that cannot answer at once.
    if (checked !== undefined && !(checked instanceof Promise) && !checked.issues) return checked.value
    const head = `[${name}] invalid options for ${where} together in bot.config.ts:`
    const issues =
      checked && 'issues' in checked ? (checked.issues ?? []) : [{ message: 'expected a schema that answers at once' }]
    throw new KikimimiError('OPTIONS_INVALID', invalidOptions(head, issues, raw))
  }

  return Object.assign(resolve, {
    explain(conversation: Conversation) {
      const origins: { readonly from: Origin; readonly layer: Layer }[] = [
        { from: 'bot.config.ts', layer: asLayer(given) },
        ...layers(conversation),
      ]
      return new Map(
        Object.entries(asLayer(resolve(conversation))).map(([key, value]) => {
          const { from } = origins.findLast(({ layer }) => layer[key] !== undefined) ?? { from: 'default' as const }
          return [key, { value, from }]
        }),
      )
    },
  })
}

function asLayer(value: unknown): Layer {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function isKind(kind: string): kind is Kind {
  return kind in KINDS
}
