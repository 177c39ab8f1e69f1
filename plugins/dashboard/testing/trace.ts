/** A trace with all fields, for tests. It is made from the schema, so it contains new fields too. */
import { z } from 'zod'
import { type TraceView, trace as traceSchema } from '../history/views.ts'

/** The display of fields whose values are words of the page. */
const WORDS: Readonly<Record<string, string>> = {
  addressed: 'addressed by a mention',
  outcome: 'Cancelled',
  // The date in words.
  at: '2026',
  'decision.kind': 'Answers',
  'decision.confidence': 'confidence 83 %',
  'decision.delayMs': 'delay 7 s',
  'reply.kind': 'characters',
  'sections.kept': 'left out: over the token budget',
  'models.cost': '0.0357',
  ms: '941 ms',
  // A tool has its name, and its bar stands where it began.
  'timeline.what': 'a-timeline.name',
  'timeline.afterMs': '877 ms',
  'timeline.ms': '877 ms',
}

/** A trace in which every value of the schema is unique, and the display of each value. */
export function sampleTrace(): { sample: TraceView; shown: Record<string, string> } {
  const shown: Record<string, string> = {}
  let count = 200
  function make(schema: z.core.JSONSchema.BaseSchema, path: string): unknown {
    if (schema.type === 'object' && schema.properties) {
      const fields = Object.entries(schema.properties)
      return Object.fromEntries(
        fields.map(([name, field]) => [
          name,
          make(field as z.core.JSONSchema.BaseSchema, path === '' ? name : `${path}.${name}`),
        ]),
      )
    }
    if (schema.type === 'array') return [make(schema.items as z.core.JSONSchema.BaseSchema, path)]
    const special: Record<string, unknown> = {
      at: '2026-01-05T10:17:00Z',
      addressed: 'mention',
      outcome: 'cancelled',
      'decision.kind': 'full',
      'decision.confidence': 0.83,
      'decision.delayMs': 7_000,
      'reply.kind': 'text',
      'sections.kept': false,
      'models.cost': 0.0357,
      ms: { score: 941, decide: 0, context: 0, respond: 0, beforeSend: 0 },
      'timeline.what': 'tool',
      'timeline.afterMs': 5,
      'timeline.ms': 877,
    }
    if (path in special) {
      shown[path] = WORDS[path] ?? `how is ${path} shown?`
      return special[path]
    }
    const value = schema.type === 'string' ? `a-${path}` : ++count
    shown[path] = String(value)
    return value
  }
  const sample = traceSchema.parse(make(z.toJSONSchema(traceSchema), ''))
  return { sample, shown }
}
