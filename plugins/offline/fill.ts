/** Fills a JSON Schema with values by the names of its properties. Other properties stay empty. */
export function fill(shape: unknown, known: Readonly<Record<string, unknown>>, name = ''): unknown {
  const schema = isRecord(shape) ? shape : {}
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (choices) return fillOne(choices, known, name)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) {
    const { enum: words } = schema
    return words.includes(known[name])
      ? known[name]
      : (Object.values(known).find(value => words.includes(value)) ?? schema.default ?? words[0])
  }
  const value = known[name]
  switch (schema.type) {
    case 'object':
      return fillObject(schema, isRecord(value) ? value : known)
    case 'array':
      return fillArray(schema, value, name)
    case 'string':
      return typeof value === 'string' ? value.slice(0, numberOr(schema.maxLength, value.length)) : (schema.default ?? '')
    case 'boolean':
      return typeof value === 'boolean' ? value : (schema.default ?? false)
    case 'number':
    case 'integer': {
      const wanted = typeof value === 'number' ? value : numberOr(schema.default, 0)
      return Math.min(
        numberOr(schema.maximum, Number.POSITIVE_INFINITY),
        Math.max(numberOr(schema.minimum, Number.NEGATIVE_INFINITY), wanted),
      )
    }
    default:
      return value ?? schema.default ?? null
  }
}

/** Of several alternatives, the one that fits the value; null if it is allowed and no value is known. */
function fillOne(choices: readonly unknown[], known: Readonly<Record<string, unknown>>, name: string): unknown {
  const nullable = choices.some(choice => isRecord(choice) && choice.type === 'null')
  const value = known[name]
  if (nullable && (value === undefined || value === null)) return null
  const others = choices.filter(choice => !(isRecord(choice) && choice.type === 'null'))
  return fill(others.find(choice => isRecord(choice) && choice.type === typeOf(value)) ?? others[0], known, name)
}

function fillObject(schema: Record<string, unknown>, known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {})
  return Object.fromEntries(
    properties
      .filter(([key]) => required.has(key) || known[key] !== undefined)
      .map(([key, shape]) => [key, fill(shape, known, key)]),
  )
}

function fillArray(schema: Record<string, unknown>, value: unknown, name: string): unknown[] {
  const items = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  const filled = items.map(item => fill(schema.items, isRecord(item) ? item : { [name]: item }, isRecord(item) ? '' : name))
  return filled.slice(0, numberOr(schema.maxItems, filled.length))
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
