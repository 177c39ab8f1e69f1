/** Reads a value that fits a schema from the text of a model. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/**
 * The first JSON in a text: the whole text, else the content of a code fence, else the first object or array after prose.
 * Nothing when there is none.
 */
export function jsonIn(text: string): unknown {
  const fenced = /```(?:json)?[^\S\n]*\n([\s\S]*?)```/.exec(text)?.[1]
  for (const candidate of [text, fenced, ...bracketed(text)]) {
    if (candidate === undefined) continue
    try {
      return JSON.parse(candidate)
    } catch {
      // No JSON here; try the next candidate.
    }
  }
  return undefined
}

export type Fit<T> = { readonly value: T } | { readonly issues: readonly StandardSchemaV1.Issue[] }

export async function fit<S extends StandardSchemaV1>(schema: S, value: unknown): Promise<Fit<StandardSchemaV1.InferOutput<S>>> {
  const result = await schema['~standard'].validate(value)
  return result.issues ? { issues: result.issues } : { value: result.value }
}

/** One line for each issue: `- confidence: expected a number`. */
export function lines(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues.map(({ path = [], message }) => `- ${path.map(keyOf).join('.') || 'value'}: ${message}`).join('\n')
}

/** The schema as JSON Schema. Nothing when the library of the schema cannot convert it. */
export function jsonSchemaOf(schema: StandardSchemaV1): Record<string, unknown> | undefined {
  const standard: StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props> = schema['~standard']
  try {
    return standard.jsonSchema?.input({ target: 'draft-2020-12' })
  } catch {
    return undefined
  }
}

export function isSchema(value: unknown): value is StandardSchemaV1 {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value
}

/** Largest number of opening brackets to try: prose has few, and each costs a pass over the rest of the text. */
const STARTS = 20

function* bracketed(text: string): Generator<string> {
  let starts = 0
  for (const { index } of text.matchAll(/[{[]/g)) {
    if (++starts > STARTS) return
    const end = closing(text, index)
    if (end !== undefined) yield text.slice(index, end + 1)
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

function closing(text: string, start: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) quoted = false
    } else if (code === QUOTE) quoted = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return at
  }
  return undefined
}

function keyOf(segment: PropertyKey | StandardSchemaV1.PathSegment): string {
  return String(typeof segment === 'object' ? segment.key : segment)
}
