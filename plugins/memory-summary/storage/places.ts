/** The memories of places where people talk. */
import { type Conversation, channelOf, type Database } from 'kikimimi'
import { workspaceOf } from './scopes.ts'

/**
 * Keeps the memories of a conversation, and when somebody spoke there. Messages in a channel go into its memory, messages in a thread into
 * both. Public memories go into that of the workspace. Messages in a thread with readers of its own go into the memory of the thread alone.
 */
export async function keepPlaces(db: Database, conversation: Conversation, at: Date): Promise<void> {
  // What was remembered while fewer people could read the place: not all of its readers may read that now.
  await db.query(
    `delete from memory_summary.memory m where id in ($1, $2) and kind <> 'workspace'
       and not exists (select 1 from kikimimi_v1.readable(m.id, array[m.place], array[m.visibility]))`,
    [conversation.id, channelOf(conversation)],
  )
  await add(db, conversation, at, UPDATE)
}

/** Adds the memories of a conversation that are missing. */
export function addPlaces(db: Database, conversation: Conversation, at: Date): Promise<void> {
  return add(db, conversation, at, 'on conflict do nothing')
}

async function add(db: Database, conversation: Conversation, at: Date, otherwise: string): Promise<void> {
  const { id, thread, name, visibility } = conversation
  await db.query(`${ADD} ${otherwise}`, [
    id,
    thread === undefined ? null : id,
    workspaceOf(conversation),
    channelOf(conversation),
    name,
    visibility,
    at,
  ])
}

const ADD = `
  with told as (
    select t.place, t.visibility, coalesce((select name from kikimimi_v1.conversation where id = $4), $5) as name
    from kikimimi_v1.place_of($1, $6, null) t
  )
  insert into memory_summary.memory as m (id, kind, workspace, channel, name, place, visibility, active_at, began)
  select n.id, n.kind, $3, n.channel, case when n.kind = 'workspace' then '' else t.name end,
    case when n.kind = 'workspace' then $3 || '/' else t.place end, t.visibility, $7::timestamptz,
    (select coalesce(max(seq), 0) from kikimimi_v1.latest)
  from told t, (values ($3, 'workspace', ''), ($4, 'channel', $4), ($2::text, 'thread', $4)) n(id, kind, channel)
  where n.id is not null and case
    when rtrim(t.place, '+') = $2 then n.kind = 'thread'
    else n.kind <> 'workspace' or t.visibility = 'public'
  end`

/** The time is exact to the minute: otherwise each batch would write the memory of the workspace. */
const UPDATE = `
  on conflict (id) do update set name = excluded.name, place = excluded.place, visibility = excluded.visibility,
    active_at = greatest(m.active_at, excluded.active_at)
  where m.active_at < excluded.active_at - interval '1 minute'
    or (m.name, m.place, m.visibility) is distinct from (excluded.name, excluded.place, excluded.visibility)`
