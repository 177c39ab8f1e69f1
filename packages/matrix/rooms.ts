/** What the bot knows of its rooms. */
import type { IncomingMessage, Person } from 'kikimimi'
import type { IInviteState, IJoinedRoom, IRoomEvent, IStateEvent } from 'matrix-js-sdk/lib/sync-accumulator.js'
import { z } from 'zod'

export type Place = IncomingMessage['conversation']

/** State that the bot needs. */
export const STATE = [
  ...['m.room.name', 'm.room.canonical_alias', 'm.room.topic', 'm.room.join_rules', 'm.room.history_visibility'],
  ...['m.room.encryption', 'm.room.power_levels', 'm.room.create', 'm.room.member'],
]
const text = z.string().optional().catch(undefined)
const level = z.number().catch(0)
/** The fields of all state events. People can write anything into them. */
const State = z.object({
  ...{ name: text, alias: text, topic: text, join_rule: text, history_visibility: text, displayname: text, membership: text },
  users: z.record(z.string(), level).catch({}),
  users_default: level,
})

export interface Room {
  readonly id: string
  /** By type and key. */
  readonly state: Map<string, { readonly sender: string; readonly content: z.output<typeof State> }>
  /** How many people are in the room or invited. */
  people: number
}

export const newRoom = (id: string): Room => ({ id, state: new Map(), people: 0 })

export const contentOf = ({ state }: Room, type: string, key = '') => state.get(`${type} ${key}`)?.content

/** Takes the changes of a batch. Returns whether people see another name or topic. */
export function update(room: Room, { state, timeline, summary }: Partial<IJoinedRoom>): boolean {
  room.people = (summary?.['m.joined_member_count'] ?? room.people) + (summary?.['m.invited_member_count'] ?? 0)
  const changes = [...(state?.events ?? []), ...(timeline?.events ?? [])].filter(isState)
  for (const { type, state_key: key, sender, content } of changes)
    room.state.set(`${type} ${key}`, { sender, content: State.parse(content) })
  return changes.some(({ type }) => type === 'm.room.name' || type === 'm.room.topic')
}

const isState = (event: IRoomEvent | IStateEvent): event is IStateEvent => 'state_key' in event && STATE.includes(event.type)

export const isEncrypted = (room: Room) => contentOf(room, 'm.room.encryption') !== undefined

/** A person with the name in this room. */
export function personIn(room: Room, id: string): Person {
  return { id, name: contentOf(room, 'm.room.member', id)?.displayname ?? id.slice(1).split(':', 1)[0] ?? id }
}

/** The rights of a person: 100 is an admin, 50 a moderator. The creator of a newer room is above all. */
export function powerOf(room: Room, id: string): number {
  if (room.state.get('m.room.create ')?.sender === id) return Number.POSITIVE_INFINITY
  const levels = contentOf(room, 'm.room.power_levels')
  return levels?.users[id] ?? levels?.users_default ?? 0
}

/**
 * A room belongs to its admins, so it is a workspace of its own. A room of two without a name is direct. Who reads a room reads its
 * threads.
 */
export function placeOf(room: Room, thread?: string): Place {
  const named = contentOf(room, 'm.room.name')?.name ?? contentOf(room, 'm.room.canonical_alias')?.alias
  const isPublic =
    contentOf(room, 'm.room.join_rules')?.join_rule === 'public' ||
    contentOf(room, 'm.room.history_visibility')?.history_visibility === 'world_readable'
  const isDirect = !isPublic && named === undefined && room.people <= 2
  const topic = contentOf(room, 'm.room.topic')?.topic
  return {
    platform: 'matrix',
    workspace: isDirect ? '' : room.id,
    channel: room.id,
    ...(thread !== undefined && { thread, readers: { own: false } }),
    name: named ?? room.id,
    visibility: isPublic ? 'public' : isDirect ? 'direct' : 'private',
    details: { ...(named && { workspaceName: named }), ...(topic && { topic }), ...(thread !== undefined && { root: thread }) },
  }
}

/** Who invited the bot, and whether the room is encrypted, as far as an invited person sees it. */
export function invitation({ events = [] }: Partial<IInviteState>, me: string) {
  const from = events.find(({ type, state_key: key }) => type === 'm.room.member' && key === me)?.sender
  return { from, isEncrypted: events.some(({ type }) => type === 'm.room.encryption') }
}
