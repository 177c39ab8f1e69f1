/** Names of tools for models: valid for every provider, and unique in a bot. */
import { createHash } from 'node:crypto'

/** The longest name that OpenAI, Anthropic and Gemini take. */
const LONGEST = 64

/** Characters of the digest behind a name that was changed. */
const DIGEST = 6

/**
 * `mcp_SERVER_TOOL`. Names of servers have no underscore, so that two servers cannot make the same name. A name that had to be
 * changed or is taken ends with a digest of the original.
 */
export function toolName(server: string, tool: string, isTaken: (name: string) => boolean): string {
  const plain = `mcp_${server}_${tool}`
  const name = plain.replace(/[^A-Za-z0-9_]/g, '_')
  const isKept = name.length <= LONGEST && /^[\w-]+$/.test(tool) && !isTaken(name)
  if (isKept) return name
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, DIGEST)
  return `${name.slice(0, LONGEST - DIGEST - 1)}_${digest}`
}
