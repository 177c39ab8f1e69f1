/**
 * Options of a plugin for single places: defaults → bot.config.ts → workspace → channel → thread → settings made in the
 * chat.
 */

import { invalidOptions, type OptionMistake, optionMistakes, renaming } from '../../api/checks/option-errors.ts'
import { renamedOptions } from '../../api/checks/option-names.ts'
import type { Conversation, OptionsFor, Overrides, PluginDefinition, Setting } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { nearest } from '../../base/text/nearest.ts'
import { couldBeSecret, type OptionSchemas, readSchema } from './option-schema.ts'
import { isWorkspace } from './places.ts'
import type { SettingTable } from './table.ts'

/** Some options for one place, not checked. */
type Layer = Readonly<Record<string, unknown>>

/** Where the value of an option comes from. */
export type Origin =
  | 'default'
  | 'bot.config.ts'
  | 'bot.settings.json'
  | `workspace ${string}`
  | `channel ${string}`
  | `thread ${string}`
  | `set in the channel by ${string}`
  | `set in the workspace by ${string}`

interface Given {
  readonly definition: PluginDefinition
  /** The options of bot.config.ts, and those that the schema returned. */
  readonly given: unknown
  readonly options: unknown
  readonly overrides: Overrides<Layer>
  /** The options that come from bot.settings.json. */
  readonly inFile: readonly string[]
}

type Kind = keyof Overrides<Layer>

const KINDS = { workspaces: 'workspace', channels: 'channel', threads: 'thread' } as const satisfies Record<Kind, string>

/**
 * All mistakes in the options of single places. Their paths begin with the kind of place.
 * @param isValid whether the options that apply everywhere are valid
 */
export async function mistakesIn(
  { definition, given, overrides }: Omit<Given, 'options' | 'inFile'>,
  isValid: boolean,
): Promise<readonly OptionMistake[]> {
  const { options: schema, scoped = [] } = definition
  const whyNot = (key: string) => {
    const { names } = readSchema(schema)
    return names.length > 0 && !names.includes(key) ? `there is no such option; ${differing(scoped)}` : can(scoped)
  }
  const mistakes: OptionMistake[] = []
  for (const [kind, layers] of Object.entries(overrides)) {
    if (!isKind(kind)) {
      const kinds = `knows options for workspaces, channels and threads, and none for "${kind}".`
      mistakes.push({ path: [kind], message: `${kinds}${meant(kind, Object.keys(KINDS))}` })
      continue
    }
    for (const [where, layer] of Object.entries<Layer>(layers ?? {})) {
      const wrong = (path: readonly PropertyKey[], message: string) =>
        mistakes.push({ path: [kind, where, ...path], message: `in the ${KINDS[kind]} "${where}": ${message}` })
      if (typeof layer !== 'object' || layer === null) {
        wrong([], `expected options, got ${JSON.stringify(layer)}`)
        continue
      }
      for (const key of Object.keys(layer)) {
        if (scoped.includes(key)) continue
        const present = renamedOptions(schema).get(key)
        const hint = meant(key, scoped)
        wrong([key], present === undefined ? `${key}: ${whyNot(key)}${hint && `.${hint}`}` : renaming(key, present))
      }
      const all = { ...asLayer(given), ...layer }
      const checked = await schema?.['~standard'].validate(all)
      for (const { path, message } of optionMistakes(checked?.issues ?? [], all, schema)) {
        const key = String(path[0] ?? '')
        // The others are told above, or of the options that apply everywhere.
        if (Object.hasOwn(layer, key) ? scoped.includes(key) : isValid) wrong(path, message)
      }
    }
  }
  return mistakes
}

function meant(typed: string, valid: readonly string[]): string {
  const word = nearest(typed, valid)
  return word === undefined ? '' : ` Did you mean "${word}"?`
}

function can(scoped: readonly string[]): string {
  if (scoped.length === 0) return 'this plugin has the same options everywhere'
  return `is the same everywhere; ${differing(scoped)}`
}

function differing(scoped: readonly string[]): string {
  return scoped.length === 0 ? 'no option can differ' : `what can differ: ${scoped.join(', ')}`
}

/** Returns the options of a plugin for a conversation, with the settings made there in the chat. */
export function withSettings(
  { name, optionsFor: inPlace }: { readonly name: string; readonly optionsFor: OptionsFor },
  table: Pick<SettingTable, 'within'>,
  log: Logger,
): (conversation: Conversation) => unknown {
  const ignored = (problem: string) => log.warn(problem)
  return conversation => inPlace(conversation, table.within(conversation, name), ignored)
}

/** For options and overrides that have been checked. */
export function optionsFor({ definition, given, options, overrides, inFile }: Given): OptionsFor {
  const { name, options: schema, scoped = [] } = definition
  let schemas: OptionSchemas | undefined
  const hasPlaces = Object.values(overrides).some(layers => Object.keys(layers ?? {}).length > 0)
  const made = new Map<string, unknown>()
  const madeOfSet = new WeakMap<readonly Setting[], Map<string, unknown>>()

  /** From wide to narrow. */
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
    if (!hasPlaces) return options
    const found = layers(conversation)
    if (found.length === 0) return options
    const where = placesOf(found)
    if (!made.has(where)) made.set(where, validated(rawOf(found), where))
    return made.get(where)
  }

  const placesOf = (found: ReturnType<typeof layers>) => found.map(({ from }) => from).join(' and ')
  const rawOf = (found: ReturnType<typeof layers>): Layer => Object.assign({}, asLayer(given), ...found.map(({ layer }) => layer))

  function validated(raw: Layer, where: string): unknown {
    const checked = check(raw)
    // Each layer has been checked alone. Only two layers together can be wrong, or a schema that answers asynchronously.
    if (!checked.issues) return checked.value
    const head = `[${name}] invalid options for ${where} together in bot.config.ts:`
    throw new KikimimiError('OPTIONS_INVALID', invalidOptions(head, checked.issues, raw))
  }

  function check(raw: Layer) {
    const checked = schema?.['~standard'].validate(raw)
    if (checked && !(checked instanceof Promise)) return checked
    return { issues: [{ message: 'expected a schema that answers at once' }] }
  }

  // -------------------------------------------------------------- what was set in the chat

  /** Of settings that do not fit together, the earlier ones are used. */
  function fittingOf(conversation: Conversation, set: readonly Setting[], ignored?: (problem: string) => void): Layer {
    const base = rawOf(layers(conversation))
    let fitting: Layer = {}
    for (const { place, key, value, by, at } of set) {
      const next = { ...fitting, [key]: value }
      const problem = problemOf(key, { ...base, ...next })
      if (problem === undefined) fitting = next
      else ignored?.(`[${name}] ignores ${key}, ${originOf({ place, by, at })}: ${problem}`)
    }
    return fitting
  }

  function problemOf(key: string, raw: Layer): string | undefined {
    if (!scoped.includes(key)) return `${key} ${can(scoped)}`
    const { issues } = check(raw)
    return issues?.map(({ message }) => message).join('; ')
  }

  function withSet(conversation: Conversation, set: readonly Setting[], ignored?: (problem: string) => void): unknown {
    const where = placesOf(layers(conversation))
    const known = madeOfSet.get(set) ?? new Map<string, unknown>()
    madeOfSet.set(set, known)
    if (!known.has(where)) {
      const fitting = fittingOf(conversation, set, ignored)
      const raw = { ...rawOf(layers(conversation)), ...fitting }
      known.set(where, Object.keys(fitting).length > 0 ? validated(raw, where) : resolve(conversation))
    }
    return known.get(where)
  }

  const inPlace: OptionsFor = Object.assign(
    (conversation: Conversation, set: readonly Setting[] = [], ignored?: (problem: string) => void) =>
      set.length > 0 ? withSet(conversation, set, ignored) : resolve(conversation),
    {
      explain(conversation: Conversation, set: readonly Setting[], secrets: readonly string[]) {
        const fitting = fittingOf(conversation, set)
        const origins: { readonly from: Origin; readonly layer: Layer; readonly setAt?: Date }[] = [
          { from: 'bot.config.ts', layer: asLayer(given) },
          { from: 'bot.settings.json', layer: Object.fromEntries(inFile.map(name => [name, asLayer(given)[name]])) },
          ...layers(conversation),
          ...set
            .filter(({ key }) => key in fitting)
            .map(one => ({
              ...{ from: originOf(one), layer: { [one.key]: one.value }, setAt: one.at },
            })),
        ]
        const there = asLayer(inPlace(conversation, set))
        schemas ??= readSchema(schema)
        const { words, of } = schemas
        return [...new Set([...Object.keys(there), ...scoped])].map(option => {
          const { usual = there[option], isPublic, environment: _, ...rest } = of(option)
          const source = origins.findLast(one => one.layer[option] !== undefined)
          const { from, layer, setAt } = source ?? { from: 'default', layer: {} }
          const value = layer[option] ?? usual
          const differs = scoped.includes(option)
          const how = { option, isPublic, scoped: differs, words, secrets }
          // The file never holds a secret.
          const isSecret = from !== 'bot.settings.json' && [value, there[option]].some(one => couldBeSecret(one, how))
          const told = isSecret ? { redacted: true } : { redacted: false, ...(value !== undefined && { value }) }
          return { plugin: name, option, ...told, from, ...(setAt && { setAt }), scoped: differs, ...rest }
        })
      },

      refuses: (key: string, value: unknown) => problemOf(key, { ...asLayer(given), [key]: value }),
    },
  )
  return inPlace
}

function originOf({ place, by, at }: Pick<Setting, 'place' | 'by' | 'at'>): Origin {
  return `set in the ${isWorkspace(place) ? 'workspace' : 'channel'} by ${by.name || 'somebody'} on ${dayOf(at)}`
}

/** The day in the time zone of the process, such as 2026-01-05. */
function dayOf(at: Date): string {
  const [year, ...rest] = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(String)
  return [year, ...rest.map(part => part.padStart(2, '0'))].join('-')
}

function asLayer(value: unknown): Layer {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function isKind(kind: string): kind is Kind {
  return kind in KINDS
}
