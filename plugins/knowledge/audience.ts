/** Where a source may be used. */
import type { Access, Conversation, Database, Person } from 'kikimimi'

export interface Audience {
  /** Channels by name or id, and workspaces by name or id. */
  readonly places?: readonly string[] | undefined
  /** Who may ask, as in `access`: `admins`, `role:NAME`, `person:ID`. */
  readonly people?: readonly string[] | undefined
}

/**
 * Whether all who read the conversation may read the source. The answer is for all of them, so people without places may ask in a
 * direct conversation alone.
 */
export async function mayUse(
  { places, people }: Audience,
  conversation: Conversation,
  asker: Person,
  access: Access | undefined,
): Promise<boolean> {
  if (places ? !places.some(place => isIn(place, conversation)) : people && conversation.visibility !== 'direct') return false
  return people === undefined || ((await access?.isAmong(conversation, asker, people)) ?? false)
}

/** Those of the sources whose channel can be read by all who read the conversation. */
export async function channelsReadIn(
  db: Database,
  conversation: Conversation,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await db.query<{ name: string }>(
    `select s.name from kikimimi_v1.audience($1) a, knowledge.source s, kikimimi_v1.place_of(s.conversation, s.visibility, null) p,
       kikimimi_v1.told_to(a.workspace, a.places, a.closed, p.place, p.visibility)
     where s.name = any($2) and s.conversation is not null`,
    [conversation.id, names],
  )
  return new Set(rows.map(({ name }) => name))
}

/** A direct conversation belongs to no workspace and is no channel that a name could mean: its id alone names it. */
function isIn(place: string, { workspace, channel, name, visibility, details }: Conversation): boolean {
  const wanted = place.replace(/^#/, '')
  if (wanted === channel) return true
  if (visibility === 'direct') return false
  return wanted === name || (!place.startsWith('#') && workspace !== '' && [workspace, details?.workspaceName].includes(wanted))
}
