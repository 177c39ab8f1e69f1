/** Places of messages. They decide who may read the counts. */
import { type Conversation, channelOf, type Database, KikimimiError } from 'kikimimi'

export interface PlaceKey {
  readonly place: string
  readonly visibility: Conversation['visibility']
}

interface NewPlace extends PlaceKey {
  readonly conversation: Pick<Conversation, 'platform' | 'workspace' | 'name'>
  readonly channel: string
}

/** `platform/workspace`, like the beginning of conversation ids. */
export function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}

/** Creates new places. Returns a function that gives the number of each. Call it in a transaction of the counts. */
export async function keepPlaces(db: Database, given: readonly NewPlace[]): Promise<(place: PlaceKey) => number> {
  const keyOf = ({ place, visibility }: PlaceKey) => `${visibility} ${place}`
  const wanted = [...new Map(given.map(one => [keyOf(one), one])).values()]
  const asked = JSON.stringify(
    wanted.map(({ conversation, ...one }) => ({ ...one, workspace: workspaceOf(conversation), name: conversation.name })),
  )
  await db.query(
    `insert into profiles.place (workspace, channel, place, visibility, name)
     select * from jsonb_to_recordset($1) as n(workspace text, channel text, place text, visibility text, name text)
     on conflict do nothing`,
    [asked],
  )
  const { rows } = await db.query<PlaceKey & { id: number }>(
    `select p.id, place, visibility
     from jsonb_to_recordset($1) as n(place text, visibility text) join profiles.place p using (place, visibility)`,
    [asked],
  )
  const ids = new Map(rows.map(row => [keyOf(row), row.id]))
  return place => {
    const id = ids.get(keyOf(place))
    if (id === undefined) throw new KikimimiError('INTERNAL', '[profiles] The place could not be created.')
    return id
  }
}

/** The number of the place of messages in a conversation now. */
export async function placeIn(db: Database, conversation: Conversation): Promise<number> {
  const { rows } = await db.query<PlaceKey & { channel_name: string | null }>(
    `select told.place, told.visibility, h.name as channel_name
     from kikimimi_v1.place_of($2, $3, null) told left join kikimimi_v1.conversation h on h.id = $1`,
    [channelOf(conversation), conversation.id, conversation.visibility],
  )
  const [row] = rows
  if (!row) throw new KikimimiError('INTERNAL', '[profiles] The conversation has no place.')
  const { place, visibility, channel_name } = row
  const named = { ...conversation, name: channel_name ?? conversation.name }
  const placeOf = await keepPlaces(db, [{ place, visibility, conversation: named, channel: channelOf(conversation) }])
  return placeOf({ place, visibility })
}
