/** Lists of a server, page by page, and its tools as far as they are usable. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { z } from 'zod'
import { plainSchema, shortText } from '../data/schema.ts'
import type { Annotations } from '../rules.ts'

/** The most entries and pages of a list that are read. */
const ENTRIES = 2_000
const PAGES = 50

/** Characters of the description of a tool, and of its schema as JSON. */
const DESCRIPTION = 1_000
const SCHEMA = 6_000

/** A tool as the bot uses it. */
export interface ListedTool {
  /** As the server calls it. */
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly annotations: Annotations
}

const listed = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown(),
  execution: z
    .looseObject({ taskSupport: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  annotations: z
    .looseObject({
      readOnlyHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** A tool of a list. Nothing for one that no model could call. */
export function toolOf(given: unknown): ListedTool | undefined {
  const { data } = listed.safeParse(given)
  const schema = plainSchema(data?.inputSchema)
  if (!data || !schema || JSON.stringify(schema).length > SCHEMA) return undefined
  // The server refuses a plain call of it, and the bot runs no tasks.
  if (data.execution?.taskSupport === 'required') return undefined
  const { name, description = '', annotations = {} } = data
  return { name, description: shortText(description, DESCRIPTION), schema, annotations }
}

/** The entries of all pages. A page that is not a list is an error; what an entry is, is not checked. */
export async function listPages(
  client: Client,
  method: string,
  key: string,
  options: RequestOptions,
): Promise<readonly unknown[]> {
  const page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) })
  const entries: unknown[] = []
  let cursor: string | undefined
  for (let count = 0; count < PAGES && entries.length < ENTRIES; count++) {
    const found = await client.request({ method, params: cursor === undefined ? {} : { cursor } }, page, options)
    const list: unknown = found[key]
    if (Array.isArray(list)) entries.push(...list.slice(0, ENTRIES))
    cursor = typeof found.nextCursor === 'string' ? found.nextCursor : undefined
    if (cursor === undefined) break
  }
  return entries.slice(0, ENTRIES)
}
