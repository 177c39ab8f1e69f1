/** Routes with zod schemas, which check the input, give it a type, and describe it in the OpenAPI document. */
import type { FastifyInstance, FastifyTypeProvider } from 'fastify'
import { z } from 'zod'

export interface Zod extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  readonly serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

export function withTypes(server: FastifyInstance) {
  return server.withTypeProvider<Zod>()
}

/** An error response. */
export const refused = z.object({ message: z.string() })

/** Settings of all routes of this server. */
export function useZod(server: FastifyInstance): void {
  server.setValidatorCompiler<z.ZodType>(({ schema }) => value => {
    const { data, error } = schema.safeParse(value)
    if (error) return { error: new Error(sentence(error)) }
    const unkept = unkeptIn(data)
    return unkept ? { error: new Error(`no text may hold ${unkept}`) } : { value: data }
  })
  server.setSerializerCompiler(() => data => JSON.stringify(data))
}

/** Schemas of a route as JSON Schema. */
export function toJsonSchemas(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([part, value]) => [
      part,
      part === 'response' && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([code, body]) => [code, toJsonSchema(body, 'output')]))
        : toJsonSchema(value, 'input'),
    ]),
  )
}

function toJsonSchema(value: unknown, io: 'input' | 'output'): unknown {
  if (!(value instanceof z.ZodType)) return value
  const { $schema: _, ...schema } = z.toJSONSchema(value, { io, target: 'draft-7', unrepresentable: 'any' })
  return { description: 'OK', ...schema }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Text that Postgres cannot store and no URL can contain. */
function unkeptIn(value: unknown): string | undefined {
  if (isRecord(value)) return Object.values(value).map(unkeptIn).find(Boolean)
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'the character NUL'
  return value.isWellFormed() ? undefined : 'half of a character'
}

function sentence({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ')
}
