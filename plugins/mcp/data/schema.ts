/**
 * The schema of a tool, in the part of JSON Schema that every provider takes: a keyword that one of them refuses would make every
 * request of the bot fail, not only this tool.
 */

/** Nested objects and references that are followed. */
const DEPTH = 8

/** Properties of an object, values of an enum, parts of a union. */
const MOST = 64

/** Characters of a description. */
const TEXT = 300

/** Parts of a schema that are read: references can make a small schema large. */
const PARTS = 500

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

type Json = Readonly<Record<string, unknown>>

/** Nothing for a schema that is not an object, as MCP demands. */
export function plainSchema(schema: unknown): Json | undefined {
  if (!isJson(schema)) return undefined
  const read = reader(schema)
  const plain = read(schema, 0)
  return plain.type === 'object' ? plain : undefined
}

function reader(root: Json) {
  let parts = 0

  return function read(given: unknown, depth: number): Json {
    if (!isJson(given) || depth > DEPTH || ++parts > PARTS) return {}
    if (typeof given.$ref === 'string') return read(referred(root, given.$ref), depth + 1)
    const type = typeOf(given.type)
    const union = [given.anyOf, given.oneOf].find(Array.isArray)
    return {
      ...(type && { type }),
      ...(typeof given.description === 'string' && { description: shortText(given.description, TEXT) }),
      ...(Array.isArray(given.enum) && { enum: given.enum.filter(isPlain).slice(0, MOST) }),
      ...(isPlain(given.const) && { enum: [given.const] }),
      ...(type === 'object' && properties(given, one => read(one, depth + 1))),
      ...(type === 'array' && { items: read(given.items, depth + 1) }),
      ...(union && { anyOf: union.slice(0, MOST).map((one: unknown) => read(one, depth + 1)) }),
    }
  }
}

function properties(given: Json, read: (schema: unknown) => Json): Json {
  const entries = isJson(given.properties) ? Object.entries(given.properties) : []
  // Anthropic takes no other names.
  const valid = entries.filter(([name]) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name) && name !== '__proto__').slice(0, MOST)
  const names = new Set(valid.map(([name]) => name))
  const required = Array.isArray(given.required) ? given.required.filter(name => names.has(name)) : []
  return {
    properties: Object.fromEntries(valid.map(([name, schema]) => [name, read(schema)])),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** What a reference in the same document means. Others are not followed: a server must not make the bot load something. */
function referred(root: Json, reference: string): unknown {
  const [, list, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
  const all = list === undefined ? undefined : root[list]
  return name !== undefined && isJson(all) && Object.hasOwn(all, name) ? all[name] : undefined
}

/** Of several types the first one that is not null: not every provider takes lists. */
function typeOf(given: unknown): string | undefined {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given]
  const known = all.filter((one): one is string => typeof one === 'string' && TYPES.has(one))
  return known.find(one => one !== 'null') ?? known[0]
}

/** A text of a server on one line, without invisible characters. */
export function shortText(text: string, length: number): string {
  const plain = text
    .slice(0, 4 * length)
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return plain.length > length ? `${plain.slice(0, length).toWellFormed()}…` : plain
}

function isPlain(value: unknown): value is string | number | boolean {
  return (typeof value === 'string' && value.length <= TEXT) || typeof value === 'number' || typeof value === 'boolean'
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
