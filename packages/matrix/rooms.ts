/** What the bot knows of its rooms. */
import type { IncomingMessage, Person } from 'kikimimi'
import type { IInviteState, IJoinedRoom, IRoomEvent, IStateEvent } from 'matrix-js-sdk/lib/sync-accumulator.js'
import { z } from 'zod'

export type Place = IncomingMessage['conversation']

const MEMBER = 'm.room.member'
/** Types of events that are the state of a room. */
export const STATE = [
  ...['m.room.name', 'm.room.canonical_alias', 'm.room.topic', 'm.room.join_rules', 'm.room.history_visibility'],
  ...['m.room.encryption', 'm.room.power_levels', 'm.room.create', MEMBER],
]
const text = z.string().optional().catch(undefined)
const level = z.number().catch(0)
const Member = z.object({ displayname: text, membership: text })
/** The fields of all other state. People can write anything into them. */
const State = z.object({
  ...{ name: text, alias: text, topic: text, join_rule: text, history_visibility: text, room_version: text },
  users: z.record(z.string(), level).catch({}),
  users_default: level,
})

export interface Room {
  readonly id: string
  /** By type. */
  readonly state: Map<string, z.output<typeof State> & { readonly sender: string }>
  /** Those who are in the room or invited, by id. */
  readonly members: Map<string, { readonly name: string; readonly isJoined: boolean }>
}

/** Takes the changes of a batch. Returns whether people see another name or topic. */
export function update({ state, members }: Room, joined: IJoinedRoom): boolean {
  const changes = [...(joined.state?.events ?? []), ...joined.timeline.events].filter(isState)
  for (const { type, state_key: key, sender, content } of changes) {
    if (type !== MEMBER) state.set(type, { sender, ...State.parse(content) })
    else {
      const { membership, displayname: name = localPart(key) } = Member.parse(content)
      if (membership === 'join' || membership === 'invite') members.set(key, { name, isJoined: membership === 'join' })
      else members.delete(key)
    }
  }
  return changes.some(({ type }) => type === 'm.room.name' || type === 'm.room.topic')
}

const isState = (event: IRoomEvent | IStateEvent): event is IStateEvent => 'state_key' in event && STATE.includes(event.type)
const localPart = (id: string) => id.slice(1).split(':', 1)[0] || id

export const isEncrypted = ({ state }: Room) => state.has('m.room.encryption')

/** A person with the name in this room. */
export function personIn({ members }: Room, id: string): Person {
  return { id, name: members.get(id)?.name ?? localPart(id) }
}

/** The rights of a person: 100 is an admin, 50 a moderator. The creator of a newer room is above all. */
export function powerOf({ state }: Room, id: string): number {
  const { sender: creator, room_version: version } = state.get('m.room.create') ?? {}
  if (creator === id && Number(version) >= 12) return Number.POSITIVE_INFINITY
  const levels = state.get('m.room.power_levels')
  return levels?.users[id] ?? levels?.users_default ?? 0
}

/**
 * A room belongs to its admins, so it is a workspace of its own. A room of two without a name is direct. Who reads a room reads its
 * threads.
 */
export function placeOf({ id, state, members }: Room, thread?: string): Place {
  const named = state.get('m.room.name')?.name ?? state.get('m.room.canonical_alias')?.alias
  const topic = state.get('m.room.topic')?.topic
  const isReadByAll = state.get('m.room.history_visibility')?.history_visibility === 'world_readable'
  const isPublic = isReadByAll || state.get('m.room.join_rules')?.join_rule === 'public'
  const isDirect = !isPublic && named === undefined && members.size <= 2
  return {
    platform: 'matrix',
    workspace: isDirect ? '' : id,
    channel: id,
    ...(thread !== undefined && { thread, readers: { own: false } }),
    name: named ?? id,
    visibility: isPublic ? 'public' : isDirect ? 'direct' : 'private',
    details: { ...(named && { workspaceName: named }), ...(topic && { topic }), ...(thread !== undefined && { root: thread }) },
  }
}

/** Who invited the bot, and whether the room is encrypted, as far as an invited person sees it. */
export function invitation({ events = [] }: Partial<IInviteState>, me: string) {
  const from = events.find(({ type, state_key: key }) => type === MEMBER && key === me)?.sender ?? ''
  return { from, isEncrypted: events.some(({ type }) => type === 'm.room.encryption') }
}
