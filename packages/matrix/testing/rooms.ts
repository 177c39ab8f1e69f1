/** The rooms of a homeserver: their events in one stream, their state, and what a user has not seen of them. */
import { randomUUID } from 'node:crypto'

export type Content = Readonly<Record<string, unknown>>

export interface Event {
  readonly event_id: string
  readonly type: string
  readonly sender: string
  readonly origin_server_ts: number
  content: Content
  readonly state_key?: string
  readonly redacts?: string
  unsigned: Record<string, unknown>
}

export class Refused extends Error {
  readonly status: number
  readonly errcode: string
  readonly more: Content
  constructor(status: number, errcode: string, message: string, more: Content = {}) {
    super(message)
    this.status = status
    this.errcode = errcode
    this.more = more
  }
}

/** An event at its place in the stream. An event that is repeated has two. */
interface Entry {
  readonly at: number
  readonly event: Event
  readonly transaction?: string | undefined
  readonly hiddenFrom?: string | undefined
  readonly isRepeated?: boolean
}

interface Filter {
  readonly room?: {
    readonly timeline?: { readonly limit?: number; readonly types?: readonly string[] }
    readonly state?: { readonly types?: readonly string[] }
    readonly ephemeral?: { readonly types?: readonly string[] }
  }
}

const POWERS = { users_default: 0, state_default: 50, redact: 50 }
/** State that an invited user sees. */
const STRIPPED = new Set(['m.room.join_rules', 'm.room.name', 'm.room.encryption', 'm.room.create'])

export type Room = ReturnType<ReturnType<typeof createRooms>['find']>

export function createRooms(server: string, nameOf: (user: string) => string) {
  const rooms = new Map<string, ReturnType<typeof createRoom>>()
  let position = 0
  let hiddenFrom: string | undefined
  let wake = Promise.withResolvers<void>()

  function advance(): number {
    wake.resolve()
    wake = Promise.withResolvers()
    return ++position
  }

  function createRoom(id: string) {
    const entries: Entry[] = []
    const state = new Map<string, Event>()
    const typing = new Map<string, NodeJS.Timeout>()
    let typedAt = 0

    const stateOf = (type: string, key = '') => state.get(`${type}\n${key}`)
    const membership = (user: string) => stateOf('m.room.member', user)?.content.membership
    const powerOf = (user: string) => {
      const levels = stateOf('m.room.power_levels')?.content as { readonly users: Readonly<Record<string, number>> } | undefined
      return levels ? (levels.users[user] ?? 0) : 100
    }

    function add(
      sender: string,
      type: string,
      content: Content,
      how: { readonly key?: string; readonly transaction?: string } = {},
    ): Event {
      const { key, transaction } = how
      if (key !== undefined && type !== 'm.room.member' && entries.length > 0 && powerOf(sender) < POWERS.state_default) {
        throw new Refused(403, 'M_FORBIDDEN', `You don't have permission to post that to the room.`)
      }
      const { rel_type: relation, event_id: target, key: emoji } = (content['m.relates_to'] ?? {}) as Content
      const isDouble = ({ event }: Entry) => {
        const to = (event.content['m.relates_to'] ?? {}) as Content
        return event.sender === sender && to.event_id === target && to.key === emoji && to.rel_type === 'm.annotation'
      }
      if (relation === 'm.annotation' && entries.some(isDouble))
        throw new Refused(400, 'M_DUPLICATE_ANNOTATION', 'already reacted')
      const event: Event = {
        ...{ event_id: `$${randomUUID()}`, type, sender, origin_server_ts: Date.now(), content, unsigned: {} },
        ...(key !== undefined && { state_key: key }),
        ...(typeof content.redacts === 'string' && { redacts: content.redacts }),
      }
      if (key !== undefined) state.set(`${type}\n${key}`, event)
      entries.push({ at: advance(), event, transaction, hiddenFrom })
      return event
    }

    const member = (sender: string, user: string, now: string, more: Content = {}) =>
      add(sender, 'm.room.member', { membership: now, displayname: nameOf(user), ...more }, { key: user })

    function find(event: string): Entry {
      const found = entries.find(entry => entry.event.event_id === event && !entry.isRepeated)
      if (found) return found
      throw new Refused(404, 'M_NOT_FOUND', 'Event not found.')
    }

    /** The event as a user sees it: with its latest edit, and the transaction of its own device. */
    function seen({ event, transaction }: Entry, user: string): Content {
      const edits = entries.filter(entry => {
        const { rel_type: type, event_id: of } = (entry.event.content['m.relates_to'] ?? {}) as Content
        return type === 'm.replace' && of === event.event_id && entry.event.sender === event.sender
      })
      const edit = edits.at(-1)?.event
      const unsigned = {
        ...event.unsigned,
        ...(transaction !== undefined && event.sender === user && { transaction_id: transaction }),
        ...(edit && { 'm.relations': { 'm.replace': edit } }),
      }
      return { ...event, room_id: id, unsigned }
    }

    const room = {
      ...{ id, entries, state, add, stateOf, membership, find },
      get typing() {
        return { at: typedAt, users: [...typing.keys()] }
      },
      people: (now: string) =>
        [...state.values()].filter(({ type, content }) => type === 'm.room.member' && content.membership === now),
      told: (event: string, user: string) => seen(find(event), user),

      join(user: string) {
        const isOpen = stateOf('m.room.join_rules')?.content.join_rule === 'public'
        if (!isOpen && membership(user) !== 'invite') throw new Refused(403, 'M_FORBIDDEN', 'You are not invited to this room.')
        member(user, user, 'join')
        return room
      },
      leave(user: string, more: Content) {
        member(user, user, 'leave', more)
        return {}
      },
      invite(sender: string, user: string, more: Content = {}) {
        member(sender, user, 'invite', more)
        return {}
      },
      redact(user: string, target: string): Event {
        const { event } = find(target)
        if (event.sender !== user && powerOf(user) < POWERS.redact) throw new Refused(403, 'M_FORBIDDEN', 'not your message')
        const redaction = add(user, 'm.room.redaction', { redacts: target })
        event.content = {}
        event.unsigned = { redacted_because: redaction }
        return redaction
      },
      type(user: string, { typing: isTyping, timeout }: Content) {
        clearTimeout(typing.get(user))
        typing.delete(user)
        if (isTyping === true) typing.set(user, setTimeout(() => room.type(user, {}), Number(timeout ?? 20_000)).unref())
        typedAt = advance()
        return {}
      },
      around(event: string, user: string) {
        const entry = find(event)
        return {
          event: seen(entry, user),
          start: String(entry.at - 1),
          end: String(entry.at),
          events_before: [],
          events_after: [],
          state: [],
        }
      },
      page(query: URLSearchParams, user: string, fits: (event: Event) => boolean = () => true) {
        const isForward = query.get('dir') === 'f'
        const from = Number(query.get('from') ?? (isForward ? 0 : position))
        const limit = Number(query.get('limit') ?? 10)
        const { types } = JSON.parse(query.get('filter') ?? '{}') as { readonly types?: readonly string[] }
        const wanted = entries.filter(
          ({ event, isRepeated }) => !isRepeated && (types?.includes(event.type) ?? true) && fits(event),
        )
        const found = isForward ? wanted.filter(({ at }) => at > from) : wanted.filter(({ at }) => at <= from).toReversed()
        const some = found.slice(0, limit)
        const last = some.at(-1)
        const next = last && found.length > limit ? String(isForward ? last.at : last.at - 1) : undefined
        const chunk = some.map(entry => seen(entry, user))
        return { chunk, start: String(from), ...(next !== undefined && { end: next, next_batch: next }) }
      },
      repeat(event: string) {
        entries.push({ ...find(event), at: advance(), isRepeated: true })
      },
      /** What a user gets of it, or nothing. */
      since(user: string, since: number | undefined, { room: wanted = {} }: Filter) {
        const { limit = 10, types } = wanted.timeline ?? {}
        const joined = entries.findLast(({ event }) => event === stateOf('m.room.member', user))?.at ?? 0
        const isWhole = since === undefined || joined > since
        const fresh = entries.filter(
          ({ at, event, hiddenFrom: hidden }) =>
            (isWhole || at > since) && hidden !== user && (types?.includes(event.type) ?? true),
        )
        const timeline = fresh.slice(Math.max(0, fresh.length - limit))
        const isTyping = (wanted.ephemeral?.types?.includes('m.typing') ?? true) && typedAt > (since ?? 0)
        if (!isWhole && fresh.length === 0 && !isTyping) return undefined
        const before = (timeline[0]?.at ?? position + 1) - 1
        // Members that have written, and the changes before the timeline.
        const senders = new Set([user, ...timeline.map(({ event }) => event.sender)])
        const states = entries.filter(({ event, at }) => {
          const isCurrent = event.state_key !== undefined && state.get(`${event.type}\n${event.state_key}`) === event
          const isWanted = wanted.state?.types?.includes(event.type) ?? true
          const isSender = event.type !== 'm.room.member' || senders.has(event.state_key ?? '')
          return isCurrent && isWanted && isSender && at <= before && (isWhole || at > since || event.type === 'm.room.member')
        })
        return {
          summary: {
            'm.joined_member_count': room.people('join').length,
            'm.invited_member_count': room.people('invite').length,
          },
          state: { events: states.map(({ event }) => event) },
          timeline: {
            events: timeline.map(entry => ({ ...seen(entry, user), room_id: undefined })),
            limited: fresh.length > timeline.length,
            prev_batch: String(before),
          },
          ephemeral: { events: isTyping ? [{ type: 'm.typing', content: { user_ids: [...typing.keys()] } }] : [] },
        }
      },
    }
    return room
  }

  function find(id: string) {
    const room = rooms.get(id)
    if (room) return room
    throw new Refused(404, 'M_NOT_FOUND', 'Unknown room')
  }

  return {
    find,
    changed: () => wake.promise,
    joined(id: string, user: string) {
      const room = find(id)
      if (room.membership(user) === 'join') return room
      throw new Refused(403, 'M_FORBIDDEN', `User ${user} not in room ${id}`)
    },
    create(creator: string, { preset, name, topic, invite = [], is_direct: isDirect, initial_state: initial = [] }: Content) {
      const room = createRoom(`!${randomUUID()}:${server}`)
      rooms.set(room.id, room)
      const set = (type: string, content: Content, key = '') => room.add(creator, type, content, { key })
      set('m.room.create', { room_version: '11' })
      set('m.room.member', { membership: 'join', displayname: nameOf(creator) }, creator)
      set('m.room.power_levels', { ...POWERS, users: { [creator]: 100 } })
      set('m.room.join_rules', { join_rule: preset === 'public_chat' ? 'public' : 'invite' })
      if (typeof name === 'string') set('m.room.name', { name })
      if (typeof topic === 'string') set('m.room.topic', { topic })
      for (const { type, content } of initial as readonly { readonly type: string; readonly content: Content }[])
        set(type, content)
      for (const user of invite as readonly string[]) room.invite(creator, user, isDirect === true ? { is_direct: true } : {})
      return room
    },
    repeat: (event: string) =>
      [...rooms.values()].find(({ entries }) => entries.some(one => one.event.event_id === event))?.repeat(event),
    async hiding<T>(user: string, run: () => Promise<T>): Promise<T> {
      hiddenFrom = user
      try {
        return await run()
      } finally {
        hiddenFrom = undefined
      }
    },
    /** What a user has not seen since a position in the stream. */
    since(user: string, since: number | undefined, filter: Filter) {
      const join: Record<string, unknown> = {}
      const invite: Record<string, unknown> = {}
      for (const room of rooms.values()) {
        const now = room.membership(user)
        const told = now === 'join' ? room.since(user, since, filter) : undefined
        if (told) join[room.id] = told
        const invited = room.entries.findLast(({ event }) => event === room.stateOf('m.room.member', user))
        if (now === 'invite' && invited && invited.at > (since ?? 0)) {
          const stripped = [...room.state.values()].filter(({ type }) => STRIPPED.has(type))
          invite[room.id] = { invite_state: { events: [...stripped, invited.event] } }
        }
      }
      const isNew = Object.keys(join).length + Object.keys(invite).length > 0
      return { isNew, told: { next_batch: String(position), rooms: { join, invite } } }
    },
  }
}
