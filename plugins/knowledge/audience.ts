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
    `with said_in as materialized (
       select s.name, p.place, p.visibility from knowledge.source s, kikimimi_v1.place_of(s.conversation, s.visibility, null) p
       where s.name = any($2) and s.conversation is not null
     )
     select s.name from (select array_agg(place) as places, array_agg(visibility) as visibilities from said_in) all_places
     cross join lateral kikimimi_v1.readable($1, places, visibilities) r
     join said_in s on s.place = r.place and s.visibility = r.visibility`,
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
