/** The memories of places where people talk. */
import { type Conversation, channelOf, type Database } from 'kikimimi'
import { type Place, placesOf } from './scopes.ts'

/** Keeps the memories of a conversation, and when somebody spoke there. Returns the memories. */
export function keepPlaces(db: Database, conversation: Conversation, at: Date): Promise<readonly Place[]> {
  return db.transaction(async () => {
    const { rows } = await db.query<Pick<Place, 'name' | 'place' | 'visibility'>>(
      `select t.place, t.visibility, coalesce((select name from kikimimi_v1.conversation where id = $2), $3) as name
       from kikimimi_v1.place_of($1, $4, null) t`,
      [conversation.id, channelOf(conversation), conversation.name, conversation.visibility],
    )
    const places = rows.flatMap(told => placesOf({ ...conversation, name: told.name }, told))
    const ids = places.map(({ id }) => id)
    // What was remembered while fewer people could read the place: not all of its readers may read that now.
    await db.query(
      `delete from memory_summary.memory m where id = any($1) and kind <> 'workspace'
         and not exists (select 1 from kikimimi_v1.readable(m.id, array[m.place], array[m.visibility]))`,
      [ids],
    )
    await db.query(KEEP, [
      ...[ids, places.map(({ kind }) => kind), places.map(({ workspace }) => workspace), places.map(({ channel }) => channel)],
      ...[places.map(({ name }) => name), places.map(({ place }) => place), places.map(({ visibility }) => visibility), at],
    ])
    return places
  })
}

/** The time is exact to the minute: otherwise each message would write the memory of the workspace. */
const KEEP = `
  insert into memory_summary.memory as m (id, kind, workspace, channel, name, place, visibility, active_at, began)
  select *, $8::timestamptz, (select coalesce(max(seq), 0) from kikimimi_v1.latest)
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  on conflict (id) do update set name = excluded.name, place = excluded.place, visibility = excluded.visibility,
    active_at = greatest(m.active_at, excluded.active_at)
  where m.active_at < excluded.active_at - interval '1 minute'
    or (m.name, m.place, m.visibility) is distinct from (excluded.name, excluded.place, excluded.visibility)`
