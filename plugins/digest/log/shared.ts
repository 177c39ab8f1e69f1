/** The workspaces whose public channels a digest covers in a direct message. On Discord, such a message belongs to no workspace. */
import { type Access, type Conversation, conversationParts, type Database, type Person } from 'kikimimi'

/** Number of workspaces in which the person is looked up: those where they spoke, then those with the latest messages. */
const MOST = 20

export interface SharedOptions {
  readonly db: Database
  readonly access: Access
  readonly since: Date
  /** Ids of channels in which the person has spoken. */
  readonly spokenIn: Iterable<string>
}

/** The beginnings of the ids of their conversations. A workspace in which the person cannot be looked up, or with another memory, is none. */
export async function sharedWorkspaces(
  conversation: Conversation,
  person: Person,
  { db, access, since, spokenIn }: SharedOptions,
): Promise<readonly string[]> {
  const { id, platform, workspace, visibility, readers } = conversation
  if (visibility !== 'direct' || workspace !== '' || readers?.outsiders) return []
  const { rows } = await db.query<{ id: string }>(ACTIVE, [
    `${encodeURIComponent(platform)}/`,
    since,
    [...new Set([...spokenIn].map(workspaceOf))],
    ...[MOST, id],
  ])
  const isMember = ({ id }: { readonly id: string }) =>
    access.isAmong({ ...conversationParts(id), id, name: '', visibility: 'public' }, person, ['members'])
  const may = await Promise.all(rows.map(isMember))
  return rows.flatMap(({ id }, at) => (may[at] ? workspaceOf(id) : []))
}

const workspaceOf = (conversation: string) => `${conversation.split('/').slice(0, 2).join('/')}/`

const ACTIVE = `
  select c.id from (
    select max(l.received_at) as at, (array_agg(l.conversation order by l.received_at desc))[1] as conversation
    from kikimimi_v1.latest l where starts_with(l.conversation, $1) and l.received_at > $2
    group by split_part(l.conversation, '/', 2)
  ) w join kikimimi_v1.conversation c on c.id = w.conversation and c.workspace <> ''
  where kikimimi_v1.memory_of(split_part(c.id, '/', 1) || '/' || split_part(c.id, '/', 2)) = kikimimi_v1.memory_of($5)
  order by exists (select 1 from unnest($3::text[]) s where starts_with(c.id, s)) desc, w.at desc limit $4`
