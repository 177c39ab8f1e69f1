/** Routes with zod schemas: they check what comes in, give it its type, and describe it in the OpenAPI document. */
import type { FastifyInstance, FastifyTypeProvider } from 'fastify'
import { z } from 'zod'

export interface Zod extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  readonly serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

export function withTypes(server: FastifyInstance) {
  return server.withTypeProvider<Zod>()
}

/** For all routes of this server. */
export function useZod(server: FastifyInstance): void {
  server.setValidatorCompiler<z.ZodType>(({ schema }) => value => {
    const { data, error } = schema.safeParse(value)
    if (error) return { error: new Error(sentence(error)) }
    return hasNul(data) ? { error: new Error('no text may hold the character NUL') } : { value: data }
  })
  server.setSerializerCompiler(() => data => JSON.stringify(data))
}

/** A route's schemas as JSON Schema. */
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

/** Postgres keeps none. */
function hasNul(value: unknown): boolean {
  return typeof value === 'string' ? value.includes('\0') : isRecord(value) && Object.values(value).some(hasNul)
}

function sentence({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ')
}
