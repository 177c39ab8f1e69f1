/** Who may use a tool of a server, where, and whether a call needs a confirmation. */
import type { Conversation, People } from 'kikimimi'
import type { Rule } from './options.ts'

/** What a tool says of itself. A server can lie: an operator who does not trust it sets `confirm: 'always'`. */
export interface Annotations {
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
}

/** What a rule allows. */
export interface Permission {
  readonly people: People
  readonly confirm: Rule['confirm']
}

/** A tool that no rule names. */
const DEFAULT: Permission = { people: 'everyone', confirm: 'changes' }

/**
 * The first rule that fits. Nothing: rules name the tool, and none of them fits the conversation, so that the tool does not exist there.
 */
export function permissionFor(
  rules: readonly Rule[],
  server: string,
  tool: string,
  conversation: Pick<Conversation, 'channel' | 'name' | 'visibility'>,
): Permission | undefined {
  const naming = rules.filter(({ tools }) => tools.some(pattern => names(pattern, server, tool)))
  if (naming.length === 0) return DEFAULT
  const rule = naming.find(({ channels }) => !channels || channels.some(one => isIn(one, conversation)))
  return rule && { people: rule.people, confirm: rule.confirm }
}

/**
 * Whether a call changes something, as MCP defines the defaults: a tool without annotations does. One that claims to be read-only and
 * destructive counts as destructive.
 */
export function changes({ readOnlyHint = false, destructiveHint = false }: Annotations): boolean {
  return !readOnlyHint || destructiveHint
}

/** Whether the person who asks must confirm a call. */
export function needsConfirmation(confirm: Permission['confirm'], isChange: boolean): boolean {
  return confirm === 'always' || (confirm === 'changes' && isChange)
}

function names(pattern: string, server: string, tool: string): boolean {
  if (pattern === '*' || pattern === server) return true
  const full = `${server}/${tool}`
  return pattern.endsWith('*') ? full.startsWith(pattern.slice(0, -1)) : full === pattern
}

/** A person chooses the name of a direct conversation, so that its id alone counts. */
function isIn(named: string, { channel, name, visibility }: Pick<Conversation, 'channel' | 'name' | 'visibility'>): boolean {
  return named === channel || (visibility !== 'direct' && named.replace(/^#/, '') === name)
}
