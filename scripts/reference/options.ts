/** The options of a zod schema, as rows for people. */
import { z } from 'zod'

export interface OptionRow {
  /** `wait.messages` */
  readonly path: string
  /** The type in words; nothing for a group of options. */
  readonly type: string
  /** The default as it is written in bot.config.ts; nothing when there is none. */
  readonly usual: string
  readonly does: string
}

type Schema = z.core.JSONSchema.JSONSchema

/** The allowed values, with defaults. `does` is the schema's description. */
export function optionsOf(schema: z.ZodType): OptionRow[] {
  return rows(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '')
}

function rows({ properties = {}, required = [] }: Schema, above: string): OptionRow[] {
  return Object.entries(properties).flatMap(([name, option]) => {
    if (typeof option === 'boolean') return []
    const path = `${above}${name}`
    const isGroup = option.properties !== undefined
    const row = {
      path,
      type: isGroup ? '' : typeOf(option),
      usual: isGroup ? '' : required.includes(name) ? 'required' : usualOf(option),
      does: option.description ?? '',
    }
    return [row, ...rows(option, `${path}.`)]
  })
}

function usualOf({ default: usual }: Schema): string {
  if (usual === undefined || (Array.isArray(usual) ? usual.length === 0 : usual === '')) return ''
  return `\`${literal(usual)}\``
}

/** As people write it in TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return JSON.stringify(value)
}

function typeOf(schema: Schema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'anything'
  const { title, type, anyOf, items, prefixItems, propertyNames, additionalProperties, properties } = schema
  if (title !== undefined) return title
  if (schema.enum) return schema.enum.map(one => `\`${literal(one)}\``).join(', ')
  if (schema.const !== undefined) return `\`${literal(schema.const)}\``
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (type === 'string') return schema.format === 'uri' ? 'URL' : 'text'
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'integer' || type === 'number') return numberOf(schema)
  if (prefixItems) return `list of ${typeOf(prefixItems[0])}`
  if (type === 'array') return Array.isArray(items) ? `list of ${typeOf(items[0])}` : `list of ${typeOf(items)}`
  if (properties) return `\`{ ${Object.keys(properties).join(', ')} }\``
  if (typeof propertyNames === 'object' && propertyNames.enum && propertyNames.enum.length < 10) {
    return `${typeOf(additionalProperties)} for ${typeOf(propertyNames)}`
  }
  if (type === 'object') return `${typeOf(additionalProperties)} by name`
  return 'anything'
}

function numberOf({ type, minimum, exclusiveMinimum, maximum }: Schema): string {
  const what = type === 'integer' ? 'whole number' : 'number'
  const least = type === 'integer' && exclusiveMinimum === 0 ? 1 : minimum
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (least !== undefined && most !== undefined) return `${what} from ${least} to ${most}`
  if (least !== undefined && least > Number.MIN_SAFE_INTEGER) return `${what} from ${least}`
  return exclusiveMinimum === 0 ? `${what} above 0` : what
}
