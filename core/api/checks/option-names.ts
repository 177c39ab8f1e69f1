/** The names that a schema knows, for suggestions. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

export type Json = Readonly<Record<string, unknown>>

/** A schema does not change, and zod needs 0.5 ms for one. */
const known = new WeakMap<StandardSchemaV1, Json>()

/** The JSON schema of what one writes. Empty for a schema that cannot be read. */
export function jsonOf(schema: StandardSchemaV1 | undefined): Json {
  if (!schema) return {}
  const json = known.get(schema) ?? read(schema)
  known.set(schema, json)
  return json
}

function read(schema: StandardSchemaV1): Json {
  if (!canTell(schema)) return {}
  try {
    // `unrepresentable` is an option of zod, for types that JSON Schema cannot express. Other libraries ignore it.
    return schema['~standard'].jsonSchema.input({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any' } })
  } catch {
    return {}
  }
}

/** The names that are valid in the object at a path. Empty: the schema does not say it. */
export function namesAt(schema: StandardSchemaV1 | undefined, path: readonly PropertyKey[]): readonly string[] {
  return [...new Set(propertiesAt(schema, path).map(([name]) => name))]
}

/** The present names of options, by their former names: `.meta({ renamedFrom: 'old' })` in zod. A name that is in use is no former one. */
export function renamedOptions(
  schema: StandardSchemaV1 | undefined,
  path: readonly PropertyKey[] = [],
): ReadonlyMap<string, string> {
  const properties = propertiesAt(schema, path)
  const renamed = new Map<string, string>()
  for (const [name, one] of properties) if (isJson(one) && typeof one.renamedFrom === 'string') renamed.set(one.renamedFrom, name)
  for (const [name] of properties) renamed.delete(name)
  return renamed
}

function propertiesAt(schema: StandardSchemaV1 | undefined, path: readonly PropertyKey[]): readonly [string, unknown][] {
  const there = path.reduce((at: readonly Json[], key) => at.flatMap(one => below(one, key)), variants(jsonOf(schema)))
  return there.flatMap(({ properties }) => (isJson(properties) ? Object.entries(properties) : []))
}

function below({ properties, additionalProperties, items }: Json, key: PropertyKey): readonly Json[] {
  const own = isJson(properties) && typeof key === 'string' && Object.hasOwn(properties, key) ? properties[key] : undefined
  const next = own ?? (typeof key === 'number' ? items : additionalProperties)
  return isJson(next) ? variants(next) : []
}

function variants(json: Json): readonly Json[] {
  const parts = [json.anyOf, json.oneOf, json.allOf].flatMap(list => (Array.isArray(list) ? list.filter(isJson) : []))
  return [json, ...parts.flatMap(variants)]
}

function canTell(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  return 'jsonSchema' in schema['~standard']
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
